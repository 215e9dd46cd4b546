"""The daily upkeep of a running journal: drops old idempotency keys."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

from domain.journal.commits import StoreAway, Unclear
from domain.journal.registers import Registers

KEYS_KEPT = timedelta(days=30)
"""At least so long a repeated request is recognised."""

DAY = 24 * 60 * 60.0

_LOG = logging.getLogger("kiebitz.journal")


async def upkeep(registers: Registers, clock: Callable[[], datetime], pause: Callable[[float], Awaitable[object]] = asyncio.sleep) -> None:
    """At once, and again after every pause of a day; ends when it is cancelled. If the store is away, the next day's run catches up."""
    while True:
        before = (clock() - KEYS_KEPT).astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        try:
            await asyncio.to_thread(registers.forget_commands, before)
        except (StoreAway, Unclear) as error:
            _LOG.warning("old idempotency keys were not dropped: %s", error)
        await pause(DAY)
