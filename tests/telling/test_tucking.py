"""COM-77 for the Trumpfspiel where winners tuck cards under their stacks in any order (QTR-32)."""

from itertools import cycle, islice

import pytest

from tests.domain.games.setups import TRIED, SetUp
from tests.telling.law import PARTS, Part, it_goes_as_it_went
from tests.telling.tucking import TRUMPF, play_with_free_tucks

_STEPS = 75  # `./run law` plays all set-ups, and more of the games that are longer

SAMPLE: dict[str, tuple[SetUp, Part]] = {
    f"{set_up}, {part} known": (set_up, part) for set_up, part in zip(TRIED[TRUMPF]().set_ups[::2], cycle(PARTS), strict=False)
}


@pytest.mark.parametrize("name", SAMPLE, ids=str)
def test_a_hand_goes_as_it_went_however_winners_tuck(name: str):  # COM-77
    set_up, part = SAMPLE[name]
    breaches = it_goes_as_it_went(play_with_free_tucks(set_up._replace(longest=_STEPS), name), part)
    assert list(islice(breaches, 3)) == []
