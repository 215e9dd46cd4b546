"""Statistics: confidence intervals by their definitions, bins, and figures that do not depend on the order of observations."""

from collections import Counter
from math import exp, factorial, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.statistics import BINS, Sample, bin_width, count_interval, list_estimates, select_partners, share_interval
from tests.each import each

Z = 1.959964


@given(st.integers(1, 10_000), st.data())
def test_the_bounds_of_a_share_are_the_shares_of_which_it_is_just_within_the_deviation(of: int, data: st.DataObject):
    count = data.draw(st.integers(0, of))
    for bound in share_interval(count, of):
        assert 0 <= bound <= 1
        assert abs(count / of - bound) == pytest.approx(Z * sqrt(bound * (1 - bound) / of), abs=1e-6)


@each("count", [3, 5, 20, 60])
def test_the_bounds_of_a_number_leave_a_fortieth_on_either_side(count: int):
    low, high = count_interval(count)
    assert 1 - poisson(low, count - 1) == pytest.approx(0.025, abs=0.003)
    assert poisson(high, count) == pytest.approx(0.025, abs=0.003)
    assert count_interval(0)[0] == 0


def poisson(mean: float, most: int) -> float:
    return sum(exp(-mean) * mean**number / factorial(number) for number in range(most + 1))


@given(st.integers(-10_000, 10_000), st.integers(0, 100_000))
def test_a_few_bins_of_round_width_cover_all_values(low: int, spread: int):
    width = bin_width(low, low + spread)
    assert str(width).rstrip("0") in ("1", "2", "5")
    assert (low + spread) // width - low // width < BINS + 1


def test_a_mean_has_the_interval_of_its_standard_error_and_the_shares_of_its_bins():
    figures = list(list_estimates(Counter({Sample("hand_moves", (), value): times for value, times in ((10, 3), (14, 1))})))
    mean, *bins = figures
    assert (mean.value, mean.of) == (11, 4)
    assert mean.high == pytest.approx(11 + Z * 2 / sqrt(4), abs=1e-5)
    assert [(one.at_least, one.below, one.count) for one in bins] == [(10, 11, 3), (11, 12, 0), (12, 13, 0), (13, 14, 0), (14, 15, 1)]
    (alone,) = (one for one in list_estimates({Sample("hand_moves", (), 5): 1}) if one.at_least is None)
    assert (alone.value, alone.low, alone.high) == (5, None, None)


def test_games_apart_are_those_of_either_partner_without_the_other():
    observed = Counter(
        {
            Sample("partners_together", ("anna", "ben"), 1): 3,
            Sample("partners_together", ("anna", "cleo"), 0): 2,
            Sample("partners_apart", ("anna",), 1): 3,
            Sample("partners_apart", ("anna",), 0): 2,
            Sample("partners_apart", ("ben",), 1): 3,
            Sample("partners_apart", ("cleo",), 0): 2,
        }
    )
    told = {(one.figure, one.group): (one.count, one.of) for one in list_estimates(select_partners(observed))}
    assert told == {
        ("partners_together", ("anna", "ben")): (3, 3),
        ("partners_together", ("anna", "cleo")): (0, 2),
        ("partners_apart", ("anna", "ben")): (0, 2),
        ("partners_apart", ("anna", "cleo")): (3, 3),
    }
