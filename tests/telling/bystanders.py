"""What somebody who watches a table tells the record of his own accord, for each game: a line a ruleset.

What the record asks for he answers from what everybody has just seen; that needs nothing of the game.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from domain.cards import Card
from domain.effects import CardsMoved
from domain.rules import Rulebook
from tests.laws import Step

Known: TypeAlias = dict[str, tuple[Card, ...]]


def nothing(rulebook: Rulebook, step: Step) -> Known:
    return {}


def laid_quartets(rulebook: Rulebook, step: Step) -> Known:
    """Quartett: the cards of whole quartets that were in the hand before; one came by the question itself (QKL-18)."""
    told: Known = {}
    came = {
        card for effect in step.effects if isinstance(effect, CardsMoved) and step.move for card in effect.cards if len(effect.cards) == 1
    }
    for effect in step.effects:
        if isinstance(effect, CardsMoved) and effect.target.startswith("laid:"):
            told[effect.source] = told.get(effect.source, ()) + tuple(card for card in effect.cards if card not in came)
    return told


class Bystander(NamedTuple):
    """``tells``: of a step of the hand that is fully known, what he tells with it without being asked (a deal among them)."""

    tells: Callable[[Rulebook, Step], Known] = nothing


BYSTANDERS: Mapping[str, Bystander] = {
    "casino": Bystander(),
    "quartett-classic": Bystander(laid_quartets),
    "quartett-trumpf": Bystander(),
}
"""By ruleset."""

NOT_YET = frozenset({"alcasan", "canasta", "cascades"})
"""Rulesets that do not take unknown cards yet: every hand of theirs has its whole deck."""
