"""Entrants who stand equal are ordered by the director, such as after a play-off."""

import pytest

from domain.errors import Unknown
from domain.events.base import TextRef
from domain.events.tournament import ResultEntered, StandingsOrdered
from domain.standings.plan import Bye
from domain.standings.standings import standings
from domain.tournament.ranking import order_tied
from domain.tournament.tournament import Tournament
from tests.domain.tournament.fields import a_plan, duel
from tests.domain.tournament.recorded import entries, paired, recorded, refusal
from tests.each import each

WHY = TextRef("t1", "digest")
DRAWN = [duel(1, 1, 2, 5, 5), duel(1, 3, 4, 7, 7)]


def after_round_1(*events: StandingsOrdered) -> Tournament:
    """One and two have won, five had the bye."""
    results = (ResultEntered(1, "1", (9, 1), None), ResultEntered(1, "2", (8, 3), None))
    return recorded(a_plan("swiss", "wins", "lots", parties=((0,), (1,))), *entries(4), paired(1, (1, 3), (2, 4)), *results, *events)


def test_all_who_share_a_place_before_the_lots_are_ordered():
    assert order_tied(after_round_1(), (2, 1), WHY, ()) == StandingsOrdered((2, 1), WHY)
    for named, equal in (((2, 3), (1, 2)), ((1, 2, 3), (1, 2)), ((1, 1), (1, 2))):
        with refusal("not_equal", entrants=named, equal=equal):
            order_tied(after_round_1(), named, WHY, ())
    with pytest.raises(Unknown):
        order_tied(after_round_1(), (1, 9), WHY, ())


def test_a_later_order_replaces_the_earlier_one():
    once = after_round_1(StandingsOrdered((2, 1), WHY))
    with refusal("ordered_so_already", entrants=(2, 1)):
        order_tied(once, (2, 1), WHY, ())
    assert order_tied(once, (1, 2), WHY, ()) == StandingsOrdered((1, 2), WHY)
    assert after_round_1(StandingsOrdered((2, 1), WHY), StandingsOrdered((1, 2), WHY)).orders == ((1, 2),)


@each("tie_breaks", [("wins",), ("wins", "lots")])
def test_the_standings_follow_it_before_the_lots_and_say_so(tie_breaks):
    lines = standings(a_plan("swiss", *tie_breaks), range(1, 6), DRAWN, [Bye(1, 5)], orders=[(4, 2, 3, 1)])
    assert [(line.place, line.entrant, line.ordered) for line in lines] == [
        (1, 5, False),
        (2, 4, True),
        (3, 2, True),
        (4, 3, True),
        (5, 1, True),
    ]


def test_it_holds_only_while_exactly_these_stand_equal():
    lines = standings(a_plan("swiss", "wins"), range(1, 6), DRAWN, [Bye(1, 5)], orders=[(4, 2, 3), (5, 1)])
    assert [(line.place, line.entrant, line.ordered) for line in lines] == [(1, 5, False), *((2, one, False) for one in (1, 2, 3, 4))]
