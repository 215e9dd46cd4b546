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


class Bystander(NamedTuple):
    """``tells``: of a step of the hand that is fully known, what he tells with it without being asked (a deal among them)."""

    tells: Callable[[Rulebook, Step], Known] = nothing


BYSTANDERS: Mapping[str, Bystander] = {
    "canasta": Bystander(red_threes),
    "casino": Bystander(),
}
"""By ruleset."""

NOT_YET = frozenset({"alcasan", "cascades", "quartett-classic", "quartett-trumpf"})
"""Rulesets that do not take unknown cards yet: every hand of theirs has its whole deck."""
