"""Every distinct play, one at a time and always in the same order.

Two plays are the same if they do the same to the game: a trail by its card; a capture by the card, the loose cards and the builds
taken; a new build by the card, the value and the loose cards used; a raise or an addition by the card, the build and the loose
cards used. In which groups the same cards are named makes no difference (and whether a build ends up single or multiple follows
from its cards and its value), so one grouping stands for all.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import reduce
from itertools import chain, combinations
from operator import or_
from typing import cast

from msgspec import Struct

from domain.cards import HIDDEN, Card, Seat
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
    values, known, pool = VALUES[options.variant], table.known_hand(seat), table.pool_for(table.hand(seat))
    plays = _Plays(values, table, seat, Loose(values, table.board, (*known, *pool)))
    return _moves(plays, known, pool, KINDS, None)


def playable(table: CasinoTable, seat: Seat) -> tuple[Card, ...]:
    """The cards that the seat may hold: one of its hand without a face may be any that it does not see (COM-76)."""
    return (*table.known_hand(seat), *table.pool_for(table.hand(seat)))


def narrowed(options: Options, table: CasinoTable, seat: Seat, asked: Asked) -> Iterator[Move]:
    values, hand = VALUES[options.variant], table.hand(seat)
    plays = _Plays(values, table, seat, Loose(values, asked.board, playable(table, seat), whole=asked.whole))
    known, pool = [card for card in asked.cards if card in hand], [card for card in asked.cards if card not in hand]
    kinds = [kind for kind in asked.kinds if kind != "trail"] if asked.whole and asked.board else asked.kinds
    return _moves(plays, known, pool, kinds, asked.value)


def _moves(plays: "_Plays", known: Sequence[Card], pool: Sequence[Card], kinds: Collection[str], value: int | None) -> Iterator[Move]:
    """With the cards known to be held, and with those that may be held."""
    if not plays.owned and "trail" in kinds:
        for card in (*known, *pool):
            yield {"type": "trail", "card": card}
    plays_with_known = [plays.of(card) for card in known]
    if "capture" in kinds:
        for play in plays_with_known:
            yield from play.captures()
        if pool:
            yield from _alike(pool, lambda card: plays.of(card).captures())
    for play in plays_with_known:
        yield from play.builds(kinds, value)
    if pool:
        yield from _alike(pool, lambda card: plays.of(card).builds(kinds, value))


def largest_capture(options: Options, table: CasinoTable, seat: Seat, card: Card) -> Move | None:
    """The capture that holds all others with this card, if there is one."""
    values = VALUES[options.variant]
    return _Plays(values, table, seat, Loose(values, table.board, (card,))).of(card).largest_capture()


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


class _Left:
    """The cards of the hand that are left when one goes, and what they can capture. ``pool`` counts what those without a face may be."""

    __slots__ = ("_covered", "cards", "owned", "pool", "reach", "values")

    def __init__(self, values: Values, cards: Sequence[Card], pool: Mapping[int, int], owned: Sequence[Build]) -> None:
        self.values = values
        self.cards = cards
        self.pool = pool
        self.owned = owned
        self.reach = {value for card in cards if card != HIDDEN for value in values.captures[card]}
        if pool:
            self.reach.update([value for value, number in pool.items() if number])
        self._covered: dict[tuple[int | None, Sequence[int]], bool] = {}

    def covers(self, value: int | None, besides: Sequence[int] = ()) -> bool:
        """Whether they can stand for the value and for all builds owned, but for those named."""
        if not self.owned:
            return value is None or value in self.reach
        key = value, besides
        if key not in self._covered:
            self._covered[key] = self._cover({build.value for build in self.owned if build.id not in besides}, value)
        return self._covered[key]

    def _cover(self, wanted: set[int], value: int | None) -> bool:
        if value is not None:
            wanted.add(value)
        if not wanted <= self.reach:
            return False
        # Different values take different cards, but for those of a royal ace; unknown cards may be too few for all of them.
        return len(wanted) < 2 or (not self.pool and not wanted >= BOTH_OF_AN_ACE) or self.values.cover(self.cards, wanted, self.pool)


class _Plays:
    """What can be done with each card that the hand holds or may hold."""

    def __init__(self, values: Values, table: CasinoTable, seat: Seat, loose: Loose) -> None:
        self.values = values
        self.table = table
        self.hand = table.hand(seat)
        self.owned = table.owned(seat)
        self.loose = loose
        self.built = table.built()
        self._plays: dict[str, _Play] = {}
        if HIDDEN in self.hand:
            place = self.hand.index(HIDDEN)
            self._left_of_unknown = self._left(self.hand[:place] + self.hand[place + 1 :])

    def of(self, card: Card) -> "_Play":
        """Of cards that only may be held, it makes no difference which of a rank it is."""
        held = card in self.hand
        name = card if held else card[0]
        if name not in self._plays:
            left = self._left([other for other in self.hand if other != card]) if held else self._without_unknown(card)
            self._plays[name] = _Play(self.values, self.table, self.loose, card, left, self.built)
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

    __slots__ = ("built", "card", "left", "loose", "table", "values")

    def __init__(
        self, values: Values, table: CasinoTable, loose: Loose, card: Card, left: _Left, built: Mapping[int, tuple[int, ...]]
    ) -> None:
        self.built = built
        self.values = values
        self.table = table
        self.loose = loose
        self.card = card
        self.left = left

    def captures(self) -> Iterator[Move]:
        if self.values.is_picture(self.card):
            yield from self._picture_captures()
        for value in self.values.captures[self.card]:
            groups_of_value, fitting = self.loose.groups(value), self.built.get(value, ())
            choices = self._choices(fitting) if groups_of_value or fitting else []
            for _, groups in self.loose.sets([0], groups_of_value) if choices else ():
                # Aces alone were listed for the value 1 already.
                again = value == HIGH_ACE and value != self.values.worth[self.card] and set(groups) <= set(self.loose.aces)
                for builds in choices:
                    if builds or (groups and not again):
                        yield {"type": "capture", "card": self.card, "groups": self._named(groups), "builds": builds}

    def _picture_captures(self) -> Iterator[Move]:
        if self.left.covers(None):
            for other in self.loose.of_rank(self.card):
                yield {"type": "capture", "card": self.card, "groups": ((other,),), "builds": ()}

    def largest_capture(self) -> Move | None:
        """Of each value all that can be taken with it, if that holds what can be taken with the other."""
        if self.values.is_picture(self.card):
            captures = list(self._picture_captures())
            return captures[0] if len(captures) == 1 else None
        most = [(reduce(or_, self.loose.groups(value), 0), self.built.get(value, ()), value) for value in self.values.captures[self.card]]
        most = [(cards, builds, value) for cards, builds, value in most if (cards or builds) and self.left.covers(None, builds)]
        for cards, builds, value in most:
            if all(not others & ~cards and set(besides) <= set(builds) for others, besides, _ in most):
                groups = parted(cards, self.loose.groups(value))
                return None if groups is None else {"type": "capture", "card": self.card, "groups": self._named(groups), "builds": builds}
        return None

    def _choices(self, fitting: Sequence[int]) -> list[tuple[int, ...]]:
        """Which of the builds can be taken, from none to all, so that the cards left can stand for the others."""
        some = chain.from_iterable([combinations(fitting, number) for number in range(len(fitting) + 1)]) if fitting else ((),)
        return [builds for builds in some if self.left.covers(None, builds)]

    def builds(self, kinds: Collection[str], announced: int | None) -> Iterator[Move]:
        """New ones and raises, to a value if it is announced, and additions."""
        if not self.values.is_picture(self.card):
            if "build" in kinds:
                yield from self._new_builds(announced)
            if "raise" in kinds:
                yield from self._raises(announced)
            if "add" in kinds:
                yield from self._additions()

    def _new_builds(self, announced: int | None) -> Iterator[Move]:
        # Where the builds that the seat owns would stay uncovered, no value has to be tried.
        for value, partners in self.loose.all_partners(self.card).items() if self.left.covers(None) else ():
            if value in self.left.reach and announced in (None, value) and self.left.covers(value):
                for start, groups in self.loose.sets(partners, self.loose.groups(value)):
                    if start or groups:
                        yield {"type": "build", "card": self.card, "value": value, "groups": self._with_card(start, groups)}

    def _raises(self, announced: int | None) -> Iterator[Move]:
        for build in self.table.builds.values():
            value = build.value + self.values.worth[self.card]
            if announced in (None, value) and build.kind == "single" and self.left.covers(value, (build.id,)):
                for _, groups in self.loose.sets([0], self.loose.groups(value)):
                    yield {"type": "raise", "card": self.card, "build": build.id, "value": value, "groups": self._named(groups)}

    def _additions(self) -> Iterator[Move]:
        for build in self.table.builds.values():
            if self.left.covers(build.value, (build.id,)):
                for start, groups in self.loose.sets(self.loose.partners(self.card, build.value), self.loose.groups(build.value)):
                    yield {"type": "add", "card": self.card, "build": build.id, "groups": self._with_card(start, groups)}

    def _named(self, groups: Sequence[Bits]) -> Groups:
        return tuple(self.loose.named(bits) for bits in groups)

    def _with_card(self, start: Bits, groups: Sequence[Bits]) -> Groups:
        return ((self.card, *self.loose.named(start)), *self._named(groups))
