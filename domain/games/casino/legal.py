"""Every distinct play, one at a time and always in the same order.

Two plays are the same if they do the same to the game: a trail by its card; a capture by the card, the loose cards and the builds
taken; a new build by the card, the value and the loose cards used; a raise or an addition by the card, the build and the loose
cards used. In which groups the same cards are named makes no difference (and whether a build ends up single or multiple follows
from its cards and its value), so one grouping stands for all.

Loose cards are counted in bits: bit *i* is the *i*-th of the loose cards that have a value. The groups that fit are found once
for all values, the sets of groups while they are asked for, from the smaller ones to the larger.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
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
    known = table.known_hand(seat)
    # A card of the own hand without a face may be any that the seat does not see (COM-76).
    pool = table.pool_for(table.hand(seat))
    plays = _Plays(VALUES[options.variant], table, seat, (*known, *pool))
    if not plays.owned:
        for card in (*known, *pool):
            yield {"type": "trail", "card": card}
    plays_with_known = [plays.of(card) for card in known]
    for play in plays_with_known:
        yield from play.captures()
    if pool:
        yield from _alike(pool, lambda card: plays.of(card).captures())
    for play in plays_with_known:
        yield from play.builds()
    if pool:
        yield from _alike(pool, lambda card: plays.of(card).builds())


def _alike(pool: Sequence[Card], moves_with: Callable[[Card], Iterator[Move]]) -> Iterator[Move]:
    """What can be done with unknown cards is worked out for the first of each rank only: the others can do the same."""
    found: dict[str, list[Move]] = {}
    for card in pool:
        if (rank := card[0]) in found:
            for move in found[rank]:
                yield _played_with(card, move)
        else:
            found[rank] = []
            for move in moves_with(card):
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

    __slots__ = ("aces", "cards", "made", "sums", "values")

    def __init__(self, values: Values, board: Sequence[Card], hand: Sequence[Card]) -> None:
        self.values = values
        self.cards = [card for card in board if card in values.worth]
        self.aces = [1 << place for place, card in enumerate(self.cards) if HIGH_ACE in values.captures[card]]
        highest = max((value for card in hand for value in values.captures[card]), default=0)
        self.sums = self._sums(highest)
        self.made = [(total, sets) for total, sets in enumerate(self.sums) if sets]
        """The numbers that some of them add up to, nothing to 0."""

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

    def all_partners(self, card: Card) -> dict[int, list[_Bits]]:
        """The same for each value that can be made with the card, from the smallest."""
        worth = self.values.worth[card]
        partners = {worth + total: sets for total, sets in self.made}
        for value in self.values.captures[card]:
            if value != worth:
                partners[value] = [0, *partners.get(value, ())]
        return partners

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
    """The cards of the hand that are left when one goes, and what they can capture. ``pool`` counts what those without a face may be."""

    __slots__ = ("_covered", "_reach", "cards", "owned", "pool", "values")

    def __init__(self, values: Values, cards: Sequence[Card], pool: Mapping[int, int], owned: Sequence[Build]) -> None:
        self.values = values
        self.cards = cards
        self.pool = pool
        self.owned = owned
        self._reach = {value for card in cards if card != HIDDEN for value in values.captures[card]}
        if pool:
            self._reach.update([value for value, number in pool.items() if number])
        self._covered: dict[tuple[int | None, Sequence[int]], bool] = {}

    def covers(self, value: int | None, besides: Sequence[int] = ()) -> bool:
        """Whether they can stand for the value and for all builds owned, but for those named."""
        if not self.owned:
            return value is None or value in self._reach
        key = value, besides
        if key not in self._covered:
            self._covered[key] = self._cover({build.value for build in self.owned if build.id not in besides}, value)
        return self._covered[key]

    def _cover(self, wanted: set[int], value: int | None) -> bool:
        if value is not None:
            wanted.add(value)
        if not wanted <= self._reach:
            return False
        # Different values take different cards, but for those of a royal ace; unknown cards may be too few for all of them.
        return len(wanted) < 2 or (not self.pool and not wanted >= BOTH_OF_AN_ACE) or self.values.cover(self.cards, wanted, self.pool)


class _Plays:
    """What can be done with each card that the hand holds or may hold."""

    def __init__(self, values: Values, table: CasinoTable, seat: Seat, cards: Sequence[Card]) -> None:
        self.values = values
        self.table = table
        self.hand = table.hand(seat)
        self.owned = table.owned(seat)
        self.loose = _Loose(values, table.board, cards)
        self._plays: dict[str, _Play] = {}
        if HIDDEN in self.hand:
            self._left_of_unknown = self._left(without(self.hand, (HIDDEN,)))

    def of(self, card: Card) -> "_Play":
        """Of cards that only may be held, it makes no difference which of a rank it is."""
        held = card in self.hand
        name = card if held else card[0]
        if name not in self._plays:
            left = self._left([other for other in self.hand if other != card]) if held else self._without_unknown(card)
            self._plays[name] = _Play(self.values, self.table, self.loose, card, left)
        return self._plays[name]

    def _left(self, cards: Sequence[Card]) -> _Left:
        return _Left(self.values, cards, self.table.may_capture(self.values, cards), self.owned)

    def _without_unknown(self, card: Card) -> _Left:
        left, own = self._left_of_unknown, self.values.captures[card]
        # It makes no difference which card goes, as long as others of its rank could still be held: one, of aces with two values two.
        if not left.pool or not own or left.pool[own[0]] > len(own):
            return left
        return _Left(self.values, left.cards, {value: number - (value in own) for value, number in left.pool.items()}, self.owned)


class _Play:
    """What can be done with one card of the hand."""

    __slots__ = ("card", "left", "loose", "table", "values")

    def __init__(self, values: Values, table: CasinoTable, loose: _Loose, card: Card, left: _Left) -> None:
        self.values = values
        self.table = table
        self.loose = loose
        self.card = card
        self.left = left

    def captures(self) -> Iterator[Move]:
        if self.values.is_picture(self.card):
            yield from self._picture_captures()
        for value in self.values.captures[self.card]:
            choices = [builds for builds in self._build_choices(value) if self.left.covers(None, builds)]
            for _, groups in _unions([0], self.loose.groups(value)) if choices else ():
                # Aces alone were listed for the value 1 already.
                again = value == HIGH_ACE and value != self.values.worth[self.card] and set(groups) <= set(self.loose.aces)
                for builds in choices:
                    if builds or (groups and not again):
                        yield {"type": "capture", "card": self.card, "groups": self._named(groups), "builds": builds}

    def _picture_captures(self) -> Iterator[Move]:
        if self.left.covers(None):
            for other in self.table.board:
                if other[0] == self.card[0]:
                    yield {"type": "capture", "card": self.card, "groups": ((other,),), "builds": ()}

    def _build_choices(self, value: int) -> Iterator[tuple[int, ...]]:
        fitting = [build.id for build in self.table.builds.values() if build.value == value]
        for number in range(len(fitting) + 1):
            yield from combinations(fitting, number)

    def builds(self) -> Iterator[Move]:
        """New ones, raises and additions."""
        if not self.values.is_picture(self.card):
            yield from self._new_builds()
            yield from self._raises()
            yield from self._additions()

    def _new_builds(self) -> Iterator[Move]:
        # Where the builds that the seat owns would stay uncovered, no value has to be tried.
        for value, partners in self.loose.all_partners(self.card).items() if self.left.covers(None) else ():
            if self.left.covers(value):
                for start, groups in _unions(partners, self.loose.groups(value)):
                    if start or groups:
                        yield {"type": "build", "card": self.card, "value": value, "groups": self._with_card(start, groups)}

    def _raises(self) -> Iterator[Move]:
        for build in self.table.builds.values():
            value = build.value + self.values.worth[self.card]
            if build.kind == "single" and self.left.covers(value, (build.id,)):
                for _, groups in _unions([0], self.loose.groups(value)):
                    yield {"type": "raise", "card": self.card, "build": build.id, "value": value, "groups": self._named(groups)}

    def _additions(self) -> Iterator[Move]:
        for build in self.table.builds.values():
            if self.left.covers(build.value, (build.id,)):
                for start, groups in _unions(self.loose.partners(self.card, build.value), self.loose.groups(build.value)):
                    yield {"type": "add", "card": self.card, "build": build.id, "groups": self._with_card(start, groups)}

    def _named(self, groups: Sequence[_Bits]) -> Groups:
        return tuple(self.loose.named(bits) for bits in groups)

    def _with_card(self, start: _Bits, groups: Sequence[_Bits]) -> Groups:
        return ((self.card, *self.loose.named(start)), *self._named(groups))
