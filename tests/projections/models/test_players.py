"""The directory as a projection: rows, persons after mergers, clubs. The same for both databases."""

from datetime import timedelta

import pytest

from domain import codec
from domain.access import WHOLE
from domain.errors import InvalidFormatError
from domain.events import Recorded, Stamp, digest
from domain.events.player import PlayerClubChanged, PlayerErased, PlayerEvent, PlayerJoined, PlayerMerged, PlayerParted, PlayerSeparated
from domain.player import player_stream, registration
from projections.engine.store import Store
from projections.models.players import (
    PLAYERS,
    Club,
    PlayerFilters,
    PlayerRow,
    clubs,
    ids_of_person,
    matching_ids,
    players_page,
    roots,
    rows_of,
)
from tests.databases import in_a_file
from tests.projections.helpers import projected, projector
from tests.projections.histories import START, Log


class Directory:
    """Events of players in the order in which they come, a second apart."""

    def __init__(self) -> None:
        self.events: list[Recorded] = []

    def add(self, player: str, *events: PlayerEvent) -> "Directory":
        for event in events:
            own = [one for one in self.events if one.stream == player_stream(player)]
            link = digest(own[-1].state) if own else None
            stamp = Stamp(START + timedelta(seconds=len(self.events)), "p_director")
            self.events.append(codec.encode_event(player_stream(player), len(own) + 1, link, stamp, event))
        return self

    def register(self, *players: str, club: str | None = None) -> "Directory":
        for player in players:
            self.add(player, registration(player, club))
        return self

    def merge(self, player: str, into: str) -> "Directory":
        return self.add(player, PlayerMerged(into)).add(into, PlayerJoined(player))

    def separate(self, player: str, into: str) -> "Directory":
        return self.add(player, PlayerSeparated()).add(into, PlayerParted(player))


def taken(store: Store, directory: Directory) -> Store:
    projected(store, Log(directory.events), PLAYERS)
    return store


def known_by(store: Store, *ids: str) -> list[str]:
    found = roots(store, ids)
    return [found[id] for id in ids]


def test_a_player_is_a_row_that_follows_his_events(store: Store):
    directory = Directory().register("a", club="lehrte").register("b").add("a", PlayerClubChanged("peine"))
    taken(store, directory)
    a = PlayerRow("a", 3, START, "peine", None, "a", False, 2, 7)
    b = PlayerRow("b", 6, START + timedelta(seconds=1), None, None, "b", False, 1, 6)
    assert rows_of(store, ["b", "a", "nobody", "a"]) == {"a": a, "b": b}
    assert players_page(store, WHOLE, PlayerFilters(), None, 10).players == (b, a)


def test_mergers_lead_to_the_person_however_many_there_are(store: Store):
    taken(store, Directory().register(*"abcde").merge("a", "b").merge("c", "d").merge("b", "d").merge("d", "e"))
    assert known_by(store, *"abcde", "nobody") == ["e"] * 5 + ["nobody"]
    assert [row.player for row in ids_of_person(store, "e")] == list("abcde")
    assert [row.merged_into for row in ids_of_person(store, "e")] == ["b", "d", "d", "e", None]


@in_a_file
def test_a_separated_id_takes_along_what_was_merged_into_it(store: Store):
    taken(store, Directory().register(*"abcd").merge("a", "b").merge("b", "c").merge("c", "d").separate("b", "c"))
    assert known_by(store, *"abcd") == ["b", "b", "d", "d"]


@in_a_file
def test_a_separated_id_can_be_merged_elsewhere(store: Store):
    taken(store, Directory().register(*"abc").merge("a", "b").separate("a", "b").merge("a", "c"))
    assert known_by(store, *"abc") == ["c", "b", "c"]


@in_a_file
def test_damaged_history_that_closes_a_circle_stops_nobody(store: Store):
    taken(store, Directory().register(*"abc").add("a", PlayerMerged("b")).add("b", PlayerMerged("a")).add("c", PlayerMerged("nobody")))
    assert set(known_by(store, *"ab")) <= {"a", "b"}
    assert known_by(store, "c") == ["c"]


@in_a_file
def test_an_erased_player_stays_a_row(store: Store):
    taken(store, Directory().register("a", "b", club="lehrte").add("a", PlayerErased()))
    assert [row.erased for row in ids_of_person(store, "a")] == [True]
    assert clubs(store, WHOLE, "", 10) == (Club("lehrte", 1),)


def test_clubs_count_persons(store: Store):
    directory = Directory().register(*"abc", club="lehrte").register("d", club="burgdorf").register("e").merge("a", "b")
    taken(store, directory)
    assert clubs(store, WHOLE, "", 10) == (Club("burgdorf", 1), Club("lehrte", 2))
    assert clubs(store, WHOLE, "burgdorf", 10) == (Club("lehrte", 2),)
    assert clubs(store, WHOLE, "", 1) == (Club("burgdorf", 1),)


def test_all_filters_given_hold(store: Store):
    taken(store, Directory().register(*"abcd", club="lehrte").register("e").merge("a", "b").add("d", PlayerErased()))
    chosen = {
        "edcba": PlayerFilters(),
        "dcba": PlayerFilters(club="lehrte"),
        "a": PlayerFilters(merged=True),
        "edcb": PlayerFilters(merged=False),
        "d": PlayerFilters(erased=True),
        "cb": PlayerFilters(club="lehrte", merged=False, erased=False),
    }
    for ids, filters in chosen.items():
        found = players_page(store, WHOLE, filters, None, 10).players
        assert "".join(row.player for row in found) == ids
        assert matching_ids(store, WHOLE, filters) == (None if filters == PlayerFilters() else set(ids))


def test_pages_neither_skip_nor_repeat_anybody_also_while_others_register(store: Store):
    log = Log(Directory().register(*"abcde").events)
    projecting = projected(store, log, PLAYERS)
    first = players_page(store, WHOLE, PlayerFilters(), None, 2)
    log.append(*Directory().register("f").events)
    projecting.catch_up()
    second = players_page(store, WHOLE, PlayerFilters(), first.next, 2)
    third = players_page(store, WHOLE, PlayerFilters(), second.next, 2)
    assert ["".join(row.player for row in page.players) for page in (first, second, third)] == ["ed", "cb", "a"]
    assert third.next is None


@in_a_file
def test_a_cursor_of_ones_own_is_refused(store: Store):
    taken(store, Directory())
    with pytest.raises(InvalidFormatError, match="not a cursor"):
        players_page(store, WHOLE, PlayerFilters(), "YQ", 2)


@pytest.mark.parametrize("batch", [1, 500])
def test_it_does_not_matter_how_the_events_are_cut_into_batches(store: Store, batch: int):
    directory = Directory().register(*"abcd").merge("a", "b").merge("b", "c").separate("b", "c").add("d", PlayerErased())
    projector(store, Log(directory.events), [PLAYERS], batch=batch).catch_up()
    found = players_page(store, WHOLE, PlayerFilters(), None, 10).players
    assert [(row.player, row.root, row.position) for row in found] == [("d", "d", 2), ("c", "c", 3), ("b", "b", 4), ("a", "b", 2)]
