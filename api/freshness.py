"""Reads from the projections, which follow the journal by a moment: whoever has written sees what he wrote."""

import asyncio
from collections.abc import Callable
from typing import Protocol, TypeVar
from uuid import UUID

from api.errors import Behind
from api.http import Asked, house_of

PATIENCE = 2.0
"""Seconds that a read waits for the projections."""


class _Positioned(Protocol):
    @property
    def position(self) -> int: ...


Row = TypeVar("Row", bound=_Positioned)


async def reach(asked: Asked, sequence: int | None) -> None:
    """Waits until the projections have taken the event ``min_sequence``. Raises ``Behind``."""
    projector = house_of(asked).projector
    if sequence is not None and not await projector.reached(sequence, PATIENCE):
        raise Behind(sequence, min(status.position for status in await asyncio.to_thread(projector.status)))


async def fresh(asked: Asked, id: UUID, read: Callable[[], Row | None]) -> Row:
    """The row of a game, not older than the game was when it was asked for. Raises ``Unknown`` and ``Behind``."""
    journal, projector = house_of(asked).journal, house_of(asked).projector
    game = await journal.held(id)
    row = await asyncio.to_thread(read)
    if row is None or row.position < game.position:
        await projector.reached(await asyncio.to_thread(journal.head), PATIENCE)
        row = await asyncio.to_thread(read)
    if row is None:
        raise Behind(game.position, 0)
    return row
