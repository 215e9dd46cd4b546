"""Reported results: validation of a hand of which only the result is known, and its effects (COM-67)."""

from collections.abc import Iterator
from typing import NoReturn

import msgspec
from msgspec import UNSET

from domain.cards import Seat
from domain.checks import find_mismatch, refusal
from domain.effects import Effect, HandClosed, HandOpened, Scored, plain
from domain.events.game import HandResult
from domain.rules import Codes
from domain.score import REPORTED, RESULT
from domain.setup import Setup
from domain.texts import Phrase, say


def read_result(result: object, setup: Setup, codes: Codes) -> HandResult:
    """Return the result, typed: a number per party, rows of the game, which add up. Raises ``Refused`` with ``bad_result``."""
    read = _decode_result(result, codes)
    parties = len(setup.parties)
    if len(read.points) != parties:
        _raise_refusal(codes, say("result.points", parties=parties, given=len(read.points)))
    if read.rows is not UNSET:
        _check_rows(read.rows, read.points, setup, codes)
    return read


def _decode_result(result: object, codes: Codes) -> HandResult:
    try:
        # plain() comes first: a value that no store can hold is refused even if the field would accept it.
        return msgspec.convert(plain(result), HandResult, strict=True)
    except ValueError as error:
        return _raise_refusal(codes, find_mismatch(error, HandResult))


def _check_rows(rows: dict[str, tuple[int, ...]], points: tuple[int, ...], setup: Setup, codes: Codes) -> None:
    parties = len(points)
    for row, numbers in rows.items():
        if row not in setup.rows:
            _raise_refusal(codes, say("result.row", row=row, rows=setup.rows))
        if len(numbers) != parties:
            _raise_refusal(codes, say("result.in_row", row=row, parties=parties, given=len(numbers)))
    for party, number in enumerate(points):
        in_rows = sum(numbers[party] for numbers in rows.values())
        if in_rows != number:
            _raise_refusal(codes, say("result.sum", party=party, sum=in_rows, points=number))


def end_of(result: HandResult, ends: tuple[str, ...], codes: Codes) -> str | None:
    """Return how the hand ended: as it was reported, or as it must have, if there is only one way; ``None`` if it is not known.

    ``ends``: the possible ends of a hand with these points in this game; none: no hand brings them. Raises ``Refused`` with ``bad_result``.
    """
    if not ends:
        _raise_refusal(codes, say("result.impossible", points=result.points))
    if result.end is UNSET:
        return ends[0] if len(ends) == 1 else None
    if result.end not in ends:
        _raise_refusal(codes, say("result.end", end=result.end, ends=ends))
    return result.end


def _raise_refusal(codes: Codes, problem: Phrase) -> NoReturn:
    raise refusal(codes, "bad_result", "COM-67", problem=problem)


# The effects of a reported hand: it clears the table, and writes its result on the sheet.


def effects_of_report(setup: Setup, hand: int, dealer: Seat, result: HandResult, end: str | None) -> Iterator[Effect]:
    """Yield the effects of the whole hand. ``hand`` is its number; ``end``: how it ended, ``None`` if it is not known."""
    yield HandOpened(hand, dealer)
    yield from _lines(setup, result)
    yield HandClosed(REPORTED if end is None else end, {REPORTED: True})


def _lines(setup: Setup, result: HandResult) -> Iterator[Scored]:
    """Yield the rows as they were reported, the others with nothing. Without reported rows the points stand in the one row of the game,
    else in ``result``.
    """
    if result.rows is UNSET:
        yield Scored(setup.rows[0] if len(setup.rows) == 1 else RESULT, result.points)
        return
    nothing = (0,) * len(setup.parties)
    yield from (Scored(row, result.rows.get(row, nothing)) for row in setup.rows)
