"""What a move costs in keys, Enter among them (section "Figures" of ``docs/notation.md``).

*quick*: the first move that is offered is the one, and the empty line is allowed; *strict*: the same, with the played card named unless the
move is the only one or the plain next step; *short* and *full*: as they are written.
"""

from collections.abc import Iterator
from itertools import combinations, product

from msgspec import Struct

from domain.notation.letters import Move
from domain.notation.meaning import meaning_of
from domain.notation.syntax import MoveContext
from domain.notation.tokenizer import NotReadable
from domain.notation.writing import write_move
from tests.notation.short import shorter, shortest, texts_of


class Keys(Struct, frozen=True):
    quick: int
    strict: int
    short: int
    full: int


def keys(situation: MoveContext, move: Move, language: str) -> Keys:
    short = len(shortest(situation, move, language))
    full = len(write_move(situation.notation, move, language))
    lines = {line for line in shorter(situation.notation, move, language) if len(line) < short}
    strict = min((len(line) for line in lines if _is_first(situation, move, line, language)), default=short)
    bare = {line for line in _any_parts(situation, move, language) if len(line) < strict}
    quick = min((len(line) for line in bare if _is_first(situation, move, line, language)), default=strict)
    return Keys(quick + 1, strict + 1, short + 1, full + 1)


def _any_parts(situation: MoveContext, move: Move, language: str) -> Iterator[str]:
    """Lines of at most two parts of the move, also without the played card, each card with as many suits as one likes."""
    alphabet = situation.notation.letters.of(language)
    parts = [texts_of(alphabet, unit, language) for unit in situation.notation.units(move)]
    for number in range(3):
        for some in combinations(parts, number):
            yield from map("".join, product(*some))


def _is_first(situation: MoveContext, move: Move, line: str, language: str) -> bool:
    try:
        meaning = meaning_of(situation, line, language)
    except NotReadable:
        return False
    offered = meaning.meant or meaning.longer
    return bool(offered) and situation.notation.same(offered[0]) == situation.notation.same(move)
