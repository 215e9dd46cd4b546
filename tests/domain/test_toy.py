"""The laws of every game over the smallest one, which has equal copies: that they can be kept, and that they ask nothing else."""

from collections.abc import Callable, Iterator

import pytest

from tests.domain.toy import TOY
from tests.laws import LAWS, Playout, a_deal_that_was_taken_back_is_entered_again, play

KEPT = [law for law in LAWS if law is not a_deal_that_was_taken_back_is_entered_again]
"""It asks for decks with unknown cards, which the smallest game does not take."""


@pytest.mark.parametrize("law", KEPT, ids=lambda law: law.__name__)
def test_the_smallest_game_keeps_every_law(law: Callable[[Playout], Iterator[str]]):
    for seed in range(10):
        playout = play(TOY, TOY.bind({"hands": 3}, 2), str(seed), longest=9)
        assert len(playout.steps) == 9
        assert list(law(playout)) == []
