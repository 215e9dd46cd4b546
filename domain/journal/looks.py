"""Who looked: the register of reads of hidden cards. A read never waits for it; ``look_writer.py`` says how lines come into it."""

from datetime import UTC, datetime, timedelta
from typing import TypeAlias
from uuid import UUID

from msgspec import Struct

LOOKS_KEPT = timedelta(days=365)


class Look(Struct, frozen=True, order=True):
    """That a principal was shown hidden cards of a game, as the arbiter or a seat sees them (``view``), once or often within a minute.

    ``minute`` is its first second, RFC 3339 in UTC. ``tournament``: that of the game, if it belongs to one.
    """

    minute: str
    game: UUID
    view: str
    principal: str
    tournament: str | None


LookPlace: TypeAlias = tuple[str, UUID, str, str]
"""Of a line in the order of its list: minute, game, view, principal."""


def place_of_look(look: Look) -> LookPlace:
    return (look.minute, look.game, look.view, look.principal)


def minute_of(moment: datetime) -> str:
    return moment.astimezone(UTC).replace(second=0, microsecond=0, tzinfo=None).isoformat() + "Z"
