"""Matching of a cut line to a move: whether it fits, and how much of the move it names (NOT-2, NOT-3)."""

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

from domain.cards import Card
from domain.notation.syntax import Meaning, MoveContext
from domain.notation.units import CardToken, CardUnit, Cut, Move, NumberToken, NumberUnit, SignToken, SignUnit, Unit, cards_of

Fit: TypeAlias = Literal["all", "none", "some"]
"""The share of the cards that a move uses and the line names, beside the played one."""


def match_moves(situation: MoveContext, cut: Cut) -> Meaning:
    """Return the legal moves that fit: those named completely, else those of which no card is named. A part of the cards is not enough."""
    found: dict[Fit, list[Move]] = {"all": [], "none": [], "some": []}
    for move, units in zip(situation.candidate_moves, situation.candidate_units, strict=True) if len(cut) <= situation.longest else ():
        if (how := fit(cut, units)) is not None:
            found[how].append(move)
    meant, *others = (found["all"], found["none"], found["some"]) if found["all"] else (found["none"], found["some"])
    return Meaning(tuple(meant), tuple(move for moves in others for move in moves), situation.all_listed)


def fit(cut: Cut, units: Sequence[Unit]) -> Fit | None:
    """Return how the tokens fit the move that is spelled so; ``None`` if they do not."""
    if not _in_order(cut, units) or not _has_required_signs(cut, units):
        return None
    tokens = cards_of(cut)
    cards = [unit for unit in units if isinstance(unit, CardUnit)]
    played = [unit.card for unit in cards if unit.role == "played"]
    if tokens and played:
        if played[0] not in tokens[0].faces:
            return None
        tokens = tokens[1:]
    used = [unit.card for unit in cards if unit.role != "played"]
    if not can_be(tokens, used):
        return None
    numbers = [unit for unit in units if isinstance(unit, NumberUnit) and unit.role == "used"]
    named = len(tokens) + sum(isinstance(token, NumberToken) for token in cut) if numbers else len(tokens)
    complete = bool(cards_of(cut)) or not played
    if named >= len(used) + len(numbers):
        return "all" if complete else "none"
    return "some" if named else "none"


def _has_required_signs(cut: Cut, units: Sequence[Unit]) -> bool:
    """Return whether the line has the signs that are never left out."""
    typed = [token.sign for token in cut if isinstance(token, SignToken)]
    return all(unit.sign in typed for unit in units if isinstance(unit, SignUnit) and unit.stays)


def _in_order(cut: Cut, units: Sequence[Unit]) -> bool:
    """Return whether the tokens stand among the units in their order; any card may stand for any other."""
    left = iter(units)
    return all(any(_is_same(token, unit) for unit in left) for token in cut)


def _is_same(token: object, unit: Unit) -> bool:
    match token, unit:
        case SignToken(sign=typed), SignUnit(sign=sign):
            return typed == sign
        case NumberToken(number=counted), NumberUnit(number=number):
            return counted == number
        case CardToken(), CardUnit():
            return True
        case _:
            return False


def can_be(tokens: Sequence[CardToken], cards: Iterable[Card]) -> bool:
    """Return whether each token can be a card of its own among these."""
    left = list(cards)
    if len(tokens) > len(left):
        return False
    if not tokens:
        return True
    first, *others = sorted(tokens, key=lambda token: len(token.faces))
    return any(can_be(others, left[:place] + left[place + 1 :]) for place, card in enumerate(left) if card in first.faces)
