"""Nobody is answered otherwise for cards that he may not see: a sample, one reader at each exit. All of them: ``./run evenings``."""

from itertools import islice
from pathlib import Path
from random import Random

import pytest

from tests.access.fair import fair_differences
from tests.access.interference import differences
from tests.access.twins import Otherwise, twins

SAMPLE: list[tuple[str, Otherwise, bool]] = [("casino", "shuffled", False), ("canasta", "unknown", True)]
ONE_READER, LONGEST = 0.01, 8


@pytest.mark.parametrize(("key", "otherwise", "until"), SAMPLE)
def test_no_answer_differs_by_a_card_that_the_reader_may_not_see(tmp_path: Path, key: str, otherwise: Otherwise, *, until: bool):
    chance = Random(f"{key} {otherwise} {until}")
    found = twins(key, chance, otherwise, until=until, longest=LONGEST)
    assert list(islice(differences(found, tmp_path, chance, share=ONE_READER), 5)) == []


def test_no_answer_differs_by_the_secret_of_a_deck_that_nobody_chose(tmp_path: Path):
    """It is recorded and not told. While the hand is played there is less to tell."""
    assert list(islice(fair_differences("casino", "over", tmp_path, Random("over"), share=ONE_READER), 5)) == []
