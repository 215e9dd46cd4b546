"""Dice as they are promised and typed."""

import pytest

from domain.errors import Refused
from domain.shuffling import are_dice, check_dice, check_promise
from tests.domain.tournament.recorded import refusal
from tests.each import each


@each("text", ["", " 1", "1 ", "1  2", "7", "0", "12", "1,2", "1\n2", "1 2\n", "٣ 1", "heads", "1 2 c"])
def test_nothing_but_dice_is_typed(text: str):
    assert not are_dice(text)
    with pytest.raises(Refused, match=r"^dice_form$"):
        check_dice(text, 8)


def test_enough_are_promised_or_none_and_all_of_them_are_typed():
    for enough in (0, 8, 40):
        check_promise(enough)
    for other in (-1, 1, 7, 41):
        with refusal("dice_promise", least=8, most=40):
            check_promise(other)
    check_dice("6 3 1 1 5 2 4 6", 8)
    with refusal("dice_number", dice=9, thrown=8):
        check_dice("6 3 1 1 5 2 4 6", 9)
