"""Reading of a typed line: it becomes a move, a question, or a refusal by the rules (NOT-1 to NOT-8, NOT-14 to NOT-16)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import reduce
from operator import and_

from msgspec.structs import replace

from domain.cards import Seat
from domain.notation.card_names import list_with_codes
from domain.notation.known_faces import merge_parts, of_hands, split_line
from domain.notation.letters import CardUnit, Move, blank_commas, blank_stop, blank_sums, replace_words
from domain.notation.meaning import meaning_of, read_literal_move
from domain.notation.reading_types import Ambiguous, IllegalReading, Incomplete, MoveReading, Option, Reading, Tells, Unreadable
from domain.notation.syntax import MoveContext, Notation, NotationRulebook
from domain.notation.tokenizer import NameNotClear, NotReadable
from domain.notation.writing import notation_of, write_move
from domain.table import Table
from domain.texts import render, say

MOST_OPTIONS = 50
"""The most moves that an answer lists."""


LONGEST_LINE = 300
"""The most letters of a line; twice as many as the longest necessary line."""


def read(rulebook: NotationRulebook, table: Table, seat: Seat, line: str, language: str) -> Reading:
    """Return the reading of the line for the seat, which should be one that may act.

    ``table`` is the whole table: the moves come from what the seat sees of it, but the rules cannot be asked on a masked one. The answer
    may be shown to callers who may see the hand of the seat and ask for reasons (a player for their own seat, the recorder): the caller
    decides that.

    Raises ``NoNotation`` for a game without a grammar.
    """
    return _Line(notation_of(rulebook), table, seat, line.partition(";")[0].rstrip(), language).reading()


class _Line:
    """One line that is read."""

    def __init__(self, notation: Notation, table: Table, seat: Seat, line: str, language: str) -> None:
        self.notation, self.table, self.seat = notation, table, seat
        self.line, self.language = line, language

    def reading(self) -> Reading:
        if len(self.line) > LONGEST_LINE:
            return _unreadable(self.line, LONGEST_LINE, self.language)
        found: list[Reading] = []
        unreadable: list[NotReadable] = []
        for text in self._texts(found):
            try:
                found.append(self._read(text))
            except NotReadable as failed:
                unreadable.append(failed)
        if found:
            return next(filter(_is_move, found), found[0])
        worst = max(unreadable, key=lambda failed: (isinstance(failed, NameNotClear), failed.at))
        return (
            _build_incomplete(worst, self.language) if isinstance(worst, NameNotClear) else _unreadable(self.line, worst.at, self.language)
        )

    def _texts(self, found: Sequence[Reading]) -> Iterator[str]:
        """Yield the line as it stands, then with letters for words as long as it is no legal move, then without ``+`` between cards where
        nothing else gives it a meaning.
        """
        typed = blank_stop(self.line)
        line = blank_commas(typed)
        yield line
        spelled = line if any(map(_is_move, found)) else blank_commas(replace_words(typed, self.notation.words(self.language)))
        if spelled != line:
            yield spelled
        if not found and (cards := blank_sums(spelled)) != spelled:
            yield cards

    def _read(self, line: str) -> Reading:
        """Read the line in letters and signs. Raises ``NotReadable``."""
        move, parts = split_line(self.notation, line, self.language)
        told = of_hands(parts)
        if parts and not move.strip() and all(part.seat is not None for part in parts):
            return Tells(told)
        situation = MoveContext(self.notation, self.table, self.seat, told)
        found = self._move(situation, move)
        return replace(found, told=merge_parts(situation, found.move, parts)) if isinstance(found, MoveReading) and parts else found

    def _move(self, situation: MoveContext, line: str) -> Reading:
        meaning, language = meaning_of(situation, line, self.language), self.language
        meant = meaning.meant
        exact = [move for move in meant if write_move(situation.notation, move, language) == line.strip()]
        if exact or (len(meant) == 1 and meaning.sure):
            move = (exact or meant)[0]
            return _make_single(situation, move, tuple(other for other in (*meant, *meaning.longer) if other is not move), language)
        if meant:
            return _make_ambiguous(situation, meant if len(meant) > 1 else (*meant, *meaning.longer), language)
        return _nothing(situation, line, meaning.longer, language)


def _is_move(found: Reading) -> bool:
    return isinstance(found, MoveReading | Tells | Ambiguous)


def _make_single(situation: MoveContext, move: Move, longer: tuple[Move, ...], language: str) -> MoveReading:
    return MoveReading(move, write_move(situation.notation, move, language), situation.told, _options(situation, longer, language))


def _make_ambiguous(situation: MoveContext, moves: tuple[Move, ...], language: str) -> Ambiguous:
    options = _options(situation, moves, language)
    lines = _cards_that_differ(situation, moves[:MOST_OPTIONS], language) or tuple(option.written for option in options)
    return Ambiguous(options, render(say("notation.ambiguous", lines=lines), language), situation.told)


def _cards_that_differ(situation: MoveContext, moves: tuple[Move, ...], language: str) -> tuple[str, ...]:
    """Return the cards alone, where nothing else differs: 9♣ or 9♦?"""
    spelled = [situation.notation.units(move) for move in moves]
    if len({tuple(unit for unit in units if not isinstance(unit, CardUnit)) for units in spelled}) != 1:
        return ()
    cards = [Counter(unit.card for unit in units if isinstance(unit, CardUnit)) for units in spelled]
    common = reduce(and_, cards)
    if not all(some - common for some in cards):
        return ()
    return tuple(" ".join(situation.notation.called(card, language) for card in (some - common).elements()) for some in cards)


def _nothing(situation: MoveContext, line: str, longer: tuple[Move, ...], language: str) -> Reading:
    """Return the reading of a line that fits no legal move: what is missing, or the refusal (NOT-8). Raises ``NotReadable``."""
    options = _options(situation, longer, language)
    if not line.strip() or (line.strip() == "." and "." not in situation.notation.grammar.signs):
        return Incomplete(options, render(say("notation.nothing_typed") if options else say("notation.no_move"), language))
    said = read_literal_move(situation, line, language)
    if isinstance(said, int):
        if options:
            return Incomplete(options, render(say("notation.more"), language))
        raise NotReadable(said)
    if said.refused is None:
        return Incomplete(options, render(say("notation.more"), language)) if options else _make_single(situation, said.move, (), language)
    says = situation.notation.sentence(said.refused, language)
    if options or said.refused.code in situation.notation.grammar.cured:
        return Incomplete(options, says, said.refused)
    return IllegalReading(said.refused, f"{says} ({', '.join(said.refused.rules)})", said.move)


def _build_incomplete(unclear: NameNotClear, language: str) -> Incomplete:
    return Incomplete((), render(say("notation.name", text=unclear.text, names=list_with_codes(unclear.named)), language))


def _unreadable(line: str, at: int, language: str) -> Unreadable:
    sign = line[at : at + 1]
    return Unreadable(at, render(say("notation.unreadable", sign=sign) if sign else say("notation.more"), language))


def _options(situation: MoveContext, moves: tuple[Move, ...], language: str) -> tuple[Option, ...]:
    return tuple(Option(move, write_move(situation.notation, move, language)) for move in moves[:MOST_OPTIONS])
