"""A deck from a secret and from chances that were given after the secret was fixed. The formats stand in docs/fair-decks.md.

``+`` joins bytes, numbers are big-endian, text is UTF-8. Pure: secrets and chances are arguments.
"""

import hmac
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import TypeAlias, TypeVar
from uuid import UUID

from domain.cards import Seat

CHANCE_LENGTH = 16
"""Bytes."""
TYPED = "typed"
"""Who gave the chance that was thrown at the table."""

DECK = b"kiebitz-deck/1\n"
"""What commitments and seeds of decks begin with, so that none of them passes for one of something else."""
_SECRET, _CHANCE = b"\1", b"\2"  # no commitment to the one can pass for one to the other
_WORD = 1 << 16

Card = TypeVar("Card")
Chance: TypeAlias = tuple[str, bytes]
"""Who gave it, and its bytes."""


def commitment_to_secret(secret: bytes, domain: bytes = DECK) -> bytes:
    return sha256(_SECRET + domain + secret).digest()


def commitment_to_chance(who: str, chance: bytes) -> bytes:
    return sha256(_CHANCE + DECK + f"{who}\n".encode() + chance).digest()


def who_sits(seat: Seat) -> str:
    """Who gives the chance of a seat."""
    return f"seat:{seat}"


def seed_of(secret: bytes, stream: UUID, position: int, chances: Sequence[Chance]) -> bytes:
    """``position`` is that of the commitment, ``chances`` are those of the seats in the order in which they joined, typed ones last."""
    joined = b"".join(measured(who.encode()) + measured(chance) for who, chance in chances)
    return mac(secret, DECK + stream.bytes + position.to_bytes(8, "big") + len(chances).to_bytes(2, "big") + joined)


def shuffled(seed: bytes, cards: Sequence[Card]) -> tuple[Card, ...]:
    """The deck, dealt from index 0 on. Every order is as likely as every other: words that would favour some are passed over."""
    deck, words = list(cards), _words(seed)
    for last in range(len(deck) - 1, 0, -1):
        size = last + 1
        other = next(word for word in words if word < _WORD - _WORD % size) % size
        deck[last], deck[other] = deck[other], deck[last]
    return tuple(deck)


def spoken(commitment: bytes) -> str:
    """A commitment as 40 digits to compare by eye or aloud, five in a group: 132 bits of it."""
    digits = f"{int.from_bytes(commitment, 'big') % 10**40:040}"
    return " ".join(digits[start : start + 5] for start in range(0, 40, 5))


def measured(value: bytes) -> bytes:
    """With its length before it."""
    return len(value).to_bytes(2, "big") + value


def mac(key: bytes, message: bytes) -> bytes:
    return hmac.new(key, message, sha256).digest()


def _words(seed: bytes) -> Iterator[int]:
    block = 0
    while True:
        made = mac(seed, block.to_bytes(4, "big"))
        yield from (int.from_bytes(made[start : start + 2], "big") for start in range(0, len(made), 2))
        block += 1
