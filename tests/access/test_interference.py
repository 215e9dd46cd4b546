"""Nobody is answered otherwise for cards that he may not see. More than this sample: ``python -m tests.access``."""

from itertools import islice
from pathlib import Path
from random import Random

import pytest

from domain.games import RULESETS
from tests.access.fair import Stage, fair_differences
from tests.access.interference import differences
from tests.access.twins import Otherwise, twins

SAMPLE: list[tuple[str, Otherwise, bool]] = [
    (key, ("shuffled", "unknown")[number % 2], bool(number // 2 % 2)) for number, key in enumerate(sorted(RULESETS))
]


@pytest.mark.parametrize(("key", "otherwise", "until"), SAMPLE)
def test_no_answer_differs_by_a_card_that_the_reader_may_not_see(tmp_path: Path, key: str, otherwise: Otherwise, *, until: bool):
    chance = Random(f"{key} {otherwise} {until}")
    found = twins(key, chance, otherwise, until=until)
    assert list(islice(differences(found, tmp_path, chance, share=0.2), 5)) == []


@pytest.mark.parametrize(("key", "stage"), [("casino", "in hand"), ("canasta", "over"), ("quartett-trumpf", "open")])
def test_no_answer_differs_by_the_secret_of_a_deck_that_nobody_chose(tmp_path: Path, key: str, stage: Stage):
    assert list(islice(fair_differences(key, stage, tmp_path, Random(f"{key} {stage}"), share=0.03), 5)) == []
