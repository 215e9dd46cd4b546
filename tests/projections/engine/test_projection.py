"""Whose events a projection takes."""

from uuid import UUID

from domain import codec
from domain.events import Recorded
from domain.events.player import PlayerRegistered
from projections.engine.store import Store, by_game
from projections.models.score_sheets import SCORE_SHEETS
from tests.projections.helpers import projected, rows
from tests.projections.histories import History, Log, a_whole_game, interleaved


def of_others() -> list[Recorded]:
    """A player, and what is left of a player and of a tournament when their events cannot be read."""
    damaged = [
        codec.decode_event(UUID(int=90 + number), 1, name, b"{}") for number, name in enumerate(("player.registered/1", "round.paired/1"))
    ]
    return [*History(80, PlayerRegistered("anna", None)).events, *damaged]


def test_events_are_sorted_by_game_and_those_of_players_and_tournaments_left_out():
    games = [a_whole_game(1), a_whole_game(2)]
    log = Log([*of_others(), *interleaved(games)])
    found = by_game(log.events)
    assert {game: [recorded for _, recorded in events] for game, events in found.items()} == {str(one.id): one.events for one in games}


def test_players_and_tournaments_have_no_score_sheet(store: Store):
    projected(store, Log(of_others()), SCORE_SHEETS)
    assert rows(store, SCORE_SHEETS) == {"score_sheets": [], "score_sheet_scores": []}
