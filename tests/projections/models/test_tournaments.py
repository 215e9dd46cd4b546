"""The index of tournaments: what the list shows, and where a tournament stood at a sequence or a moment."""

from datetime import timedelta
from typing import Any

import pytest

from domain import codec
from domain.access import WHOLE
from domain.errors import InvalidFormatError
from domain.events import Recorded, Stamp, digest
from domain.events.base import TextRef
from domain.events.tournament import (
    EntryReturned,
    EntryWithdrawn,
    PairingWithdrawn,
    RoundClosed,
    TournamentCorrected,
    TournamentEnded,
    TournamentReopened,
)
from domain.tournament.tournament import tournament_stream
from projections.engine.store import Store
from projections.models.tournaments import TOURNAMENTS, TournamentFilters, TournamentRow, TournamentsPage, position_at, tournaments_page
from tests.databases import in_a_file
from tests.domain.tournament.recorded import entries, paired, plan
from tests.projections.helpers import projected, projector, rows
from tests.projections.histories import START, Log, a_whole_game

LEFT = (EntryWithdrawn(3, 1, None), EntryReturned(3, 2), EntryWithdrawn(3, 1, None))
EVENTS = (*entries(3), *LEFT, paired(1, (1, 2)), PairingWithdrawn(1, None), paired(1, (1, 2)), RoundClosed(1))


def history(name: str, *events: Any, ruleset: str = "casino") -> list[Recorded]:
    """One event a second."""
    found: list[Recorded] = []
    announced = plan(tournament=name, ruleset=ruleset, title=TextRef(f"title of {name}", "digest"), options={})
    for position, event in enumerate((announced, *events), 1):
        stamp = Stamp(START + timedelta(seconds=position), "p_director")
        found.append(codec.encode_event(tournament_stream(name), position, digest(found[-1].state) if found else None, stamp, event))
    return found


def test_a_row_says_how_far_a_tournament_is(store: Store):
    log = Log(history("spring", *EVENTS))
    projected(store, log, TOURNAMENTS)
    row = TournamentRow(
        stream=str(tournament_stream("spring")),
        tournament="spring",
        announced=log.events[0][0],
        announced_at=START + timedelta(seconds=1),
        title="title of spring",
        ruleset="casino",
        options={},
        seats=2,
        format="manual",
        state="running",
        entrants=2,
        rounds=1,
        closed=1,
        position=11,
        sequence=log.head(),
        updated_at=START + timedelta(seconds=11),
        publication="no",
        hall_names=None,
    )
    assert tournaments_page(store, WHOLE, TournamentFilters(), None, 10) == TournamentsPage((row,), None)


@in_a_file
def test_what_is_corrected_stands_in_the_row(store: Store):
    other: dict[str, Any] = {
        "ruleset": "canasta",
        "options": {"end": "hands"},
        "seats": 4,
        "format": "swiss",
        "title": TextRef("t2", "digest"),
    }
    values = {name: getattr(plan(**other), name) for name in TournamentCorrected.__struct_fields__}
    projected(store, Log(history("spring", *entries(3), TournamentCorrected(**values))), TOURNAMENTS)
    (row,) = tournaments_page(store, WHOLE, TournamentFilters(ruleset="canasta"), None, 10).rows
    assert (row.title, row.ruleset, row.options, row.seats, row.format, row.entrants) == ("t2", "canasta", {"end": "hands"}, 4, "swiss", 3)
    assert tournaments_page(store, WHOLE, TournamentFilters(ruleset="casino"), None, 10).rows == ()


STATES: dict[str, tuple[tuple[object, ...], str]] = {
    "announced": ((), "announced"),
    "paired": (EVENTS[:7], "running"),
    "unpaired": (EVENTS[:8], "announced"),
    "finished": ((*EVENTS, TournamentEnded("finished", None)), "finished"),
    "reopened": ((*EVENTS, TournamentEnded("finished", None), TournamentReopened(None)), "running"),
    "reopened before any round": ((TournamentEnded("cancelled", None), TournamentReopened(None)), "announced"),
    "cancelled": ((TournamentEnded("cancelled", None),), "cancelled"),
}


@in_a_file
def test_it_runs_from_its_first_pairing_to_its_end(store: Store):
    projected(store, Log([event for name, (events, _) in STATES.items() for event in history(name, *events)]), TOURNAMENTS)
    found = {row.tournament: row.state for row in tournaments_page(store, WHOLE, TournamentFilters(), None, 10).rows}
    assert found == {name: state for name, (_, state) in STATES.items()}


def test_pages_are_newest_first_and_filters_must_all_hold(store: Store):
    log = Log(history("one"))
    log.append(*a_whole_game(1).events)
    log.append(*history("two", ruleset="canasta"), *history("three", TournamentEnded("cancelled", None)))
    projected(store, log, TOURNAMENTS)
    first = tournaments_page(store, WHOLE, TournamentFilters(), None, 2)
    assert ([row.tournament for row in first.rows], first.next is None) == (["three", "two"], False)
    assert [row.tournament for row in tournaments_page(store, WHOLE, TournamentFilters(), first.next, 2).rows] == ["one"]
    for filters, names in (
        (TournamentFilters(ruleset="canasta"), ["two"]),
        (TournamentFilters(state="cancelled"), ["three"]),
        (TournamentFilters(state="cancelled", ruleset="canasta"), []),
        (TournamentFilters(announced_to=START), []),
        (TournamentFilters(announced_from=START), ["three", "two", "one"]),
    ):
        assert [row.tournament for row in tournaments_page(store, WHOLE, filters, None, 10).rows] == names
    with pytest.raises(InvalidFormatError):
        tournaments_page(store, WHOLE, TournamentFilters(), "x", 2)


def test_where_a_tournament_stood_at_a_sequence_or_a_moment(store: Store):
    log = Log(history("spring", *EVENTS))
    projected(store, log, TOURNAMENTS)
    for sequence, recorded in log.events:
        assert position_at(store, tournament_stream("spring"), sequence=sequence) == recorded.position
        assert position_at(store, tournament_stream("spring"), at=recorded.stamp.at) == recorded.position
    assert position_at(store, tournament_stream("spring"), sequence=log.events[0][0] - 1) == 0
    assert position_at(store, tournament_stream("spring"), at=START) == 0


def test_rows_filled_anew_are_the_same(store: Store):
    log = Log(history("spring", *EVENTS))
    log.append(*history("autumn", *EVENTS))
    made = projector(store, log, [TOURNAMENTS], batch=2)
    made.catch_up()
    before = rows(store, TOURNAMENTS)
    made.rebuild(TOURNAMENTS.name)
    assert rows(store, TOURNAMENTS) == before
