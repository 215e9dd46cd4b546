"""The matching of few pairs is as good as that of all of them."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from domain.tournament.pairing.minimum_weight import PairWeights, PlaceField, match_places


@st.composite
def fields(data: st.DrawFn) -> PlaceField:
    """Fields with few or many score groups, in which some have met, floated, had a bye, or are due one side."""
    size = data(st.integers(2, 40))

    def each(values: st.SearchStrategy[int]) -> tuple[int, ...]:
        return tuple(data(st.lists(values, min_size=size, max_size=size)))

    steps = each(st.sampled_from([0, 0, 0, 1] if data(st.booleans()) else [0, 1, 1, 1]))
    places = st.integers(0, size - 1)
    met = data(st.lists(st.tuples(places, places), max_size=4 * size))
    if data(st.booleans()):  # a club that is kept apart
        met += combinations(data(st.lists(places, unique=True, min_size=size // 2)), 2)
    return PlaceField(
        group=tuple(sum(steps[1 : place + 1]) for place in range(size)),
        met={(min(pair), max(pair)): 1 for pair in met if pair[0] != pair[1]},
        spared=each(st.sampled_from([0, 0, 0, 1])),
        floated=each(st.sampled_from([0, 0, 1, -1])),
        side=each(st.sampled_from([0, 0, 1, -1])),
    )


@given(fields(), st.integers(1, 4))
def test_a_matching_of_pairs_near_the_fold_costs_as_much_as_that_of_all_pairs(field, near):
    costs = PairWeights(field)
    assert costs.sum(match_places(field, near)) == costs.sum(match_places(field, field.size))


@given(fields(), st.integers(1, 4))
def test_everybody_is_matched_once(field, near):
    pairs = match_places(field, near)
    assert sorted(place for pair in pairs for place in pair if place is not None) == list(range(field.size))


def test_of_two_thirds_who_are_kept_apart_no_more_meet_than_have_to():
    club = [one for one in range(150) if one % 3]
    field = PlaceField((0,) * 150, dict.fromkeys(combinations(club, 2), 1), (0,) * 150, (0,) * 150, (0,) * 150)
    assert PairWeights(field).sum(match_places(field))[:6] == (25, 0, 0, 0, 0, 0)


def test_two_of_one_score_who_are_due_the_same_side_are_parted_where_another_pairing_is_as_good():
    field = PlaceField(group=(0,) * 4, met={}, spared=(0,) * 4, floated=(0,) * 4, side=(1, -1, 1, -1))
    assert sorted(match_places(field)) == [(0, 3), (1, 2)]
