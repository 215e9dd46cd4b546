"""Meaning of a line without told cards: the moves that its cuts fit, or the refusal by the rules (NOT-3 to NOT-8)."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from domain.cards import Card
from domain.errors import Refused
from domain.notation.letters import CardToken, CardUnit, Cut, Move, NumberToken, NumberUnit, SignToken, SignUnit, Unit, cards_of
from domain.notation.syntax import Meaning, MoveContext
from domain.notation.tokenizer import MOST_CUTS, cuts

# Matching of a cut line to a move: whether it fits, and how much of the move it names (NOT-2, NOT-3).


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


MOST_FIRST = 50
"""The most moves among which the next step is looked for, since a game may have too many to list; also the most cuts that are tried."""


MOST_MEANT = 50
"""The most meanings of a line that are returned."""


class LiteralMove(Struct, frozen=True):
    """The literal move of a line, and its refusal by the rules; ``None`` if it is legal all the same."""

    move: Move
    refused: Refused | None


def meaning_of(situation: MoveContext, line: str, language: str, most: int = MOST_MEANT) -> Meaning:
    """Return the moves that fit; after more than ``most`` no further way to cut the line is tried. Raises ``NotReadable``."""
    if line.strip() in ("", "."):
        return _next_step(situation)
    ways = cuts_of(situation, line, language)
    found = list(_match_cuts(situation, ways, most))
    return Meaning(
        _order_plays(situation, (move for meaning in found for move in meaning.meant)),
        _order_plays(situation, (move for meaning in found for move in meaning.longer)),
        len(ways) < MOST_CUTS and all(meaning.sure for meaning in found),
    )


def _match_cuts(situation: MoveContext, ways: Iterable[Cut], most: int) -> Iterator[Meaning]:
    fit, different = situation.notation.grammar.fitting or match_moves, set[Hashable]()
    for cut in ways:
        meaning = fit(situation, cut)
        yield meaning
        different.update(map(situation.notation.same, meaning.meant))
        if len(different) > most:
            yield Meaning(sure=False)
            return


def cuts_of(situation: MoveContext, line: str, language: str) -> list[Cut]:
    notation = situation.notation
    return cuts(line, notation.cards_by_text(language), notation.grammar, language, notation.names, notation.named_numbers)


def read_literal_move(situation: MoveContext, line: str, language: str) -> LiteralMove | int:
    """Return the literal move of a line that fits nothing; if there is no such move, the place in the line from which on nothing makes
    sense.
    """
    notation, ways = situation.notation, cuts_of(situation, line, language)
    for cut in ways:
        for move in notation.grammar.literal(situation.game_options, situation.table_view, situation.seat, cut):
            return LiteralMove(move, situation.refusal(move))
    return max(_find_error_position(situation, cut) for cut in ways[:MOST_FIRST])


def _find_error_position(situation: MoveContext, cut: Cut) -> int:
    """Return the place up to which the line makes sense as a move."""
    grammar = situation.notation.grammar
    for number in range(len(cut) - 1, 0, -1):
        if any(True for _ in grammar.literal(situation.game_options, situation.table_view, situation.seat, cut[:number])):
            return cut[number].at
    return cut[0].at


def _next_step(situation: MoveContext) -> Meaning:
    """Return the plain next step, or the only legal move (NOT-5); a move that has to be spelled out is never meant so."""
    plain = situation.notation.grammar.plain
    step = next((move for move in situation.first(MOST_FIRST) if move["type"] == plain), None)
    first = (step,) if step else tuple(situation.first(MOST_FIRST))
    if len(first) != 1:
        return Meaning(longer=first)
    stays = any(isinstance(unit, SignUnit) and unit.stays for unit in situation.notation.units(first[0]))
    return Meaning(() if stays else first, first if stays else ())


def _order_plays(situation: MoveContext, moves: Iterable[Move]) -> tuple[Move, ...]:
    """Return each play once, the usual ones first."""
    notation = situation.notation
    order = {kind: place for place, kind in enumerate(notation.grammar.order)}
    once: dict[Hashable, Move] = {}
    for move in moves:
        once.setdefault(notation.same(move), move)
    return tuple(sorted(once.values(), key=lambda move: order.get(str(move["type"]), len(order))))
