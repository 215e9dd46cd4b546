"""Earlier tournaments from lists: the events that record one, and its withdrawal."""

from typing import Any

from domain.events.base import TextRef
from domain.events.tournament import EntryAccepted, PresenceChecked, ResultEntered, ResultWithdrawn, StandingsOrdered
from domain.games import RULESETS
from domain.tournament.imports import PastTable, import_tournament, withdraw_import
from tests.domain.tournament.recorded import plan, recorded, refusal

TABLES = (
    PastTable(1, "1", "2019-10-05", (("a", "b"), ("c", "d")), (100, 50)),
    PastTable(1, "2", "2019-10-05", (("e", "f"), ("g", "h"), ("i", "j")), (1, 2, 3)),
    PastTable(2, "1", "2019-10-12", (("a", "c"), ("k", "d")), (70, 80)),
)


def imported(*tables: PastTable) -> list[Any]:
    return import_tournament(RULESETS["canasta"], "spring", TextRef("t", "d"), "5ea1", tables)


def test_tables_of_several_sizes_are_played_on_their_days_by_those_who_were_there():
    announced, *events = imported(*TABLES)
    assert (announced.parties, announced.smaller_tables, announced.seed) == (((0, 1), (2, 3), (4, 5)), True, "5ea1")
    assert [one.players[0] for one in events if isinstance(one, EntryAccepted) and one.from_round == 2] == ["k"]
    assert [one.absent for one in events if isinstance(one, PresenceChecked)] == [(2, 5, 6, 7, 8, 9, 10)]
    assert [(one.points, one.played_at) for one in events if isinstance(one, ResultEntered)] == [
        (table.points, table.played_at) for table in TABLES
    ]
    assert recorded(announced, *events).ended is not None


def test_equals_of_a_ranking_stand_in_the_order_of_its_places():
    ranking = PastTable(1, "1", "2019-10-05", (("a",), ("b",), ("c",), ("d",)), (7, 9, 9, 7), (3, 2, 1, 3))
    assert [one.entrants for one in imported(ranking) if isinstance(one, StandingsOrdered)] == [(3, 2)]


def test_parties_of_several_sizes_are_refused():
    with refusal("parties_differ", sizes=(1, 2)):
        imported(TABLES[0], PastTable(1, "2", "2019-10-05", (("e",), ("f",)), (1, 2)))


def test_a_withdrawal_takes_every_result_back_once():
    before = recorded(*imported(*TABLES))
    events: list[Any] = withdraw_import(before, None)
    assert len([one for one in events if isinstance(one, ResultWithdrawn)]) == len(TABLES)
    with refusal("tournament_ended"):
        withdraw_import(recorded(*imported(*TABLES), *events), None)
    with refusal("not_imported"):
        withdraw_import(recorded(plan()), None)
