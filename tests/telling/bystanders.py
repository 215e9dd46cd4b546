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


def red_threes(rulebook: Rulebook, step: Step) -> Known:
    """Canasta: the red threes that are laid, of a dealt hand and from the stock; what was turned up before says where the stock begins."""
    moves = [effect for effect in step.effects if isinstance(effect, CardsMoved)]
    known: dict[str, list[Card]] = {}
    for move in moves:
        if step.move is None and move.source.startswith("hand:"):
            known.setdefault(move.source, []).extend(move.cards)
    turned = [place for place, move in enumerate(moves) if move.source == "stock" and move.target == "pile"]
    drawn = [move for move in moves[turned[-1] + 1 if turned else 0 :] if move.source == "stock"]
    laid = [place for place, move in enumerate(drawn) if move.target.startswith("red:")]
    if laid:
        known["stock"] = [move.cards[0] if move.target.startswith("red:") else HIDDEN for move in drawn[: laid[-1] + 1]]
        if turned:
            known["pile"] = [moves[place].cards[0] for place in turned]
    return {zone: tuple(cards) for zone, cards in known.items()}


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
    "canasta": Bystander(red_threes),
    "cascades": Bystander(writes=all_aces_or_none),
    "casino": Bystander(),
    "quartett-classic": Bystander(laid_quartets),
    "quartett-trumpf": Bystander(),
}
"""By ruleset."""
