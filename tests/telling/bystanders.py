"""What somebody who watches a table tells the record of his own accord, for each game: a line a ruleset.

What the record asks for he answers from what everybody has just seen; that needs nothing of the game.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from domain.cards import HIDDEN, Card
from domain.effects import CardsMoved
from domain.rules import Rulebook
from tests.laws import Step

Known: TypeAlias = dict[str, tuple[Card, ...]]
Deck: TypeAlias = tuple[Card, ...]


def nothing(rulebook: Rulebook, step: Step) -> Known:
    return {}


def as_it_lies(rulebook: Rulebook, deck: Deck, known: Deck) -> Deck:
    return known


def all_aces_or_none(rulebook: Rulebook, deck: Deck, known: Deck) -> Deck:
    """Aces that are laid aside are all named or none of them; if none, they are the first cards, whatever lay there (CSC-48)."""
    if rulebook.setup.options["variant"] != "ace":
        return known
    aces = {place for place, card in enumerate(deck) if card.startswith("A-")}
    if known.count(HIDDEN) % 2:
        return tuple(deck[place] if place in aces else card for place, card in enumerate(known))
    return (HIDDEN,) * len(aces) + tuple(card for place, card in enumerate(known) if place not in aces)


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
    """``tells``: of a step of the hand that is fully known, what he tells with it without being asked (a deal among them). ``writes``:
    how he writes down a deck of which he knows a part; most games take any part.
    """

    tells: Callable[[Rulebook, Step], Known] = nothing
    writes: Callable[[Rulebook, Deck, Deck], Deck] = as_it_lies


BYSTANDERS: Mapping[str, Bystander] = {
    "alcasan": Bystander(),
    "cascades": Bystander(writes=all_aces_or_none),
    "casino": Bystander(),
    "quartett-classic": Bystander(laid_quartets),
    "quartett-trumpf": Bystander(),
}
"""By ruleset."""

NOT_YET = frozenset({"canasta"})
"""Rulesets that do not take unknown cards yet: every hand of theirs has its whole deck."""
