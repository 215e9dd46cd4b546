"""What a running journal tidies up once a day: the idempotency keys that nobody will send again."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

from domain.journal.commits import StoreAway
from domain.journal.registers import Registers

KEYS_KEPT = timedelta(days=30)
"""How long a key is remembered at least."""

DAY = 24 * 60 * 60.0

_LOG = logging.getLogger("kiebitz.journal")


async def upkeep(registers: Registers, clock: Callable[[], datetime], pause: Callable[[float], Awaitable[object]] = asyncio.sleep) -> None:
    """At once, and again after every pause of a day; ends when it is cancelled. A store that is away is asked again the next day."""
    while True:
        before = (clock() - KEYS_KEPT).astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        try:
            await asyncio.to_thread(registers.forget_commands, before)
        except StoreAway as error:
            _LOG.warning("old idempotency keys were not dropped: %s", error)
        await pause(DAY)
