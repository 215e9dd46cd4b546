"""Nobody is answered otherwise for cards that he may not see: a sample, one reader at each exit. All of them: ``./run evenings``."""

from itertools import islice
from pathlib import Path
from random import Random

import pytest

from tests.access.fair import fair_differences
from tests.access.interference import differences
from tests.access.twins import Otherwise, twins

SAMPLE: list[tuple[str, Otherwise, bool, slice]] = [
    ("casino", "shuffled", False, slice(0, None, 3)),
    ("canasta", "unknown", True, slice(1, None, 3)),
]
"""The pairs share the exits: each asks at every third."""
ONE_READER, LONGEST = 0.01, 7
FOLLOWERS = ("nobody", "player", "arbiter of table 2", "recorder who sees what is public")


@pytest.mark.parametrize(("key", "otherwise", "until", "asked"), SAMPLE)
def test_no_answer_differs_by_a_card_that_the_reader_may_not_see(
    tmp_path: Path, key: str, otherwise: Otherwise, asked: slice, *, until: bool
):
    chance = Random(f"{key} {otherwise} {until}")
    found = twins(key, chance, otherwise, until=until, longest=LONGEST)
    differing = differences(found, tmp_path, chance, share=ONE_READER, followers=FOLLOWERS, asked=asked)
    assert list(islice(differing, 5)) == []


def test_no_answer_differs_by_the_secret_of_a_deck_that_nobody_chose(tmp_path: Path):
    """It is recorded and not told. While the hand is played there is less to tell."""
    found = fair_differences("casino", "over", tmp_path, Random("over"), share=ONE_READER, followers=FOLLOWERS, asked=slice(2, None, 3))
    assert list(islice(found, 5)) == []
