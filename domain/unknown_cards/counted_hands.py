"""Counted hands told by their worth or by ranks, where the faces of the cards need not be known (CAN-57).

What is told stands in marks of the hand, which only its owner sees: ``ranks``, of which it holds at least these, and ``worth``, the sum of
the values of its cards. The cards stay unknown. Marks hold as long as the hand stays as it is, and until all its faces are known.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from domain.cards import HIDDEN, Card
from domain.checks import refusal
from domain.effects import MarkSet
from domain.errors import Refused
from domain.rules import Codes
from domain.table import Draft, Table, Zone
from domain.texts import say
from domain.unknown_cards.card_values import CardValues, Rank
from domain.unknown_cards.possible_faces import count_unknown_faces
from domain.unknown_cards.support import Zones

Worths: TypeAlias = Mapping[str, int]
"""The worth of hands by zone."""

RANKS, WORTH = "ranks", "worth"
"""The marks."""


class _Hand:
    """The knowledge of one hand. ``more``: ranks that were told beyond the known faces."""

    def __init__(self, zone: Zone, values: CardValues) -> None:
        faces = [card for card in zone.cards if card != HIDDEN]
        self.unknown = len(zone.cards) - len(faces)
        self.known = Counter(values.ranks[card] for card in faces if card in values.ranks)
        self.more = _read_ranks(zone) - self.known
        self.worth = _read_value(zone)
        self._values = values

    @property
    def total(self) -> int | None:
        """The worth of the hand; ``None`` if it was not told."""
        if self.more.total() == self.unknown:
            return self._values.sum(self.known + self.more)
        return self.worth

    def is_possible(self, pool: Counter[Rank]) -> bool:
        """Return whether cards of the pool can make what was told."""
        if self.more.total() > self.unknown or self.more - pool:
            return False
        if self.worth is None:
            return True
        copies: Counter[int] = Counter()
        for rank, number in (pool - self.more).items():
            copies[self._values.value(rank)] += number
        left = self.worth - self._values.sum(self.known + self.more)
        return _can_make(sorted(copies.items(), reverse=True), self.unknown - self.more.total(), left)


def count_hand(zone: Zone, values: CardValues) -> int | None:
    """Return the worth of a hand, from its faces, or as it was told; ``None`` if it is unknown."""
    return _Hand(zone, values).total


def read_hand_values(given: object, codes: Codes, *, is_told: bool) -> Worths:
    """Return the told worth of hands by zone. ``is_told``: whether the game counts hands so. Raises ``Refused``."""
    if not is_told:
        raise refusal(codes, "malformed_move", "COM-71", problem=say("told.no_counted"))
    if not isinstance(given, dict) or not all(isinstance(zone, str) and type(worth) is int for zone, worth in given.items()):
        raise refusal(codes, "malformed_move", "COM-71", problem=say("told.no_worth"))
    return given


def tell_hands(draft: Draft, ranks: Zones, worths: Worths, values: CardValues, deck: Mapping[Card, int]) -> None:
    """Write what is told of hands, which were checked to be there, and lift the marks of those that are known now. Raises ``Refused`` if
    some hand on the table cannot be as it was told, now or before.
    """
    for zone, told in ranks.items():
        before = _read_ranks(draft.table.zones[zone])
        if (after := before | Counter(told)) != before:
            draft.emit(MarkSet(RANKS, tuple(rank for rank in values.order for _ in range(after[rank])), zone))
    for zone, worth in worths.items():
        before_worth = _read_value(draft.table.zones[zone])
        if before_worth not in (None, worth):
            raise _build_refusal(zone)
        if before_worth is None:
            draft.emit(MarkSet(WORTH, worth, zone))
    _check_hands(draft.table, values, deck)
    draft.emit(*_lift(one for one in _list_marked(draft.table) if HIDDEN not in one[1].cards))


def lift_changed(draft: Draft, before: Table) -> None:
    """Lift the marks of hands that are not any more as they were before."""
    draft.emit(*_lift(one for one in _list_marked(draft.table) if before.cards(one[0]) != draft.table.cards(one[0])))


def _lift(marked: Iterable[tuple[str, Zone]]) -> list[MarkSet]:
    return [MarkSet(mark, None, name) for name, zone in marked for mark in (RANKS, WORTH) if mark in zone.marks]


def _list_marked(table: Table) -> list[tuple[str, Zone]]:
    return [(name, zone) for name, zone in table.zones.items() if RANKS in zone.marks or WORTH in zone.marks]


def _check_hands(table: Table, values: CardValues, deck: Mapping[Card, int]) -> None:
    marked = {name: _Hand(zone, values) for name, zone in _list_marked(table)}
    if not marked:
        return
    pool: Counter[Rank] = Counter()
    for card, copies in count_unknown_faces(table, deck).items():
        if card in values.ranks:
            pool[values.ranks[card]] += copies
    taken = sum((hand.more for hand in marked.values()), Counter[Rank]())
    for name, hand in marked.items():
        if not hand.is_possible(pool - (taken - hand.more)):
            raise _build_refusal(name)


def _build_refusal(zone: str) -> Refused:
    return Refused("card_impossible", "COM-71", "CAN-57", zone=zone, card=HIDDEN, problem="count")


def _read_ranks(zone: Zone) -> Counter[Rank]:
    told = zone.marks.get(RANKS)
    return Counter(rank for rank in told if isinstance(rank, str)) if isinstance(told, tuple) else Counter()


def _read_value(zone: Zone) -> int | None:
    told = zone.marks.get(WORTH)
    return told if isinstance(told, int) else None


def _can_make(copies: Sequence[tuple[int, int]], count: int, total: int) -> bool:
    """Return whether so many cards can be worth the total. ``copies``: values and how many cards have them."""
    if len(copies) < 2:
        return count == total == 0 or any(count <= most and count * value == total for value, most in copies)
    (value, most), *others = copies
    return any(_can_make(others, count - number, total - number * value) for number in range(min(most, count) + 1))
