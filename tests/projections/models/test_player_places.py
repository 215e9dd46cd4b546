"""Where each id appears: seats of games and entries of tournaments. The same for both databases."""

from typing import get_type_hints

import pytest

from domain.events import Event, game, tournament
from domain.events.game import PlayersCorrected, PlayerSeated
from domain.events.tournament import EntryAccepted, EntryChanged, EntryCorrected
from projections.engine.store import Store
from projections.models.player_places import APPEARANCES, PlayerEntry, PlayerSeat, entries_of, seats_of
from tests.databases import in_a_file
from tests.domain.tournament.recorded import plan
from tests.projections.helpers import projected
from tests.projections.histories import History, Log, game_id, interleaved, opened


def test_a_seat_is_told_with_the_position_since_when(store: Store):
    first = History(1, opened(("anna", "bert"))).add(PlayerSeated(1, "cora")).add(PlayerSeated(0, None)).add(PlayerSeated(0, "bert"))
    second = History(2, opened((None, "anna")))
    projected(store, Log(interleaved([first, second])), APPEARANCES)
    assert seats_of(store, ["bert"]) == (PlayerSeat("bert", game_id(1), 1, 1), PlayerSeat("bert", game_id(1), 4, 0))
    assert seats_of(store, ["anna", "cora"]) == (
        PlayerSeat("anna", game_id(1), 1, 0),
        PlayerSeat("cora", game_id(1), 2, 1),
        PlayerSeat("anna", game_id(2), 1, 1),
    )
    assert seats_of(store, ["nobody"]) == ()


def test_an_entry_is_told_for_each_of_its_players(store: Store):
    events = (EntryAccepted(1, ("anna", "bert"), 1), EntryChanged(1, ("anna", "cora"), 2))
    projected(store, Log(History(3, plan(tournament="spring-open"), *events).events), APPEARANCES)
    assert entries_of(store, ["anna"]) == (PlayerEntry("anna", "spring-open", 2, 1, 1), PlayerEntry("anna", "spring-open", 3, 1, 2))
    assert entries_of(store, ["cora", "bert"]) == (
        PlayerEntry("bert", "spring-open", 2, 1, 1),
        PlayerEntry("cora", "spring-open", 3, 1, 2),
    )


@in_a_file
def test_an_entry_counts_also_where_the_announcement_cannot_be_read(store: Store):
    projected(store, Log(History(3, EntryAccepted(1, ("anna",), 1)).events), APPEARANCES)
    assert entries_of(store, ["anna"]) == (PlayerEntry("anna", str(game_id(3)), 1, 1, 1),)


NAMING: tuple[Event, ...] = (
    opened(("anna", "bert")),
    PlayerSeated(0, "anna"),
    PlayersCorrected(("cora", "anna"), 1, None),
    EntryAccepted(1, ("anna",), 1),
    EntryChanged(1, ("anna",), 2),
    EntryCorrected(1, ("anna",), 1, None, None),
)


def test_every_event_that_names_players_is_tried_here():
    kinds = {kind for kind in (*game.NAMES, *tournament.NAMES) if {"player", "players"}.intersection(get_type_hints(kind))}
    assert {type(event) for event in NAMING} == kinds


@pytest.mark.parametrize("event", NAMING, ids=lambda event: type(event).__name__)
@in_a_file
def test_whoever_is_named_by_an_event_is_found(store: Store, event: Event):
    projected(store, Log(History(1, event).events), APPEARANCES)
    assert [*seats_of(store, ["anna"]), *entries_of(store, ["anna"])] != []


def test_ids_that_no_database_takes_stop_nobody(store: Store):
    projected(store, Log(History(1, opened(("an\0na", "anna"))).events), APPEARANCES)
    assert {one.seat for one in seats_of(store, ["anna"])} == {0, 1}
