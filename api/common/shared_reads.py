"""Reads that all callers who see alike share: a response cache that events renew."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import TypeVar, cast

from api.common.consistency import BEHIND
from api.common.live.change_feed import ResponseCoalescer
from api.http.request import Request, language_of, services_of

_OTHERS = 2.0  # seconds after which a name that another process changed is read again

T = TypeVar("T")


async def share_read(request: Request, key: Hashable, read: Callable[[], Awaitable[T]]) -> T:
    """Return what ``read`` returns: made once for all who see alike, and again after an event or a change of names or texts.

    ``key`` names everything else that the result depends on; of the caller it may depend only on what is compared here. Nobody may change
    the result. What a projection was behind with is not kept.
    """
    services, user, loop = services_of(request), request.user, asyncio.get_running_loop()
    sees = user.role, user.has_record_role, user.has_full_view, user.visibility, language_of(request)
    head, changes = await asyncio.to_thread(services.journal.head), services.registers.changes
    version = services.journal.store.epoch.id, head, changes, loop.time() // _OTHERS

    async def note_lag() -> tuple[T, int | None]:
        return await read(), request.scope["state"].get(BEHIND)

    shared = cast(ResponseCoalescer, request.app.state["tables"])
    found, behind = await shared.once((key, sees), note_lag, version)
    if behind is not None:
        request.scope["state"][BEHIND] = behind
        shared.forget((key, sees))
    return found
