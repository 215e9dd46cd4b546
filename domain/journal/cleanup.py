"""The daily cleanup of a running journal: drops old command keys, looks at hidden cards of a year ago, and old webhook deliveries."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from domain.events.base import Unreadable
from domain.journal.commits import OutcomeUnknownError, StoreUnavailableError, from_stored
from domain.journal.registers import LOOKS_KEPT, minute_of
from domain.journal.store import EventStore
from domain.journal.webhooks import DELIVERIES_KEPT, MOST_DELIVERIES

KEYS_KEPT = timedelta(days=30)
"""The least time for which a repeated request is recognised."""

DAY = 24 * 60 * 60.0
LOOK = 1.0  # seconds

WITNESSES = 100
"""The number of newest events that have to confirm that a key is old: a clock that is wrong for an evening must not be trusted."""

_LOG = logging.getLogger("kiebitz.journal")


async def run_cleanup(
    store: EventStore, clock: Callable[[], datetime], pause: Callable[[float], Awaitable[object]] = asyncio.sleep
) -> None:
    """Clean up at once, and again after every pause of a day, until cancelled. If the store is away, the next day's run catches up."""
    while True:
        try:
            await asyncio.to_thread(_forget, store, clock())
        except (StoreUnavailableError, OutcomeUnknownError) as error:
            _LOG.warning("old idempotency keys, looks and deliveries were not deleted: %s", error)
        await pause(DAY)


async def watch(store: EventStore, pause: Callable[[float], Awaitable[object]] = asyncio.sleep) -> None:
    """Look at the store once a second until cancelled: so an upgrade by another version is noticed even without requests."""
    while True:
        await pause(LOOK)
        with suppress(StoreUnavailableError, OutcomeUnknownError):
            await asyncio.to_thread(store.head)


def _forget(store: EventStore, now: datetime) -> None:
    _forget_old_keys(store, now)
    # By the clock alone: people were promised that their looks are dropped, even if nothing is recorded any more.
    store.forget_looks(minute_of(now - LOOKS_KEPT))
    store.prune_delivery_log(minute_of(now - DELIVERIES_KEPT), MOST_DELIVERIES)


def _forget_old_keys(store: EventStore, now: datetime) -> None:
    """Drop keys that are 30 days old by the clock *and* by the newest events. Without an event that can be read, none is dropped."""
    newest = store.events_after(max(0, store.head() - WITNESSES), WITNESSES)
    events = [from_stored(event) for _, event in newest]
    moments = [recorded.stamp.at for recorded in events if not isinstance(recorded.event, Unreadable)]
    if moments:
        before = min(now, *moments) - KEYS_KEPT
        store.forget_commands(before.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"))
