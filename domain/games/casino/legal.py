"""Every distinct play, one at a time and always in the same order.

Two plays are the same if they do the same to the game: a trail by its card; a capture by the card, the loose cards and the builds
taken; a new build by the card, the value and the loose cards used; a raise or an addition by the card, the build and the loose
cards used. In which groups the same cards are named makes no difference (and whether a build ends up single or multiple follows
from its cards and its value), so one grouping stands for all.
"""

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property, reduce
from itertools import combinations
from operator import or_
from typing import cast

from msgspec import Struct

from domain.cards import HIDDEN, Card, Seat, without
from domain.games.casino.loose import Bits, Loose, parted
from domain.games.casino.options import Options
from domain.games.casino.table import Build, CasinoTable
from domain.games.casino.values import BOTH_OF_AN_ACE, HIGH_ACE, VALUES, Groups, Values
from domain.rules import Move

KINDS = ("trail", "capture", "build", "raise", "add")


class Asked(Struct, frozen=True):
    """Which of the legal moves are asked for: those that play one of the ``cards`` and use no loose cards but those of the ``board``, and
    ``whole``: all of those; new builds and raises to this ``value`` only, where one is given.
    """

    cards: Sequence[Card]
    board: Sequence[Card]
    kinds: Collection[str] = KINDS
    value: int | None = None
    whole: bool = False


def legal_moves(options: Options, table: CasinoTable, seat: Seat) -> Iterator[Move]:
    """Trails first, so that there is an answer at once; then captures, new builds, raises and additions, card by card."""
    return narrowed(options, table, seat, Asked(playable(table, seat), table.board))


def playable(table: CasinoTable, seat: Seat) -> tuple[Card, ...]:
    """The cards that the seat may hold: one of its hand without a face may be any that it does not see (COM-76)."""
    return (*table.known_hand(seat), *table.pool_for(table.hand(seat)))


def narrowed(options: Options, table: CasinoTable, seat: Seat, asked: Asked) -> Iterator[Move]:
    values, owned = VALUES[options.variant], table.owned(seat)
    hand = table.hand(seat)
    if not owned and "trail" in asked.kinds and not (asked.whole and asked.board):
        for card in asked.cards:
            yield {"type": "trail", "card": card}
    loose = Loose(values, asked.board, playable(table, seat), whole=asked.whole)
    lefts: dict[str, _Left] = {}
    plays: list[_Play] = []
    captured: dict[str, list[Move]] = {}
    built: dict[str, list[Move]] = {}
    for card in asked.cards:  # made one by one: without a face in the hand there are many, and most callers want the first moves
        # Of an unknown card it makes no difference which of its rank it is.
        left = _left_of(values, table, hand, card) if card in hand else lefts.get(card[0])
        if left is None:
            left = lefts[card[0]] = _left_of(values, table, hand, card)
        play = _Play(values, table, loose, owned, card, left)
        plays.append(play)
        if "capture" in asked.kinds:
            captures = play.picture_captures() if values.is_picture(card) else play.captures()
            yield from captures if card in hand else _alike(captured, card, captures)
    for play in plays:
        if not values.is_picture(play.card):
            builds = play.builds(asked)
            yield from builds if play.card in hand else _alike(built, play.card, builds)


def largest_capture(options: Options, table: CasinoTable, seat: Seat, card: Card) -> Move | None:
    """The capture that holds all others with this card, if there is one."""
    values = VALUES[options.variant]
    loose, left = Loose(values, table.board, (card,)), _left_of(values, table, table.hand(seat), card)
    play = _Play(values, table, loose, table.owned(seat), card, left)
    if not values.is_picture(card):
        return play.largest_capture()
    captures = list(play.picture_captures())
    return captures[0] if len(captures) == 1 else None


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


def _left_of(values: Values, table: CasinoTable, hand: tuple[Card, ...], card: Card) -> _Left:
    if card in hand:
        return _Left(values, table, hand, card, ())
    return _Left(values, table, hand, HIDDEN, values.captures[card])


class _Play:
    """What can be done with one card of the hand."""

    __slots__ = ("card", "left", "loose", "owned", "table", "values")

    def __init__(self, values: Values, table: CasinoTable, loose: Loose, owned: list[Build], card: Card, left: _Left) -> None:
        self.values = values
        self.table = table
        self.loose = loose
        self.owned = owned
        self.card = card
        self.left = left

    def picture_captures(self) -> Iterator[Move]:
        if self._covered(set()):
            for other in self.loose.of_rank(self.card):
                yield {"type": "capture", "card": self.card, "groups": ((other,),), "builds": ()}

    def captures(self) -> Iterator[Move]:
        for value in self.values.captures[self.card]:
            choices = [builds for builds in self._build_choices(value) if self._covered(set(), builds)]
            for _, groups in self.loose.sets([0], self.loose.groups(value)) if choices else ():
                # Aces alone were listed for the value 1 already.
                again = value == HIGH_ACE and value != self.values.worth[self.card] and set(groups) <= set(self.loose.aces)
                for builds in choices:
                    if builds or (groups and not again):
                        yield self._capture(groups, builds)

    def largest_capture(self) -> Move | None:
        """Of each value all that can be taken with it, if that holds what can be taken with the other."""
        most = [(reduce(or_, self.loose.groups(value), 0), self._builds_of(value), value) for value in self.values.captures[self.card]]
        most = [(cards, builds, value) for cards, builds, value in most if (cards or builds) and self._covered(set(), builds)]
        for cards, builds, value in most:
            if all(not others & ~cards and set(besides) <= set(builds) for others, besides, _ in most):
                groups = parted(cards, self.loose.groups(value))
                return None if groups is None else self._capture(groups, builds)
        return None

    def _build_choices(self, value: int) -> Iterator[tuple[int, ...]]:
        fitting = self._builds_of(value)
        for number in range(len(fitting) + 1):
            yield from combinations(fitting, number)

    def _builds_of(self, value: int) -> tuple[int, ...]:
        return tuple(build.id for build in self.table.builds.values() if build.value == value)

    def _capture(self, groups: Sequence[Bits], builds: tuple[int, ...]) -> Move:
        return {"type": "capture", "card": self.card, "groups": self._named(groups), "builds": builds}

    def builds(self, asked: Asked) -> Iterator[Move]:
        if "build" in asked.kinds:
            yield from self._new_builds(asked.value)
        if "raise" in asked.kinds:
            yield from self._raises(asked.value)
        if "add" in asked.kinds:
            yield from self._additions()

    def _new_builds(self, announced: int | None) -> Iterator[Move]:
        for value in sorted(self.left.reach if announced is None else self.left.reach & {announced}):
            partners = self.loose.partners(self.card, value)
            if partners and self._covered({value}):
                for start, groups in self.loose.sets(partners, self.loose.groups(value)):
                    if start or groups:
                        yield {"type": "build", "card": self.card, "value": value, "groups": self._with_card(start, groups)}

    def _raises(self, announced: int | None) -> Iterator[Move]:
        for build in self.table.builds.values():
            value = build.value + self.values.worth[self.card]
            if announced in (None, value) and build.kind == "single" and self._covered({value}, (build.id,)):
                for _, groups in self.loose.sets([0], self.loose.groups(value)):
                    yield {"type": "raise", "card": self.card, "build": build.id, "value": value, "groups": self._named(groups)}

    def _additions(self) -> Iterator[Move]:
        for build in self.table.builds.values():
            if self._covered({build.value}, (build.id,)):
                for start, groups in self.loose.sets(self.loose.partners(self.card, build.value), self.loose.groups(build.value)):
                    yield {"type": "add", "card": self.card, "build": build.id, "groups": self._with_card(start, groups)}

    def _covered(self, wanted: set[int], besides: Sequence[int] = ()) -> bool:
        """Whether the cards left can stand for the wanted values and all builds owned, but for those named."""
        values = wanted | {build.value for build in self.owned if build.id not in besides} if self.owned else wanted
        return not values or self.left.cover(values)

    def _named(self, groups: Sequence[Bits]) -> Groups:
        return tuple(self.loose.named(bits) for bits in groups)

    def _with_card(self, start: Bits, groups: Sequence[Bits]) -> Groups:
        return ((self.card, *self.loose.named(start)), *self._named(groups))
