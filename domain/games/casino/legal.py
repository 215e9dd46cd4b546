"""Enumeration of the legal moves of Casino, one at a time and always in the same order.

Two plays are the same if they do the same to the game: a trail by its card; a capture by the card, the loose cards and the builds taken; a
new build by the card, the value and the loose cards used; a raise or an addition by the card, the build and the loose cards used. The
groups in which the same cards are named make no difference (and whether a build ends up single or multiple follows from its cards and its
value), so one grouping stands for all.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import chain, combinations
from operator import or_
from typing import cast

from msgspec import Struct

from domain.cards import HIDDEN, Card, Seat
from domain.games.casino.card_groups import Bits, CardGroups, split_into_groups
from domain.games.casino.left import Left
from domain.games.casino.options import Options
from domain.games.casino.table import HIGH_ACE, VALUES, CasinoTable, Groups, Values
from domain.rules import Move

KINDS = ("trail", "capture", "build", "raise", "add")


class Asked(Struct, frozen=True):
    """A restriction of the legal moves: to those that play one of the ``cards`` and use no loose cards but those of the ``board``, and with
    ``whole`` all of those; new builds and raises to this ``value`` only, if one is given.
    """

    cards: Sequence[Card]
    board: Sequence[Card]
    kinds: Collection[str] = KINDS
    value: int | None = None
    whole: bool = False


def legal_moves(options: Options, table: CasinoTable, seat: Seat) -> Iterator[Move]:
    """List trails first, so that a first answer is there at once; then captures, new builds, raises and additions, card by card."""
    values, known, pool = VALUES[options.variant], table.visible_hand(seat), table.pool_for(table.hand(seat))
    yield from _trails(table, seat, (*known, *pool))
    yield from _others(
        _Plays(values, table, seat, CardGroups(values, table.board, _find_maximum_value(values, table, seat))), known, pool, KINDS, None
    )


def list_possible_cards(table: CasinoTable, seat: Seat) -> tuple[Card, ...]:
    """Return the cards that the seat may hold: an unknown card of its hand may be any that it does not see (COM-76)."""
    return (*table.visible_hand(seat), *table.pool_for(table.hand(seat)))


def list_narrowed_moves(options: Options, table: CasinoTable, seat: Seat, asked: Asked) -> Iterator[Move]:
    values, hand = VALUES[options.variant], table.hand(seat)
    known, pool = [card for card in asked.cards if card in hand], [card for card in asked.cards if card not in hand]
    if "trail" in asked.kinds and not (asked.whole and asked.board):
        yield from _trails(table, seat, (*known, *pool))
    plays = _Plays(values, table, seat, CardGroups(values, asked.board, _find_maximum_value(values, table, seat), whole=asked.whole))
    yield from _others(plays, known, pool, asked.kinds, asked.value)


def _find_maximum_value(values: Values, table: CasinoTable, seat: Seat) -> int:
    """Return the largest value that a card of the hand captures with, or may."""
    hand = table.hand(seat)
    return max([*[values.highest[card] for card in hand if card != HIDDEN], *table.may_capture(values, hand)], default=0)


def _trails(table: CasinoTable, seat: Seat, cards: Sequence[Card]) -> Iterator[Move]:
    if not table.builds_owned_by(seat):
        for card in cards:
            yield {"type": "trail", "card": card}


def _others(plays: "_Plays", known: Sequence[Card], pool: Sequence[Card], kinds: Collection[str], value: int | None) -> Iterator[Move]:
    """Yield the moves with cards known to be held, and with those that may be held."""
    plays_with_known = [plays.of(card) for card in known]
    if "capture" in kinds:
        for play in plays_with_known:
            yield from play.captures()
        if pool:
            yield from _moves_by_rank(plays.taking(pool), lambda card: plays.of_unknown(card).captures())
    for play in plays_with_known:
        yield from play.builds(kinds, value)
    if pool:
        yield from _moves_by_rank(plays.building(pool), lambda card: plays.of_unknown(card).builds(kinds, value))


def find_maximum_capture(options: Options, table: CasinoTable, seat: Seat, card: Card) -> Move | None:
    """Return the capture that holds all others with this card, if there is one."""
    values = VALUES[options.variant]
    plays = _Plays(values, table, seat, CardGroups(values, table.board, values.highest[card]))
    play = plays.of(card) if card in plays.hand else plays.of_unknown(card)
    return play.find_maximum_capture()


def _moves_by_rank(pool: Iterable[Card], moves_with: Callable[[Card], Iterable[Move]]) -> Iterator[Move]:
    """Yield the moves with unknown cards. They are computed for the first card of each rank only: the others can do the same."""
    found: dict[str, list[Move]] = {}
    for card in pool:
        moves = found.get(card[0])
        if moves is None:
            moves = []
            found[card[0]] = moves
            for move in moves_with(card):
                moves.append(move)
                yield move
        elif moves:
            for move in moves:
                yield _put_card(card, move)


def _put_card(card: Card, move: Move) -> Move:
    """Return the move with another played card. In a build and in an addition the played card stands first."""
    if move["type"] not in ("build", "add"):
        return {**move, "card": card}
    first, *others = cast("Groups", move["groups"])
    return {**move, "card": card, "groups": ((card, *first[1:]), *others)}


class _Plays:
    """The possible plays of each card that the hand holds or may hold."""

    def __init__(self, values: Values, table: CasinoTable, seat: Seat, loose: CardGroups) -> None:
        self.values = values
        self.table = table
        self.hand = table.hand(seat)
        self.owned = table.builds_owned_by(seat)
        self.loose = loose
        self.built = table.builds_by_value()
        self._of_ranks: dict[str, _Play] = {}
        if HIDDEN in self.hand:
            place = self.hand.index(HIDDEN)
            self._left_of_unknown = self._left(self.hand[:place] + self.hand[place + 1 :])  # pyrefly: ignore[possibly-uninitialized-attribute]

    def of(self, card: Card) -> "_Play":
        """Return the plays of a card that is known to be held."""
        return self._play(card, self._left([other for other in self.hand if other != card]))

    def of_unknown(self, card: Card) -> "_Play":
        """Return the plays of a card that may be held. All cards of its rank share them."""
        play = self._of_ranks.get(card[0])
        if play is None:
            play = self._of_ranks[card[0]] = self._play(card, self._without_unknown(card))
        return play

    def building(self, pool: Sequence[Card]) -> list[Card]:
        """Return the cards that can go to builds, if something could be left to capture them with."""
        worth = self.values.worth
        return [card for card in pool if card in worth] if self._left_of_unknown.reach else []

    def taking(self, pool: Sequence[Card]) -> Iterator[Card]:
        """Return the cards that can take anything that lies there: most ranks that are not known to be held cannot, and need no play."""
        ranks = {rank for value in self.built for rank in self.values.ranks.get(value, ())}
        # Where the builds that the seat owns would stay uncovered, one of them has to be taken.
        if self._left_of_unknown.covers(None):
            ranks.update([self.values.ranks[value] for value in self.loose.possible_totals])
            ranks.update([card[0] for card in self.loose.court_cards])
        return (card for card in pool if card[0] in ranks)

    def _play(self, card: Card, left: Left) -> "_Play":
        return _Play(self.values, self.table, self.loose, card, left, self.built)

    def _left(self, cards: Sequence[Card]) -> Left:
        return Left(self.values, cards, self.table.may_capture(self.values, cards), self.owned)

    def _without_unknown(self, card: Card) -> Left:
        left, own = self._left_of_unknown, self.values.captures[card]
        # It makes no difference which card goes, as long as others of its rank could still be held: one, of aces with two values two.
        if not left.pool or not own or left.pool[own[0]] > len(own):
            return left
        pool = {value: number - (value in own) for value, number in left.pool.items() if number > (value in own)}
        return Left(self.values, left.cards, pool, self.owned)


class _Play:
    """The possible plays of one card of the hand."""

    __slots__ = ("built", "card", "left", "loose", "table", "values")

    def __init__(
        self, values: Values, table: CasinoTable, loose: CardGroups, card: Card, left: Left, built: Mapping[int, tuple[int, ...]]
    ) -> None:
        self.built = built
        self.values = values
        self.table = table
        self.loose = loose
        self.card = card
        self.left = left

    def captures(self) -> Iterator[Move]:
        if self.values.is_court_card(self.card):
            yield from self._list_court_captures()
        for value in self.values.captures[self.card]:
            groups_of_value, fitting = self.loose.groups(value), self.built.get(value, ())
            choices = self._choices(fitting) if groups_of_value or fitting else []
            for _, groups in self.loose.sets([0], groups_of_value) if choices else ():
                # Aces alone were listed for the value 1 already.
                again = value == HIGH_ACE and value != self.values.worth[self.card] and set(groups) <= set(self.loose.aces)
                for builds in choices:
                    if builds or (groups and not again):
                        yield {"type": "capture", "card": self.card, "groups": self._name_groups(groups), "builds": builds}

    def _list_court_captures(self) -> Iterator[Move]:
        if self.left.covers(None):
            for other in self.loose.of_rank(self.card):
                yield {"type": "capture", "card": self.card, "groups": ((other,),), "builds": ()}

    def find_maximum_capture(self) -> Move | None:
        """Return for each value all that can be taken with it, if that holds what can be taken with the other."""
        if self.values.is_court_card(self.card):
            captures = list(self._list_court_captures())
            return captures[0] if len(captures) == 1 else None
        most = [(reduce(or_, self.loose.groups(value), 0), self.built.get(value, ()), value) for value in self.values.captures[self.card]]
        most = [(cards, builds, value) for cards, builds, value in most if (cards or builds) and self.left.covers(None, builds)]
        for cards, builds, value in most:
            if all(not others & ~cards and set(besides) <= set(builds) for others, besides, _ in most):
                groups = split_into_groups(cards, self.loose.groups(value))
                return (
                    None
                    if groups is None
                    else {"type": "capture", "card": self.card, "groups": self._name_groups(groups), "builds": builds}
                )
        return None

    def _choices(self, fitting: Sequence[int]) -> list[tuple[int, ...]]:
        """Return the choices of builds that can be taken, from none to all, so that the cards left can stand for the others."""
        if not fitting:
            return [()] if self.left.covers(None) else []
        some = chain.from_iterable([combinations(fitting, number) for number in range(len(fitting) + 1)])
        return [builds for builds in some if self.left.covers(None, builds)]

    def builds(self, kinds: Collection[str], announced: int | None) -> Iterator[Move]:
        """Yield new builds and raises, to a value if it is announced, and additions."""
        if self.left.reach and not self.values.is_court_card(self.card):
            if "build" in kinds and self.left.build_values:
                yield from self._new_builds(announced)
            if self.built and "raise" in kinds:
                yield from self._raises(announced)
            if self.built and "add" in kinds:
                yield from self._list_add_moves()

    def _new_builds(self, announced: int | None) -> Iterator[Move]:
        for value in self.left.build_values:
            partners = self.loose.partners(self.card, value) if announced in (None, value) else ()
            if partners:
                for start, groups in self.loose.sets(partners, self.loose.groups(value)):
                    if start or groups:
                        yield {"type": "build", "card": self.card, "value": value, "groups": self._with_card(start, groups)}

    def _raises(self, announced: int | None) -> Iterator[Move]:
        for build in self.table.builds.values():
            value = build.value + self.values.worth[self.card]
            if value in self.left.reach and announced in (None, value) and build.kind == "single" and self.left.covers(value, (build.id,)):
                for _, groups in self.loose.sets([0], self.loose.groups(value)):
                    yield {"type": "raise", "card": self.card, "build": build.id, "value": value, "groups": self._name_groups(groups)}

    def _list_add_moves(self) -> Iterator[Move]:
        for build in self.table.builds.values():
            if self.left.covers(build.value, (build.id,)):
                partners = self.loose.partners(self.card, build.value)
                for start, groups in self.loose.sets(partners, self.loose.groups(build.value)) if partners else ():
                    yield {"type": "add", "card": self.card, "build": build.id, "groups": self._with_card(start, groups)}

    def _name_groups(self, groups: Sequence[Bits]) -> Groups:
        return tuple(self.loose.cards_of_bits(bits) for bits in groups)

    def _with_card(self, start: Bits, groups: Sequence[Bits]) -> Groups:
        return ((self.card, *self.loose.cards_of_bits(start)), *self._name_groups(groups))
