"""Dice as they are promised, thrown and typed: chance that needs no device. Pure; raises ``Refused``."""

import re

from domain.errors import Refused

LEAST_DICE, MOST_DICE = 8, 40
"""Eight dice are 20 bits: more than anybody can try out while the others wait."""

_DICE = re.compile(r"[1-6](?: [1-6])*")


def are_dice(text: str) -> bool:
    """Whether it is throws of a die with single spaces between them: whatever else could be tried out until it pleases."""
    return _DICE.fullmatch(text) is not None


def check_promise(dice: int) -> None:
    """Of none, or of enough."""
    if dice and not LEAST_DICE <= dice <= MOST_DICE:
        raise Refused("dice_promise", least=LEAST_DICE, most=MOST_DICE)


def check_dice(text: str, promised: int) -> None:
    """As many dice as were promised, and nothing else."""
    if not are_dice(text):
        raise Refused("dice_form", dice=promised)
    thrown = len(text.split())
    if thrown != promised:
        raise Refused("dice_number", dice=promised, thrown=thrown)
