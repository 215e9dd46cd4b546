"""Tries to come to a deck, folded from the events of a game. Total like every fold: what damaged history says of no try changes nothing."""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Seat
from domain.errors import Refused
from domain.events.shuffles import (
    ShuffleCommitted,
    ShuffleEvent,
    ShuffleJoined,
    ShuffleOpened,
    ShuffleRevealed,
    ShuffleTyped,
)
from domain.shuffling.decks import TYPED, Chance, who_sits


class Joined(Struct, frozen=True, gc=False):
    """A seat whose device takes part; ``chance`` once it is opened. Both are hexadecimal."""

    seat: Seat
    commitment: str
    chance: str | None = None


class Try(Struct, frozen=True, gc=False):
    """A deck on its way. ``position`` is that of the commitment, ``hand`` the number of the hand that it is for, ``dealt`` the position of
    its deal. ``ended``: it will not be dealt any more. ``secret`` once it was revealed, hexadecimal.
    """

    position: int
    hand: int
    dealer: Seat
    commitment: str
    dice: int
    joined: tuple[Joined, ...] = ()
    typed: str | None = None
    dealt: int | None = None
    ended: bool = False
    revealed_at: int = 0
    secret: str | None = None

    @property
    def pending(self) -> bool:
        return self.dealt is None and not self.ended

    @property
    def closed(self) -> bool:
        """Whether nobody joins any more."""
        return self.typed is not None or any(one.chance is not None for one in self.joined)

    @property
    def missing(self) -> tuple[Seat, ...]:
        """Seats that joined and have not opened their chances."""
        return tuple(one.seat for one in self.joined if one.chance is None)

    @property
    def chances(self) -> tuple[Chance, ...]:
        """Those that go into the seed, in their order. ValueError on damaged history."""
        opened = [(who_sits(one.seat), bytes.fromhex(one.chance)) for one in self.joined if one.chance is not None]
        return (*opened, *(() if self.typed is None else ((TYPED, self.typed.encode()),)))

    def of(self, seat: Seat) -> Joined | None:
        return next((one for one in self.joined if one.seat == seat), None)

    def check_ready(self) -> None:
        """Raises ``Refused`` unless a deck follows from it."""
        if self.missing:
            raise Refused("chances_missing", missing=self.missing)
        if self.dice and self.typed is None:
            raise Refused("dice_missing", dice=self.dice)
        if not self.dice and not self.joined:
            raise Refused("device_needed")


Tries = tuple[Try, ...]
"""Those of a game, in their order. At most the last one is pending."""


def pending(tries: Tries) -> Try | None:
    return tries[-1] if tries and tries[-1].pending else None


def tries_after(tries: Tries, event: ShuffleEvent, position: int, hand: int) -> Tries:
    """``hand``: the number of the hand that would be dealt next."""
    match event:
        case ShuffleCommitted():
            begun = Try(position, hand, event.dealer, event.commitment, event.dice)
            return (*ended(tries), begun)
        case ShuffleRevealed():
            return tuple(
                replace(one, revealed_at=position, secret=event.secret) if one.position == event.position else one for one in tries
            )
        case ShuffleJoined() | ShuffleOpened() | ShuffleTyped():
            now = pending(tries)
            return tries if now is None else (*tries[:-1], _after(now, event))


def _after(now: Try, event: ShuffleJoined | ShuffleOpened | ShuffleTyped) -> Try:
    match event:
        case ShuffleJoined():
            return replace(now, joined=(*now.joined, Joined(event.seat, event.commitment)))
        case ShuffleOpened():
            return replace(now, joined=tuple(replace(one, chance=event.chance) if one.seat == event.seat else one for one in now.joined))
        case ShuffleTyped():
            return replace(now, typed=event.dice)


def dealt(tries: Tries, position: int) -> Tries:
    """After the deal at this position."""
    now = pending(tries)
    return tries if now is None else (*tries[:-1], replace(now, dealt=position))


def ended(tries: Tries, since: int = 0) -> Tries:
    """Without a deal for what is pending, if it began after the position ``since``."""
    now = pending(tries)
    return tries if now is None or now.position <= since else (*tries[:-1], replace(now, ended=True))


class DealCount(Struct, frozen=True):
    """How often the service began a deck for a hand, and the seats that ended a try by not opening what they were bound to."""

    hand: int
    tries: int
    missing: tuple[tuple[Seat, ...], ...]


def counts(tries: Iterable[Try]) -> tuple[DealCount, ...]:
    """By hand."""
    by_hand: dict[int, list[Try]] = {}
    for one in tries:
        by_hand.setdefault(one.hand, []).append(one)
    return tuple(
        DealCount(hand, len(some), tuple(one.missing for one in some if one.ended and one.missing))
        for hand, some in sorted(by_hand.items())
    )
