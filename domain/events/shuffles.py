"""Events of a fair shuffle, leading to a deck that nobody chose (``domain/shuffling/``). Digests, secrets and chances are hexadecimal."""

from typing import TypeAlias

from domain.cards import Seat
from domain.events.base import EventBase


class ShuffleCommitmentMade(EventBase, frozen=True):
    """``shuffle.committed/1``: the service has made a secret and is bound to it from here on; ``dealer`` will deal with it.

    ``dice``: so many will be thrown at the table and typed, after everything else; 0 for none.
    """

    dealer: Seat
    commitment: str
    dice: int


class ShuffleJoined(EventBase, frozen=True):
    """``shuffle.joined/1``: the device of a seat is bound to a chance of its own."""

    seat: Seat
    commitment: str


class ShuffleOpened(EventBase, frozen=True):
    """``shuffle.opened/1``: the chance of a seat. After the first no further seat can join."""

    seat: Seat
    chance: str


class ShuffleTyped(EventBase, frozen=True):
    """``shuffle.typed/1``: the dice as they were thrown, with single spaces between them."""

    dice: str


class ShuffleRevealed(EventBase, frozen=True):
    """``shuffle.revealed/1``: the secret to which the service was bound at ``position``, once the hand is over, or will not be dealt.

    Viewers see it when the cards of the hand are open to them; until then ``secret`` is null.
    """

    position: int
    secret: str | None


ShuffleEvent: TypeAlias = ShuffleCommitmentMade | ShuffleJoined | ShuffleOpened | ShuffleTyped | ShuffleRevealed

NAMES: dict[type, str] = {
    ShuffleCommitmentMade: "shuffle.committed/1",
    ShuffleJoined: "shuffle.joined/1",
    ShuffleOpened: "shuffle.opened/1",
    ShuffleTyped: "shuffle.typed/1",
    ShuffleRevealed: "shuffle.revealed/1",
}
