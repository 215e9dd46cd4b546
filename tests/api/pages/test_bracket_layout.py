"""Parts of a bracket that fit on a wall."""

from itertools import pairwise

import pytest

from api.pages.tournament_page import BracketColumn, BracketLayout, split_bracket


def bracket(*matches: int) -> BracketLayout:
    """A bracket with as many matches in each of its rounds."""
    regular = all(one == 2 * next for one, next in pairwise(matches))
    columns = [BracketColumn(f"round {n}", [{"match": f"{n}.{place}"} for place in range(count)]) for n, count in enumerate(matches, 1)]
    return BracketLayout(columns, regular, {"match": "third"})


def shown(part: BracketLayout) -> str:
    return " | ".join(" ".join(match["match"] for match in column.matches) for column in part.columns)


@pytest.mark.parametrize(
    ("matches", "parts"),
    [
        ((4, 2, 1), ["1.0 1.1 1.2 1.3 | 2.0 2.1 | 3.0"]),
        ((8, 4, 2, 1), ["1.0 1.1 1.2 1.3 | 2.0 2.1 | 3.0", "1.4 1.5 1.6 1.7 | 2.2 2.3 | 3.1", "3.0 3.1 | 4.0"]),
        ((5, 3, 1), ["2.0 2.1 2.2 | 3.0"]),
    ],
)
def test_a_part_has_four_matches_at_most_and_what_they_lead_to(matches: tuple[int, ...], parts: list[str]):
    found = split_bracket(bracket(*matches))
    assert [shown(part) for part in found] == parts
    assert [part.third_place is not None for part in found] == [False] * (len(parts) - 1) + [True]
