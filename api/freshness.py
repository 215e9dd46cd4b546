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


async def reach(asked: Asked, name: str, sequence: int | None) -> None:
    """Waits until the projection has taken the event ``min_sequence``. Raises ``Behind``."""
    projector = house_of(asked).projector
    if sequence is not None and not await projector.reached(sequence, PATIENCE, name):
        raise Behind(sequence, next(status.position for status in await asyncio.to_thread(projector.status) if status.name == name))


async def reach_head(asked: Asked, name: str) -> None:
    """Waits for what was recorded before the question came; a projection that is slow or stopped is read as it is."""
    house = house_of(asked)
    await house.projector.reached(await asyncio.to_thread(house.journal.head), PATIENCE, name)


async def fresh(asked: Asked, name: str, id: UUID, read: Callable[[], Row | None]) -> Row:
    """The row of a game, not older than the game was when it was asked for. Raises ``Unknown`` and ``Behind``."""
    game = await house_of(asked).journal.held(id)
    row = await asyncio.to_thread(read)
    if row is None or row.position < game.position:
        await reach_head(asked, name)
        row = await asyncio.to_thread(read)
    if row is None:
        raise Behind(game.position, 0)
    return row
