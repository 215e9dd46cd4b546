"""Meaning of a line without told cards: the moves that its cuts fit, or the refusal by the rules (NOT-3 to NOT-8)."""

from collections.abc import Hashable, Iterable, Iterator

from msgspec import Struct

from domain.errors import Refused
from domain.notation.matching import match_moves
from domain.notation.syntax import Meaning, MoveContext
from domain.notation.tokenizer import MOST_CUTS, cuts
from domain.notation.units import Cut, Move, SignUnit

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
