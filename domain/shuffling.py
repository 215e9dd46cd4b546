"""Fair shuffles by commit and reveal: seeds and decks from a secret and chances, the tries of a game, dice, and the seed of lots. The fold
of tries is total: an event of damaged history that belongs to no try changes nothing.
"""

import hmac
import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import TypeAlias, TypeVar
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Seat
from domain.errors import Refused
from domain.events.shuffles import ShuffleCommitmentMade, ShuffleEvent, ShuffleJoined, ShuffleOpened, ShuffleRevealed, ShuffleTyped

# A deck from a secret and from chances that were given after the secret was fixed. The formats stand in docs/fair-decks.md.
#
# ``+`` joins bytes, numbers are big-endian, text is UTF-8. Pure: secrets and chances are arguments.


CHANCE_LENGTH = 16
"""Bytes."""
TYPED = "typed"
"""The giver of the chance that was thrown at the table."""

DECK = b"kiebitz-deck/1\n"
"""The prefix of commitments and seeds of decks, so that none of them can be taken for one of something else."""
_SECRET, _CHANCE = b"\1", b"\2"  # no commitment to the one can pass for one to the other
_WORD = 1 << 16

Card = TypeVar("Card")
Chance: TypeAlias = tuple[str, bytes]
"""The giver of a chance, and its bytes."""


def commitment_to_secret(secret: bytes, domain: bytes = DECK) -> bytes:
    return sha256(_SECRET + domain + secret).digest()


def commitment_to_chance(who: str, chance: bytes) -> bytes:
    return sha256(_CHANCE + DECK + f"{who}\n".encode() + chance).digest()


def name_of_seat(seat: Seat) -> str:
    """Return the name under which a seat gives its chance."""
    return f"seat:{seat}"


def seed_of(secret: bytes, stream: UUID, position: int, chances: Sequence[Chance]) -> bytes:
    """Return the seed of a deck. ``position`` is that of the commitment, ``chances`` are those of the seats in the order in which they
    joined, typed ones last.
    """
    joined = b"".join(prefix_length(who.encode()) + prefix_length(chance) for who, chance in chances)
    return mac(secret, DECK + stream.bytes + position.to_bytes(8, "big") + len(chances).to_bytes(2, "big") + joined)


def shuffled(seed: bytes, cards: Sequence[Card]) -> tuple[Card, ...]:
    """Return the deck, dealt from index 0 on. Every order is as likely as every other: words that would favour some are skipped (rejection
    sampling).
    """
    deck, words = list(cards), _words(seed)
    for last in range(len(deck) - 1, 0, -1):
        size = last + 1
        other = next(word for word in words if word < _WORD - _WORD % size) % size
        deck[last], deck[other] = deck[other], deck[last]
    return tuple(deck)


def format_commitment(commitment: bytes) -> str:
    """Return a commitment as 40 digits to compare by eye or aloud, five in a group: 132 bits of it."""
    digits = f"{int.from_bytes(commitment, 'big') % 10**40:040}"
    return " ".join(digits[start : start + 5] for start in range(0, 40, 5))


def prefix_length(value: bytes) -> bytes:
    """Return the value with its length before it."""
    return len(value).to_bytes(2, "big") + value


def mac(key: bytes, message: bytes) -> bytes:
    return hmac.new(key, message, sha256).digest()


def _words(seed: bytes) -> Iterator[int]:
    block = 0
    while True:
        made = mac(seed, block.to_bytes(4, "big"))
        yield from (int.from_bytes(made[start : start + 2], "big") for start in range(0, len(made), 2))
        block += 1


class Joined(Struct, frozen=True, gc=False):
    """A seat whose device takes part; ``chance`` once it is opened. Both are hexadecimal."""

    seat: Seat
    commitment: str
    chance: str | None = None


class Try(Struct, frozen=True, gc=False):
    """A deck in preparation. ``position`` is that of the commitment, ``hand`` the number of the hand that it is for, ``dealt`` the position
    of its deal. ``ended``: it will not be dealt any more. ``secret`` once it was revealed, hexadecimal.
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
    def is_closed(self) -> bool:
        """Return whether no further seat can join."""
        return self.typed is not None or any(one.chance is not None for one in self.joined)

    @property
    def missing(self) -> tuple[Seat, ...]:
        """Seats that joined and have not opened their chances."""
        return tuple(one.seat for one in self.joined if one.chance is None)

    @property
    def seed_inputs(self) -> tuple[Chance, ...]:
        """The chances that go into the seed, in their order. Raises ValueError on damaged history."""
        opened = [(name_of_seat(one.seat), bytes.fromhex(one.chance)) for one in self.joined if one.chance is not None]
        return (*opened, *(() if self.typed is None else ((TYPED, self.typed.encode()),)))

    def of(self, seat: Seat) -> Joined | None:
        return next((one for one in self.joined if one.seat == seat), None)

    def check_ready(self) -> None:
        """Raise ``Refused`` unless a deck follows from it."""
        if self.missing:
            raise Refused("chances_missing", missing=self.missing)
        if self.dice and self.typed is None:
            raise Refused("dice_missing", dice=self.dice)
        if not self.dice and not self.joined:
            raise Refused("device_needed")


Tries = tuple[Try, ...]
"""The tries of a game, in their order. At most the last one is pending."""


def pending(tries: Tries) -> Try | None:
    return tries[-1] if tries and tries[-1].pending else None


def attempts_after(tries: Tries, event: ShuffleEvent, position: int, hand: int) -> Tries:
    """Return the tries after the event. ``hand``: the number of the hand that would be dealt next."""
    match event:
        case ShuffleCommitmentMade():
            begun = Try(position, hand, event.dealer, event.commitment, event.dice)
            return (*end_pending(tries), begun)
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
    """Return the tries after the deal at this position."""
    now = pending(tries)
    return tries if now is None else (*tries[:-1], replace(now, dealt=position))


def end_pending(tries: Tries, since: int = 0) -> Tries:
    """Return the tries with the pending one ended, if it began after the position ``since``."""
    now = pending(tries)
    return tries if now is None or now.position <= since else (*tries[:-1], replace(now, ended=True))


class DealCount(Struct, frozen=True):
    """The number of decks that the service began for a hand, and the seats that ended a try by not opening their commitments."""

    hand: int
    tries: int
    missing: tuple[tuple[Seat, ...], ...]


def counts(tries: Iterable[Try]) -> tuple[DealCount, ...]:
    """Return the counts by hand."""
    by_hand: dict[int, list[Try]] = {}
    for one in tries:
        by_hand.setdefault(one.hand, []).append(one)
    return tuple(
        DealCount(hand, len(some), tuple(one.missing for one in some if one.ended and one.missing))
        for hand, some in sorted(by_hand.items())
    )


# Dice as they are promised, thrown and typed: chance that needs no device. Pure; raises ``Refused``.


LEAST_DICE, MOST_DICE = 8, 40
"""Eight dice are 20 bits: more than anybody can try out while the others wait."""

_DICE = re.compile(r"[1-6](?: [1-6])*")


def are_dice(text: str) -> bool:
    """Return whether the text is throws of a die with single spaces between them. A looser form would let somebody vary the text until a
    deck suits them.
    """
    return _DICE.fullmatch(text) is not None


def check_promise(dice: int) -> None:
    """Raise ``Refused`` unless no dice are promised, or enough."""
    if dice and not LEAST_DICE <= dice <= MOST_DICE:
        raise Refused("dice_promise", least=LEAST_DICE, most=MOST_DICE)


def check_dice(text: str, promised: int) -> None:
    """Raise ``Refused`` unless the text is exactly as many dice as were promised."""
    if not are_dice(text):
        raise Refused("dice_form", dice=promised)
    thrown = len(text.split())
    if thrown != promised:
        raise Refused("dice_number", dice=promised, thrown=thrown)


# The seed of a tournament's lots: from a secret that was fixed before anybody entered, from the entries, and from dice.
#
# The formats stand in docs/fair-decks.md. Pure: the secret is an argument.


Entry: TypeAlias = tuple[int, Sequence[str]]
"""The number of an entrant, and the ids of its players."""

_LOTS = b"kiebitz-lots/1\n"


def commitment_to_lots(secret: bytes) -> str:
    """Return the commitment in hexadecimal, like the seed."""
    return commitment_to_secret(secret, _LOTS).hex()


def seed_of_lots(secret: bytes, stream: UUID, entries: Sequence[Entry], dice: str = "") -> str:
    """Return the seed of the lots. ``entries`` are all there ever were, in their order; ``dice`` as they were typed, empty for none."""
    entered = b"".join(_entry(number, players) for number, players in entries)
    return mac(secret, _LOTS + stream.bytes + _encode_count(len(entries)) + entered + prefix_length(dice.encode())).hex()


def _entry(number: int, players: Sequence[str]) -> bytes:
    return _encode_count(number) + _encode_count(len(players)) + b"".join(prefix_length(player.encode()) for player in players)


def _encode_count(number: int) -> bytes:
    return number.to_bytes(4, "big")
