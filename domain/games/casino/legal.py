"""Every distinct play, one at a time and always in the same order.

Two plays are the same if they do the same to the game: a trail by its card; a capture by the card, the loose cards and the builds
taken; a new build by the card, the value and the loose cards used; a raise or an addition by the card, the build and the loose
cards used. In which groups the same cards are named makes no difference (and whether a build ends up single or multiple follows
from its cards and its value), so one grouping stands for all.

Loose cards are counted in bits: bit *i* is the *i*-th of the loose cards that have a value. The groups that fit are found once
for all values, the sets of groups while they are asked for, from the smaller ones to the larger.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, combinations
from typing import TypeAlias, cast

from domain.cards import HIDDEN, Card, Seat, without
from domain.games.casino.options import Options
from domain.games.casino.table import Build, CasinoTable
from domain.games.casino.values import BOTH_OF_AN_ACE, HIGH_ACE, VALUES, Groups, Values
from domain.rules import Move

_Bits: TypeAlias = int
_Taken: TypeAlias = tuple[_Bits, tuple[_Bits, ...]]
"""The cards that go with the played one, and further groups beside them."""


def legal_moves(options: Options, table: CasinoTable, seat: Seat) -> Iterator[Move]:
    """Trails first, so that there is an answer at once; then captures, new builds, raises and additions, card by card."""
    values, owned = VALUES[options.variant], table.owned(seat)
    hand = table.hand(seat)
    # A card of the own hand without a face may be any that the seat does not see (COM-76).
    cards = (*table.known_hand(seat), *table.pool_for(hand))
    if not owned:
        for card in cards:
            yield {"type": "trail", "card": card}
    loose = _Loose(values, table.board, cards)
    lefts: dict[str, _Left] = {}
    plays: list[_Play] = []
    captured: dict[str, list[Move]] = {}
    built: dict[str, list[Move]] = {}
    for card in cards:  # made one by one: without a face in the hand there are many, and most callers want the first moves
        # Of an unknown card it makes no difference which of its rank it is.
        left = _Left(values, table, hand, card, ()) if card in hand else lefts.get(card[0])
        if left is None:
            left = lefts[card[0]] = _Left(values, table, hand, HIDDEN, values.captures[card])
        play = _Play(values, table, loose, owned, card, left)
        plays.append(play)
        captures = play.picture_captures() if values.is_picture(card) else play.captures()
        yield from captures if card in hand else _alike(captured, card, captures)
    for play in plays:
        if not values.is_picture(play.card):
            builds = chain(play.new_builds(), play.raises(), play.additions())
            yield from builds if play.card in hand else _alike(built, play.card, builds)


def _alike(found: dict[str, list[Move]], card: Card, moves: Iterator[Move]) -> Iterator[Move]:
    """What can be done with unknown cards is worked out for the first of each rank only: the others can do the same."""
    if (rank := card[0]) in found:
        for move in found[rank]:
            yield _played_with(card, move)
        return
    found[rank] = []
    for move in moves:
        found[rank].append(move)
        yield move


def _played_with(card: Card, move: Move) -> Move:
    """In a build and in an addition the played card stands first."""
    if move["type"] not in ("build", "add"):
        return {**move, "card": card}
    first, *others = cast("Groups", move["groups"])
    return {**move, "card": card, "groups": ((card, *first[1:]), *others)}


class _Loose:
    """The loose cards that have a value, and what they add up to."""

    __slots__ = ("aces", "cards", "sums", "values")

    def __init__(self, values: Values, board: Sequence[Card], hand: Sequence[Card]) -> None:
        self.values = values
        self.cards = [card for card in board if card in values.worth]
        self.aces = [1 << place for place, card in enumerate(self.cards) if HIGH_ACE in values.captures[card]]
        highest = max((value for card in hand for value in values.captures[card]), default=0)
        self.sums = self._sums(highest)

    def _sums(self, highest: int) -> list[list[_Bits]]:
        """For each number the sets of cards that add up to it."""
        sums: list[list[_Bits]] = [[0]] + [[] for _ in range(highest)]
        for place, card in enumerate(self.cards):
            worth, bit = self.values.worth[card], 1 << place
            # Downwards, so that a card is not added to a sum that holds it already.
            for total in range(highest - worth, -1, -1):
                if sums[total]:
                    sums[total + worth] += [bits | bit for bits in sums[total]]
        return sums

    def groups(self, value: int) -> list[_Bits]:
        """Every group that makes the value."""
        return self.sums[value] + self.aces if value == HIGH_ACE else self.sums[value]

    def partners(self, card: Card, value: int) -> list[_Bits]:
        """What makes the value together with a card; nothing at all, if the card makes it alone."""
        missing = value - self.values.worth[card]
        alone = [0] if missing and value in self.values.captures[card] else []
        return alone + self.sums[missing] if missing >= 0 else alone

    def named(self, bits: _Bits) -> tuple[Card, ...]:
        return tuple(card for place, card in enumerate(self.cards) if bits >> place & 1)


def _unions(starts: Sequence[_Bits], groups: Sequence[_Bits]) -> Iterator[_Taken]:
    """Every set of cards that is one of the starts and any number of groups beside it, each set once."""
    for start in starts:
        yield start, ()
    layer: list[tuple[_Bits, _Bits, tuple[_Bits, ...]]] = [(start, start, ()) for start in starts] if groups else []
    seen = set(starts)
    while layer:
        larger = []
        for taken, start, beside in layer:
            for group in groups:
                union = taken | group
                # ``seen`` holds unions: the same cards in other groups are the same play.
                if not taken & group and union not in seen:
                    seen.add(union)
                    larger.append((union, start, (*beside, group)))
                    yield start, (*beside, group)
        layer = larger


class _Left:
    """The cards of the hand that are left when one goes, and what they can capture."""

    def __init__(self, values: Values, table: CasinoTable, hand: tuple[Card, ...], going: Card, own: tuple[int, ...]) -> None:
        self.values = values
        self.cards = without(hand, (HIDDEN,)) if going == HIDDEN else tuple(card for card in hand if card != going)
        self.pool = table.may_capture(values, self.cards)
        if going == HIDDEN:
            self.pool = {value: number - (value in own) for value, number in self.pool.items()}

    @cached_property
    def reach(self) -> set[int]:
        """Every value that one of them has or may have."""
        held = {value for card in self.cards for value in self.values.captures.get(card, ())}
        return held | {value for value, number in self.pool.items() if number} if self.pool else held

    def cover(self, wanted: set[int]) -> bool:
        if not wanted <= self.reach:
            return False
        if len(wanted) == 1:
            return True
        # Different values take different cards, but for those of a royal ace; unknown cards may be too few for all of them.
        return (not self.pool and not wanted >= BOTH_OF_AN_ACE) or self.values.cover(self.cards, wanted, self.pool)


class _Play:
    """What can be done with one card of the hand."""

    __slots__ = ("card", "left", "loose", "owned", "table", "values")

    def __init__(self, values: Values, table: CasinoTable, loose: _Loose, owned: list[Build], card: Card, left: _Left) -> None:
        self.values = values
        self.table = table
        self.loose = loose
        self.owned = owned
        self.card = card
        self.left = left

    def picture_captures(self) -> Iterator[Move]:
        if self._covered(set()):
            for other in self.table.board:
                if other[0] == self.card[0]:
                    yield {"type": "capture", "card": self.card, "groups": ((other,),), "builds": ()}

    def captures(self) -> Iterator[Move]:
        for value in self.values.captures[self.card]:
            choices = [builds for builds in self._build_choices(value) if self._covered(set(), builds)]
            for _, groups in _unions([0], self.loose.groups(value)) if choices else ():
                # Aces alone were listed for the value 1 already.
                again = value == HIGH_ACE and value != self.values.worth[self.card] and set(groups) <= set(self.loose.aces)
                for builds in choices:
                    if builds or (groups and not again):
                        yield {"type": "capture", "card": self.card, "groups": self._named(groups), "builds": builds}

    def _build_choices(self, value: int) -> Iterator[tuple[int, ...]]:
        fitting = [build.id for build in self.table.builds.values() if build.value == value]
        for number in range(len(fitting) + 1):
            yield from combinations(fitting, number)

    def new_builds(self) -> Iterator[Move]:
        for value in sorted(self.left.reach):
            partners = self.loose.partners(self.card, value)
            if partners and self._covered({value}):
                for start, groups in _unions(partners, self.loose.groups(value)):
                    if start or groups:
                        yield {"type": "build", "card": self.card, "value": value, "groups": self._with_card(start, groups)}

    def raises(self) -> Iterator[Move]:
        for build in self.table.builds.values():
            value = build.value + self.values.worth[self.card]
            if build.kind == "single" and self._covered({value}, (build.id,)):
                for _, groups in _unions([0], self.loose.groups(value)):
                    yield {"type": "raise", "card": self.card, "build": build.id, "value": value, "groups": self._named(groups)}

    def additions(self) -> Iterator[Move]:
        for build in self.table.builds.values():
            if self._covered({build.value}, (build.id,)):
                for start, groups in _unions(self.loose.partners(self.card, build.value), self.loose.groups(build.value)):
                    yield {"type": "add", "card": self.card, "build": build.id, "groups": self._with_card(start, groups)}

    def _covered(self, wanted: set[int], besides: Sequence[int] = ()) -> bool:
        """Whether the cards left can stand for the wanted values and all builds owned, but for those named."""
        values = wanted | {build.value for build in self.owned if build.id not in besides} if self.owned else wanted
        return not values or self.left.cover(values)

    def _named(self, groups: Sequence[_Bits]) -> Groups:
        return tuple(self.loose.named(bits) for bits in groups)

    def _with_card(self, start: _Bits, groups: Sequence[_Bits]) -> Groups:
        return ((self.card, *self.loose.named(start)), *self._named(groups))
