"""Comparison of a handwritten score sheet with the recorded one, hand by hand and row by row; and signatures of score sheets."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import zip_longest
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import asdict, replace

from domain.errors import InvalidFormatError
from domain.events import Recorded
from domain.events.game import SheetSigned, SignatureWithdrawn
from domain.score import Adjustment, HandSheet, Score, Sheet, sheet, totals
from domain.setup import Setup
from domain.texts import Phrase, say

Numbers: TypeAlias = tuple[int, ...]
"""A number for each party."""


class PaperHand(Struct, frozen=True):
    """A hand on paper. ``hand`` is its number; without numbers the hands that count are those of the sheet, in their order. ``rows``: as
    far as written. ``struck``: crossed out, so that it counts for nothing.
    """

    points: Numbers
    hand: int | None = None
    rows: Mapping[str, Numbers] = {}
    totals: Numbers | None = None
    struck: bool = False


class PaperAdjustment(Struct, frozen=True):
    party: int
    points: int
    hand: int | None = None


class PaperSheet(Struct, frozen=True):
    hands: tuple[PaperHand, ...]
    start_totals: Numbers | None = None
    totals: Numbers | None = None
    adjustments: tuple[PaperAdjustment, ...] = ()


Differing: TypeAlias = Literal[
    "start_totals", "missing_on_paper", "missing_in_record", "struck_on_paper", "struck_in_record", "row", "points", "totals", "adjustments"
]


class Difference(Struct, frozen=True):
    """A difference. ``hand`` is null if it belongs to no hand; ``parties`` are those whose numbers differ, null stands for a missing
    number.
    """

    what: Differing
    hand: int | None
    row: str | None
    parties: tuple[int, ...]
    paper: Numbers | None
    recorded: Numbers | None


def check_paper(sheet: Sheet, paper: PaperSheet) -> None:
    """Raise ``InvalidFormatError``, with the place, if the paper cannot be one of this game."""
    _check_numbers(sheet, paper.start_totals, "start_totals")
    known = tuple(dict.fromkeys((*sheet.rows, *(row for hand in sheet.hands for row in hand.rows))))
    for index, hand in enumerate(paper.hands):
        where = f"hands[{index}]"
        _check_numbers(sheet, hand.points, f"{where}.points")
        for row, numbers in hand.rows.items():
            if row not in known:
                raise _form_error(say("paper.row", row=row, known=known), f"{where}.rows.{row}")
            _check_numbers(sheet, numbers, f"{where}.rows.{row}")
        _check_numbers(sheet, hand.totals, f"{where}.totals")
    _check_numbered(paper.hands)
    _check_numbers(sheet, paper.totals, "totals")
    for index, one in enumerate(paper.adjustments):
        if one.party >= len(sheet.parties):
            raise _form_error(say("no_such_party", party=one.party), f"adjustments[{index}].party")


def _check_numbers(sheet: Sheet, numbers: Numbers | None, where: str) -> None:
    if numbers is not None and len(numbers) != len(sheet.parties):
        raise _form_error(say("paper.numbers", needed=len(sheet.parties), given=len(numbers)), where)


def _check_numbered(hands: Sequence[PaperHand]) -> None:
    """Raise ``InvalidFormatError`` unless either all hands have numbers or none; the number of a hand that counts occurs once."""
    known: set[int] = set()
    for index, one in enumerate(hands):
        if (one.hand is None) != (hands[0].hand is None):
            raise _form_error(say("paper.numbered"), f"hands[{index}].hand")
        if one.hand in known and not one.struck:
            raise _form_error(say("paper.hand_twice", hand=one.hand), f"hands[{index}].hand")
        if one.hand is not None and not one.struck:
            known.add(one.hand)


def _form_error(says: Phrase, where: str) -> InvalidFormatError:
    return InvalidFormatError("malformed_body", says, where)


def differences(sheet: Sheet, paper: PaperSheet) -> Iterator[Difference]:
    """Yield the differences in the order of the sheet. A row or a total that is not written on the paper is not compared; an adjustment
    that is not written is missing.

    ``check_paper`` has accepted the paper.
    """
    yield from _compare_numbers("start_totals", None, paper.start_totals, sheet.start_totals)
    counting, crossed = _by_number(sheet, paper), {one.hand: one for one in paper.hands if one.struck}
    recorded, struck = {one.hand: one for one in sheet.hands}, {one.hand: one for one in sheet.struck or ()}
    written, given = _sum_by_hand(sheet, paper.adjustments), _sum_by_hand(sheet, sheet.adjustments or ())
    for number in sorted(number for number in {*counting, *recorded, *written, *given} if number):
        yield from _of_hand(sheet, number, counting.get(number) or crossed.get(number), recorded.get(number), struck.get(number))
        yield from _adjustments(sheet, number, written, given)
    yield from _adjustments(sheet, None, written, given)
    yield from _compare_numbers("totals", None, paper.totals, sheet.totals)


def _by_number(sheet: Sheet, paper: PaperSheet) -> dict[int, PaperHand]:
    """Return the hands of the paper that count, by the numbers of those on the sheet that they mean."""
    counting = [one for one in paper.hands if not one.struck]
    found: dict[int, PaperHand] = {}
    for one, recorded in zip_longest(counting, sheet.hands[: len(counting)]):
        following = recorded.hand if recorded else max((*found, *(hand.hand for hand in sheet.hands)), default=0) + 1
        found[one.hand or following] = one
    return found


def _of_hand(
    sheet: Sheet, number: int, paper: PaperHand | None, recorded: HandSheet | None, struck: HandSheet | None
) -> Iterator[Difference]:
    if recorded is None:
        if paper is not None and not paper.struck:
            what: Differing = "missing_in_record" if struck is None else "struck_in_record"
            yield _full_difference(sheet, what, number, paper.points, struck.points if struck else None)
    elif paper is None:
        yield _full_difference(sheet, "missing_on_paper", number, None, recorded.points)
    elif paper.struck:
        yield _full_difference(sheet, "struck_on_paper", number, paper.points, recorded.points)
    else:
        for row, numbers in recorded.rows.items():  # a hand known only by its result may lack some rows
            yield from _compare_numbers("row", number, paper.rows.get(row), numbers, row)
        yield from _compare_numbers("points", number, paper.points, recorded.points)
        yield from _compare_numbers("totals", number, paper.totals, recorded.totals)


def _full_difference(sheet: Sheet, what: Differing, number: int, paper: Numbers | None, recorded: Numbers | None) -> Difference:
    return Difference(what, number, None, tuple(range(len(sheet.parties))), paper, recorded)


def _compare_numbers(
    what: Differing, number: int | None, paper: Numbers | None, recorded: Numbers, row: str | None = None
) -> Iterator[Difference]:
    if paper is not None and paper != recorded:
        parties = tuple(party for party, (one, other) in enumerate(zip(paper, recorded, strict=True)) if one != other)
        yield Difference(what, number, row, parties, paper, recorded)


Adjustments: TypeAlias = Mapping[int | None, Numbers]
"""The points that each party was given or lost, by hand."""


def _sum_by_hand(sheet: Sheet, adjustments: Iterable[PaperAdjustment | Adjustment]) -> Adjustments:
    found: dict[int | None, Numbers] = {}
    for one in adjustments:
        before = found.get(one.hand, (0,) * len(sheet.parties))
        found[one.hand] = tuple(points + one.points * (party == one.party) for party, points in enumerate(before))
    return found


def _adjustments(sheet: Sheet, number: int | None, written: Adjustments, given: Adjustments) -> Iterator[Difference]:
    nothing = (0,) * len(sheet.parties)
    yield from _compare_numbers("adjustments", number, written.get(number, nothing), given.get(number, nothing))


# The digest by which a score sheet is signed. Readers of the sheet as JSON can compute it themselves; docs/paper.md says how.


def sheet_digest(sheet: Sheet) -> str:
    """Return the SHA-256, in hexadecimal, of the sheet (COM-40) as canonical JSON (RFC 8785).

    Without the words of reasons: not everybody may read them, and they can be erased; the points that they explain are signed.
    """
    wordless: dict[str, Any] = {"adjustments": _strip_texts(sheet.adjustments), "lifted": _strip_texts(sheet.lifted)}
    return sha256(msgspec.json.encode(replace(sheet, **wordless), order="sorted")).hexdigest()


def _strip_texts(lines: tuple[Adjustment, ...] | UnsetType) -> list[dict[str, Any]] | UnsetType:
    if lines is UNSET:
        return UNSET
    return [{name: value for name, value in asdict(line).items() if name != "reason"} for line in lines]


# Signatures of score sheets, folded from the events. A signed sheet is known by its digest, so the sheet may become the signed one again.
#
# Total like every fold: a signature that cannot have been given (damaged history) is kept as it was recorded.


class Signature(Struct, frozen=True, gc=False):
    """A party signed the sheet as it was at the position ``sheet``, with these ``totals``; ``position`` is that of the event.

    ``changed_at``: the first position since at which the sheet was another, as long as it is not the one that was signed.
    """

    party: int
    position: int
    sheet: int
    digest: str
    totals: tuple[int, ...]
    changed_at: int | None = None


def signatures_after(
    signatures: tuple[Signature, ...], recorded: Recorded, setup: Setup, before: Score, after: Score
) -> tuple[Signature, ...]:
    """Return the signatures after one more event, which led from one score to another."""
    event, position = recorded.event, recorded.position
    if isinstance(event, SheetSigned):
        return (*signatures, Signature(event.party, position, event.position, event.digest, totals(setup, before)))
    if isinstance(event, SignatureWithdrawn):
        return tuple(one for one in signatures if one.position != event.position)
    if not signatures or _on_sheet(before) == _on_sheet(after):
        return signatures
    now = sheet_digest(sheet(setup, after))
    return tuple(replace(one, changed_at=None if one.digest == now else one.changed_at or position) for one in signatures)


def _on_sheet(score: Score) -> Score:
    """Return the score without the hand in progress, which stands on no sheet yet."""
    return replace(score, hand=0, dealer=None, lines=())
