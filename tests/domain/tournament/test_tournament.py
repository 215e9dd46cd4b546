"""The aggregate: what the events of a tournament fold to."""

from datetime import UTC, datetime

import pytest

from domain.errors import DataIntegrityError, Unknown
from domain.events import Recorded, Stamp
from domain.events.base import Unreadable
from domain.events.game import GameAbandoned
from domain.events.tournament import (
    EntryChanged,
    EntryReturned,
    EntryWithdrawn,
    PairingWithdrawn,
    ResultConfirmed,
    ResultEntered,
    ResultWithdrawn,
    RoundClosed,
    TableAdjourned,
    TableForfeited,
    TournamentEnded,
)
from domain.standings.plan import Bye
from domain.tournament.line_ups import LineUp
from domain.tournament.state import EnteredResult, Entrant, Round, RoundTable
from domain.tournament.tournament import project, tournament_stream
from tests.domain.tournament.recorded import PAIRS, entries, entry, paired, pairs, plan, recorded
from tests.each import each

STAMP = Stamp(datetime(2026, 11, 21, tzinfo=UTC), "p_director")


def test_the_stream_of_a_tournament_follows_from_its_id():
    assert str(tournament_stream("spring")) == "b6b3eab4-31d6-5f9c-948b-1d2a7d4632b0"


def test_an_entrant_has_a_line_up_for_every_round():
    tournament = recorded(plan(PAIRS), *pairs(1), EntryChanged(1, ("p1a", "x"), 3))
    assert tournament.entrants == (Entrant(1, 1, (LineUp(1, ("p1a", "p1b")), LineUp(3, ("p1a", "x")))),)
    assert [tournament.entrant(1).players(round) for round in (1, 2, 3, 9)] == [("p1a", "p1b")] * 2 + [("p1a", "x")] * 2
    assert tournament.entrant(1).all_players == {"p1a", "p1b", "x"}


def test_who_is_to_be_paired_has_entered_by_then_and_not_withdrawn():
    tournament = recorded(plan(), *entries(2), entry(3, from_round=2), EntryWithdrawn(1, 3, None))
    assert [[entrant.number for entrant in tournament.active(round)] for round in (1, 2, 3)] == [[1, 2], [1, 2, 3], [2, 3]]


@each(
    ("told", "missed", "until"),
    [
        ((EntryWithdrawn(1, 2, None), EntryReturned(1, 4)), [2, 3], None),
        ((EntryWithdrawn(1, 2, None), EntryReturned(1, 3), EntryWithdrawn(1, 5, None)), [2, 5, 6, 7], 5),
        ((EntryWithdrawn(1, 5, None), EntryReturned(1, 6), EntryWithdrawn(1, 2, None), EntryReturned(1, 3)), [2, 5], None),
        ((EntryWithdrawn(1, 2, None), EntryReturned(1, 5), EntryWithdrawn(1, 3, None), EntryReturned(1, 4)), [2, 3], None),
        ((EntryWithdrawn(1, 2, None), EntryReturned(1, 4), EntryWithdrawn(1, 4, None)), [2, 3, 4, 5, 6, 7], 2),
        ((EntryWithdrawn(1, 3, None), EntryReturned(1, 3)), [], None),
        ((EntryReturned(1, 3), EntryWithdrawn(1, 6, None), EntryWithdrawn(1, 2, None)), [6, 7], 6),
    ],
    ids=["once", "and gone", "announced the other way round", "back earlier", "longer", "taken back", "damaged"],
)
def test_who_returns_is_away_for_the_rounds_in_between(told, missed: list[int], until: int | None):
    entrant = recorded(plan(), entry(1), *told).entrant(1)
    assert ([round for round in range(1, 8) if not entrant.plays(round)], entrant.until) == (missed, until)
    assert [round for round in range(1, 8) if entrant.is_gone(round)] == list(range(until or 8, 8))


def test_rounds_have_tables_byes_and_an_end():
    tournament = recorded(plan(), *entries(3), paired(1, (1, 2), byes=(3,)), RoundClosed(1), paired(2, (3, 1), byes=(2,)))
    first = Round(1, False, (RoundTable("1", (1, 2)),), (3,), True)
    assert tournament.rounds == (first, Round(2, False, (RoundTable("1", (3, 1)),), (2,)))
    assert tournament.byes == (Bye(1, 3), Bye(2, 2))
    assert tournament.next_round == 3


def test_a_round_that_is_unpaired_was_never_there():
    before = recorded(plan(), *entries(2), paired(1, (1, 2)), RoundClosed(1))
    after = recorded(plan(), *entries(2), paired(1, (1, 2)), RoundClosed(1), paired(2, (2, 1)), PairingWithdrawn(2, None))
    assert after.rounds == before.rounds


@each(
    ("said", "table"),
    [
        ((ResultEntered(1, "1", (3, 5), 1),), RoundTable("1", (1, 2), EnteredResult((3, 5), (1,)))),
        ((ResultEntered(1, "1", (3, 5), 1), ResultConfirmed(1, "1", 2)), RoundTable("1", (1, 2), EnteredResult((3, 5), (1, 2)))),
        (
            (ResultEntered(1, "1", (3, 5), 1), ResultEntered(1, "1", (4, 5), 2)),
            RoundTable("1", (1, 2), EnteredResult((4, 5), (2,)), replaced=(EnteredResult((3, 5), (1,)),)),
        ),
        ((TableForfeited(1, "1", (2,), None), ResultEntered(1, "1", (3, 5), None)), RoundTable("1", (1, 2), EnteredResult((3, 5)))),
        ((ResultEntered(1, "1", (3, 5), None), TableForfeited(1, "1", (2,), None)), RoundTable("1", (1, 2), absent=(2,))),
        ((TableAdjourned(1, "1", None),), RoundTable("1", (1, 2), adjourned=True)),
        ((TableForfeited(1, "1", (2,), None), ResultWithdrawn(1, "1", None)), RoundTable("1", (1, 2))),
        ((ResultConfirmed(1, "1", 2),), RoundTable("1", (1, 2))),
    ],
)
def test_what_is_said_about_a_table_stays_with_it(said, table: RoundTable):
    tournament = recorded(plan(), *entries(4), paired(1, (1, 2), (3, 4)), *said)
    assert tournament.rounds[0].tables == (table, RoundTable("2", (3, 4)))


def test_players_of_a_partnership_take_the_seats_of_their_party_in_order():
    tournament = recorded(plan(PAIRS), *pairs(2), paired(1, (2, 1, 2, 1)))
    assert tournament.players(1, (2, 1, 2, 1)) == ("p2a", "p1a", "p2b", "p1b")
    assert tournament.parties((2, 1, 2, 1)) == ((2,), (1,))


def test_players_with_changing_partners_sit_each_for_himself():
    tournament = recorded(plan(PAIRS, entrants="players"), *entries(4), paired(1, (1, 2, 3, 4)))
    assert tournament.players(1, (1, 2, 3, 4)) == ("p1", "p2", "p3", "p4")
    assert tournament.parties((1, 2, 3, 4)) == ((1, 3), (2, 4))


def test_damaged_history_raises_nothing():
    tournament = recorded(
        plan(),
        entry(7),
        EntryWithdrawn(9, 1, None),
        RoundClosed(4),
        ResultEntered(4, "x", (1,), None),
        paired(3, (1, 2)),
        TournamentEnded("cancelled", None),
        PairingWithdrawn(8, None),
    )
    assert (tournament.entrants, tournament.rounds, tournament.position) == ((), (), 8)


def test_a_first_event_that_cannot_be_read_is_no_tournament():
    unreadable = Recorded(tournament_stream("spring"), 1, "tournament.announced/1", STAMP, None, Unreadable("", ""), b"")
    with pytest.raises(DataIntegrityError):
        project(None, [unreadable])


def test_the_events_of_something_else_fold_to_nothing():
    other = Recorded(tournament_stream("spring"), 1, "game.abandoned/1", STAMP, None, GameAbandoned(None), b"")
    assert project(None, [other]) is None
    assert project(None, []) is None


def test_what_is_not_there_is_unknown():
    tournament = recorded(plan(), *entries(2), paired(1, (1, 2)))
    for look in (
        lambda: tournament.entrant(3),
        lambda: tournament.entrant(0),
        lambda: tournament.round(2),
        lambda: tournament.table(1, "9"),
    ):
        with pytest.raises(Unknown):
            look()
