"""Scoring of Casino: the points of a hand, and the winner (CNO-60 to CNO-67)."""

from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Struct

from domain.cards import Card
from domain.score import Sheet, places_by

Points: TypeAlias = tuple[int, ...]
"""A number per party."""

Piles: TypeAlias = Sequence[tuple[Card, ...]]
"""The cards won by each party."""

Rows: TypeAlias = dict[str, Points]

_SINGLE_CARDS = {
    "big_casino": ("TD", 2),
    "little_casino": ("2S", 1),
    "ace_spades": ("AS", 1),
    "ace_clubs": ("AC", 1),
    "ace_hearts": ("AH", 1),
    "ace_diamonds": ("AD", 1),
}

ROWS = ("cards", "spades", *_SINGLE_CARDS, "sweeps")
"""The rows of the sheet, in the order in which they are credited (CNO-60)."""


class DecidedHand(Struct, frozen=True):
    """The decision of a hand that brought a party to the target: a winner and the row (or ``total``) that decided, or a tie of parties."""

    by: str
    leaders: tuple[int, ...]

    @property
    def winner(self) -> int | None:
        return self.leaders[0] if len(self.leaders) == 1 else None


def card_counts(piles: Piles) -> Points:
    return tuple(len(pile) for pile in piles)


def count_suit_cards(piles: Piles) -> Points:
    return tuple(sum(card[1] == "S" for card in pile) for pile in piles)


def hand_rows(piles: Piles, sweeps: Sequence[int]) -> Rows:
    """Return the points per party for one hand, in the order of ``ROWS``. Raises nothing: a finished hand can always be scored."""
    rows = {"cards": _most(card_counts(piles), 3), "spades": _most(count_suit_cards(piles), 1)}
    for row, (card, worth) in _SINGLE_CARDS.items():
        rows[row] = tuple(worth * (card in pile) for pile in piles)
    rows["sweeps"] = tuple(sweeps)
    return rows


def _most(numbers: Points, worth: int) -> Points:
    """Return the points for the party with strictly the most; a shared highest number counts for nobody (CNO-61)."""
    highest = max(numbers)
    alone = numbers.count(highest) == 1
    return tuple(worth if alone and number == highest else 0 for number in numbers)


def decide_winner(before: Points, rows: Rows, target: int, *, by_order: bool) -> DecidedHand | None:
    """Return the decision of a hand, if there is one; ``before`` are the totals before the hand.

    A hand that begins with a party at the target comes after a tie: the highest total decides it, also where the order counts (CNO-66).
    """
    if by_order and max(before) < target:
        return _by_order(before, rows, target)
    after = before
    for points in rows.values():
        after = _add_points(after, points)
    return DecidedHand("total", _list_leading_parties(after)) if max(after) >= target else None


def _by_order(before: Points, rows: Rows, target: int) -> DecidedHand | None:
    """Return the decision row by row: the first party to reach the target has won (CNO-65)."""
    running = before
    for row, points in rows.items():
        running = _add_points(running, points)
        if max(running) >= target:
            return DecidedHand(row, _list_leading_parties(running))
    return None


def _list_leading_parties(totals: Points) -> tuple[int, ...]:
    return tuple(party for party, total in enumerate(totals) if total == max(totals))


def _add_points(left: Points, right: Points) -> Points:
    return tuple(a + b for a, b in zip(left, right, strict=True))


def places(totals: Points, winner: int) -> tuple[int, ...]:
    """Return the places: the winner is first; the others follow by their totals, equal ones share a place (CNO-67)."""
    # From place 2 on: by order of counting a party may win with fewer points than another one has.
    others = [total for party, total in enumerate(totals) if party != winner]
    return tuple(1 if party == winner else 2 + sum(other > total for other in others) for party, total in enumerate(totals))


def decide_last_winner(sheet: Sheet, target: int, *, by_order: bool) -> DecidedHand | None:
    """Return the decision of the hand counted last. Points that a ruling gave or took count as if they had been there before it
    (COM-44).
    """
    last = sheet.hands[-1]
    before = tuple(total - points for total, points in zip(sheet.totals, last.points, strict=True))
    return decide_winner(before, last.rows, target, by_order=by_order)


def final_places(sheet: Sheet, target: int, *, by_order: bool) -> tuple[int, ...]:
    """Return the places of a game that is over.

    If after a ruling nobody has the target, or the best share it, the totals decide and equal ones share a place.
    """
    if not sheet.hands:
        return places_by(sheet.totals)
    decided = decide_last_winner(sheet, target, by_order=by_order)
    if decided is None or decided.winner is None:
        return places_by(sheet.totals)
    return places(sheet.totals, decided.winner)
