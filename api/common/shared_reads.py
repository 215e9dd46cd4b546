"""Reads that all callers who see alike share: a response cache that events renew."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import TypeVar

from api.common.consistency import BEHIND, note_lag
from api.common.live.change_feed import SharedReads
from api.http.request import Request, language_of, part_of, services_of
from domain.journal.application import Journal
from domain.journal.commits import from_stored
from projections.engine.store import is_plain_move

_OTHERS = 2.0  # seconds after which a name that another process changed is read again
_LATEST = "latest change"  # what a request found
_FEW = 500  # events that are looked through; of more, one will be no plain move

T = TypeVar("T")


class LatestChange:
    """The newest event that is no plain move. Plain moves are most events, and change neither standings nor rounds."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._seen = "", 0, 0

    def read(self) -> tuple[str, int]:
        """Return the epoch and the sequence of the event. Call it in a thread."""
        epoch, head = self._journal.store.epoch.id, self._journal.head()
        known, seen, latest = self._seen
        if known != epoch or head - seen > _FEW:
            latest = head
        elif head > seen:
            events = self._journal.store.events_after(seen, _FEW, upto=head)
            latest = max([latest, *(sequence for sequence, stored in events if not is_plain_move(from_stored(stored)))])
        self._seen = epoch, head, latest
        return epoch, latest


async def share_read(request: Request, key: Hashable, read: Callable[[], Awaitable[T]], *version: Hashable) -> T:
    """Return what ``read`` returns: made once for all who see alike, and again after an event that is no plain move, or a change of names
    or texts.

    ``key`` and ``version`` name everything else that the result depends on, and of a key the newest version is kept; of the caller it may
    depend only on what is compared here. Nobody may change the result. What a projection was behind with is not kept.
    """
    services, user, loop = services_of(request), request.user, asyncio.get_running_loop()
    sees = user.role, user.has_record_role, user.has_full_view, user.visibility, language_of(request)
    state = request.scope["state"]
    if _LATEST not in state:
        state[_LATEST] = await asyncio.to_thread(part_of(request.app, LatestChange).read)
    now = state[_LATEST], services.registers.changes, loop.time() // _OTHERS, version

    own = False

    async def read_with_lag() -> tuple[T, int | None]:
        nonlocal own
        own = True
        return await read(), state.get(BEHIND)

    shared = part_of(request.app, SharedReads).tables
    try:
        found, behind = await shared.once((key, sees), read_with_lag, now)
    except Exception:
        if own:
            raise
        return await read()  # the other caller's limit of requests is not that of this one
    if behind is not None:
        note_lag(request, behind)
        shared.forget((key, sees))
    return found
