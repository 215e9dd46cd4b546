"""The seed of a tournament's lots: from a secret that was fixed before anybody entered, from the entries, and from dice.

The formats stand in docs/fair-decks.md. Pure: the secret is an argument.
"""

from collections.abc import Sequence
from typing import TypeAlias
from uuid import UUID

from domain.shuffling.decks import commitment_to_secret, mac, measured

Entry: TypeAlias = tuple[int, Sequence[str]]
"""The number of an entrant, and the ids of its players."""

_LOTS = b"kiebitz-lots/1\n"


def commitment_to_lots(secret: bytes) -> str:
    """Hexadecimal, like the seed."""
    return commitment_to_secret(secret, _LOTS).hex()


def seed_of_lots(secret: bytes, stream: UUID, entries: Sequence[Entry], dice: str = "") -> str:
    """``entries`` are all that there ever were, in their order; ``dice`` as they were typed, empty for none."""
    entered = b"".join(_entry(number, players) for number, players in entries)
    return mac(secret, _LOTS + stream.bytes + _counted(len(entries)) + entered + measured(dice.encode())).hex()


def _entry(number: int, players: Sequence[str]) -> bytes:
    return _counted(number) + _counted(len(players)) + b"".join(measured(player.encode()) for player in players)


def _counted(number: int) -> bytes:
    return number.to_bytes(4, "big")
