"""What has to be read anew for an event."""

import pytest

from api.tournaments.stale_views import ALL, Change, list_changes
from domain.effects import HandClosed, TurnPassed
from domain.events import Event
from domain.events.game import GameResumed, MovePlayed
from domain.events.player import PlayerRegistered
from domain.events.tournament import EntryRated, LotsDrawn, RoundClosed

CLOSED = HandClosed("played", {})


@pytest.mark.parametrize(
    ("event", "changed"),
    [
        (LotsDrawn("s", None, None), ("standings",)),
        (MovePlayed(0, {}, (TurnPassed("play", 1, (1,)),)), ("tables",)),
        (MovePlayed(0, {}, (CLOSED,)), ALL),
        (GameResumed(None), ("tables",)),
        (RoundClosed(1), ALL),
        (EntryRated(1, 1500), ("standings",)),
        (PlayerRegistered("anna", None), ()),
    ],
)
def test_a_hand_that_ends_changes_all_three_and_a_move_its_table(event: Event, changed: tuple[Change, ...]):
    assert list_changes(event) == changed
