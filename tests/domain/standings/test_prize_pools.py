"""Who wins which prize."""

from fractions import Fraction
from typing import Any

from domain.standings.plan import Bye
from domain.standings.prize_pools import PrizePool, share_prize_pools
from domain.standings.standings import standings
from tests.domain.tournament.fields import a_plan, duel

# 5 has the bye and stands first with 3; 1 and 2 share the second place, 3 and 4 the fourth.
ROWS = standings(a_plan(), range(1, 6), [duel(1, 1, 3, 9, 2), duel(1, 2, 4, 9, 2), duel(2, 5, 3, 1, 0)], [Bye(1, 5), Bye(2, 4)])
JUNIORS = {3: "junior", 5: "junior"}


def won(*funds: PrizePool) -> Any:
    return [(one.category, one.place, one.entrant, one.amount) for one in share_prize_pools(funds, ROWS, JUNIORS)]


def test_equal_places_share_the_prizes_of_these_places():
    places = [(row.place, row.entrant) for row in ROWS]
    assert places == [(1, 5), (2, 1), (2, 2), (2, 4), (5, 3)]
    third = Fraction(100, 3)
    assert won(PrizePool(None, (100, 60, 40))) == [(None, 1, 5, 100), (None, 2, 1, third), (None, 2, 2, third), (None, 2, 4, third)]


def test_nobody_wins_twice_so_the_next_of_a_category_does():
    assert won(PrizePool(None, (100,)), PrizePool("junior", (30, 20))) == [(None, 1, 5, 100), ("junior", 1, 3, 30)]
    assert won(PrizePool("junior", (30, 20)), PrizePool(None, (60,)))[:2] == [("junior", 1, 5, 30), ("junior", 2, 3, 20)]
