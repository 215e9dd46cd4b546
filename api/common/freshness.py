"""Waiting for projections, which follow the journal by a moment, so that a client reads what it has written."""

import asyncio
from collections.abc import Callable
from typing import Protocol, TypeVar
from uuid import UUID

from litestar.datastructures import MutableScopeHeaders
from litestar.types import Message, Scope

from api.http.errors import Behind, Building
from api.http.request import Request, services_of
from projections.engine.status import ProjectionStatus

PATIENCE = 2.0
"""Seconds that a read waits for the projections."""
BEHIND = "kiebitz-behind"
"""A header: so many sequences may be missing in this answer, because a projection did not keep up."""


class _Positioned(Protocol):
    @property
    def position(self) -> int: ...


Positioned = TypeVar("Positioned", bound=_Positioned)


async def wait_for_sequence(request: Request, name: str, sequence: int | None) -> None:
    """Waits until the projection can be read and has taken the event ``min_sequence``. Raises ``Behind`` and ``Building``."""
    if not await services_of(request).projector.wait_for_async(sequence or 0, PATIENCE, name):
        raise Behind(sequence or 0, (await _readable(request, name)).position)


async def wait_for_head(request: Request, name: str) -> None:
    """Waits for what was recorded before the question came. A projection that is slow or stopped is read as it is; the answer says so.

    Raises ``Building``.
    """
    services = services_of(request)
    if not await services.projector.wait_for_async(await asyncio.to_thread(services.journal.head), PATIENCE, name):
        state = request.scope["state"]
        state[BEHIND] = max(state.get(BEHIND, 0), (await _readable(request, name)).lag)


async def add_behind_header(message: Message, scope: Scope) -> None:
    """Litestar's hook before every message that is sent."""
    if message["type"] == "http.response.start" and scope["state"].get(BEHIND):
        MutableScopeHeaders.from_message(message)[BEHIND] = str(scope["state"][BEHIND])


async def _readable(request: Request, name: str) -> ProjectionStatus:
    """How far it is. Raises ``Building``."""
    found = await asyncio.to_thread(services_of(request).projector.status)
    status = next(one for one in found if one.name == name)
    if status.percent < 100:
        raise Building(status.percent, "see /health/ready" if status.error else None)
    return status


async def fresh_row(request: Request, name: str, id: UUID, read: Callable[[], Positioned | None]) -> Positioned:
    """The row of a game, not older than the game at the time of the request. Raises ``Unknown``, ``Behind`` and ``Building``."""
    game = await services_of(request).journal.current(id)
    row = await asyncio.to_thread(read)
    if row is None or row.position < game.position:
        await wait_for_head(request, name)
        row = await asyncio.to_thread(read)
    if row is None:
        raise Behind(game.position, 0)
    return row
