"""The score sheet of every game (COM-40), folded from effects alone: no rulebook is needed, even years later."""

from collections.abc import Iterable
from operator import add
from typing import Any

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import asdict, replace

from domain.cards import Seat
from domain.effects import Effect, GameClosed, HandClosed, HandOpened, Plain, Scored
from domain.setup import Setup

REPORTED = "reported"
"""The fact that marks a hand of which only the result is known (COM-67)."""

RESULT = "result"
"""The row of a reported hand in a game with several rows, if no rows were reported: it stands in the place of all others."""


class HandSheet(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One finished hand: every row of the game with a number per party, their sum, and the totals after the hand.

    Of a reported hand (``facts.reported``) ``rows`` may hold the one row ``result`` instead.
    """

    hand: int
    dealer: Seat
    end: str
    rows: dict[str, tuple[int, ...]]
    points: tuple[int, ...]
    totals: tuple[int, ...]
    facts: dict[str, Plain]

    @property
    def reported(self) -> bool:
        """Return whether only the result of the hand is known (COM-67)."""
        return self.facts.get(REPORTED) is True


class Adjustment(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Points that an official gave or took, for a hand or for none. ``position`` is that of the event.

    ``reason`` is the id of a text in the register; in responses the text itself stands here.
    """

    position: int
    hand: int | None
    party: int
    points: int
    reason: str | None
    ruling: int | None


class LiftedAdjustment(Adjustment, frozen=True, forbid_unknown_fields=True):
    """An adjustment that counts no more: at position ``lifted_at`` ruling ``lifted_by`` overturned the one that had ordered it."""

    lifted_at: int
    lifted_by: int


class VoidedHand(HandSheet, frozen=True, forbid_unknown_fields=True):
    """A finished hand that was made void at ``position``, by a ruling or because it was stopped, as it had been written."""

    position: int
    ruling: int | None


class Sheet(Struct, frozen=True, gc=False):
    """The score sheet as COM-40 describes it. ``winners`` are the parties with place 1."""

    parties: tuple[tuple[Seat, ...], ...]
    rows: tuple[str, ...]
    start_totals: tuple[int, ...]
    hands: tuple[HandSheet, ...]
    totals: tuple[int, ...]
    finished: bool
    places: tuple[int | None, ...] | None
    winners: tuple[int, ...] | None
    facts: dict[str, Plain]
    adjustments: tuple[Adjustment, ...] | UnsetType = UNSET
    struck: tuple[VoidedHand, ...] | UnsetType = UNSET
    lifted: tuple[LiftedAdjustment, ...] | UnsetType = UNSET


class Score(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """The state of the fold that makes the sheet: finished hands, and the lines of the hand in progress."""

    hand: int = 0
    dealer: Seat | None = None
    lines: tuple[Scored, ...] = ()
    hands: tuple[HandSheet, ...] = ()
    places: tuple[int | None, ...] | None = None
    facts: dict[str, Plain] = {}
    adjustments: tuple[Adjustment, ...] = ()
    struck: tuple[VoidedHand, ...] = ()
    lifted: tuple[LiftedAdjustment, ...] = ()


def sheet(setup: Setup, score: Score) -> Sheet:
    """Return the whole sheet. Raises nothing: a game can be read at any moment."""
    places = score.places
    return Sheet(
        parties=setup.parties,
        rows=setup.rows,
        start_totals=setup.start_totals,
        hands=score.hands,
        totals=totals(setup, score),
        finished=places is not None,
        places=places,
        winners=None if places is None else tuple(party for party, place in enumerate(places) if place == 1),
        facts={**setup.facts, **score.facts},
        adjustments=score.adjustments or UNSET,
        struck=score.struck or UNSET,
        lifted=score.lifted or UNSET,
    )


def totals(setup: Setup, score: Score) -> tuple[int, ...]:
    """Return per party the start totals, the points of the finished hands and the adjustments."""
    # The usual case needs no sum: without adjustments the last hand carries the totals.
    if not score.adjustments:
        return score.hands[-1].totals if score.hands else setup.start_totals
    width = len(setup.parties)
    numbers = setup.start_totals
    for hand in score.hands:
        numbers = _add_points(numbers, hand.points, width)
    return _add_points(numbers, sum_adjustments(score.adjustments, width), width)


def of_closed_hands(score: Score) -> Score:
    """Return the score of a game in progress without the hand in progress, for viewers who see only closed hands."""
    last = score.hands[-1] if score.hands else None
    hand, dealer = (last.hand, last.dealer) if last else (0, None)
    return replace(score, hand=hand, dealer=dealer, lines=(), places=None, facts={})


def sum_adjustments(adjustments: Iterable[Adjustment], width: int) -> tuple[int, ...]:
    """Return the sum of the adjustments of each party. One for a party that does not exist (damaged history) is ignored."""
    numbers = [0] * width
    for one in adjustments:
        if 0 <= one.party < width:
            numbers[one.party] += one.points
    return tuple(numbers)


def adjust_score(score: Score, adjustment: Adjustment, places: tuple[int | None, ...] | None) -> Score:
    """Return the score with the adjustment. ``places`` are the new ones of a game that is over."""
    return replace(score, adjustments=(*score.adjustments, adjustment), places=places or score.places)


def rewind_score(score: Score, restored: Score, position: int, ruling: int | None) -> Score:
    """Return the score after a rewind: ``restored``, with what a rewind does not take back.

    Adjustments stay, except those of hands that are not finished any more. Hands that a ruling took back stay on the sheet, struck out;
    those that the recorder took back were a slip and disappear. A hand that had been stopped and counted for nothing is played again.
    """
    known = {hand.hand for hand in restored.hands}
    adjustments = tuple(one for one in score.adjustments if one.hand is None or one.hand in known)
    gone = () if ruling is None else tuple(hand for hand in score.hands if hand not in restored.hands)
    struck = tuple(one for one in score.struck if one.ruling is not None or one in restored.struck)
    return replace(restored, adjustments=adjustments, struck=(*struck, *_void_hands(gone, position, ruling)), lifted=score.lifted)


def stop_hand(score: Score, position: int) -> Score:
    """Return the score with the last closed hand struck out: it was stopped and counts for nothing (COM-43)."""
    return replace(score, hands=score.hands[:-1], struck=(*score.struck, *_void_hands(score.hands[-1:], position, None)))


def annul_score(score: Score, position: int, ruling: int | None) -> Score:
    """Return the score of an annulled game: every hand is struck out, and nobody has won."""
    return Score(score.hand, score.dealer, struck=(*score.struck, *_void_hands(score.hands, position, ruling)), lifted=score.lifted)


def lift_order(
    score: Score, position: int, order: int, ruling: int, restored: Score | None, places: tuple[int | None, ...] | None
) -> Score:
    """Return the score after an order at the position ``order`` was lifted at ``position``.

    With ``restored``, the score as it was before the order, everything stands as it stood there, except for points that were given or
    lifted since; without, the points of the order are lifted.
    """
    if restored is None:
        gone = (LiftedAdjustment(**asdict(one), lifted_at=position, lifted_by=ruling) for one in score.adjustments if one.position == order)
        kept = tuple(one for one in score.adjustments if one.position != order)
        return replace(score, adjustments=kept, lifted=(*score.lifted, *gone), places=places or score.places)
    former = {one.position for one in score.lifted}
    before = (one for one in restored.adjustments if one.position not in former)
    since = (one for one in score.adjustments if one.position > order)
    return replace(restored, adjustments=(*before, *since), lifted=score.lifted, places=places or restored.places)


def _void_hands(hands: Iterable[HandSheet], position: int, ruling: int | None) -> tuple[VoidedHand, ...]:
    return tuple(
        VoidedHand(hand.hand, hand.dealer, hand.end, hand.rows, hand.points, hand.totals, hand.facts, position, ruling) for hand in hands
    )


def places_by(points: Iterable[int]) -> tuple[int, ...]:
    """Return the places: 1 for the most points; equal parties share the better place, the following ones stay vacant (COM-40)."""
    values = tuple(points)
    return tuple(1 + sum(other > value for other in values) for value in values)


def fold_score(setup: Setup, score: Score, effects: Iterable[Effect]) -> Score:
    """Return the score after the effects; all but the scoring effects are passed over. Total: damaged history raises nothing."""
    for effect in effects:
        step = SCORING.get(type(effect))
        if step is not None:
            score = step(setup, score, effect)
    return score


def _open_hand(setup: Setup, score: Score, effect: HandOpened) -> Score:
    # A redealt hand overwrites its number: a hand that a rewind made void must not be counted twice.
    kept = tuple(hand for hand in score.hands if hand.hand < effect.hand)
    return Score(effect.hand, effect.dealer, (), kept, None, {}, score.adjustments, score.struck, score.lifted)


def _add_line(setup: Setup, score: Score, effect: Scored) -> Score:
    return replace(score, lines=(*score.lines, effect))


def _close_hand(setup: Setup, score: Score, effect: HandClosed) -> Score:
    width = len(setup.parties)
    # Of a reported hand no rows are assumed beyond those that were reported.
    rows: dict[str, tuple[int, ...]] = {} if effect.facts.get(REPORTED) is True else dict.fromkeys(setup.rows, (0,) * width)
    for line in score.lines:
        rows[line.row] = _add_points(rows.get(line.row, ()), line.points, width)
    points = tuple(sum(column) for column in zip(*rows.values(), strict=True)) if rows else (0,) * width
    hand = HandSheet(
        hand=score.hand,
        dealer=score.dealer if score.dealer is not None else 0,
        end=effect.end,
        rows=rows,
        points=points,
        totals=_add_points(totals(setup, score), points, width),
        facts=effect.facts,
    )
    return replace(score, lines=(), hands=(*score.hands, hand))


def _over(setup: Setup, score: Score, effect: GameClosed) -> Score:
    return replace(score, places=effect.places, facts=effect.facts)


def _add_points(left: tuple[int, ...], right: tuple[int, ...], width: int) -> tuple[int, ...]:
    """Return the sums of the first ``width`` numbers; missing ones count as 0, so that damaged lines can be added up too."""
    if len(left) == len(right) == width:
        return tuple(map(add, left, right))
    padded = (*right, *(0,) * width)[:width]
    return tuple(a + b for a, b in zip((*left, *(0,) * width), padded, strict=False))[:width]


SCORING: dict[type, Any] = {HandOpened: _open_hand, Scored: _add_line, HandClosed: _close_hand, GameClosed: _over}
"""The fold step of each effect that writes on the sheet; the table's fold uses the same steps."""
