"""On the way of the last use of a token into the register: noted in memory, written a moment later with all that came meanwhile.

Nobody who is let in waits for it, and no answer fails because of it. What was noted and not yet written is lost if the process is killed.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

from domain.journal.looks import minute_of
from domain.journal.tokens import TokenRegister

EVERY = 5.0
"""Seconds between two batches."""
_MOST = 10_000  # tokens that are remembered

_LOG = logging.getLogger("kiebitz.journal")


class TokenUses:
    """One for each process, used from one loop. ``note`` may be called before it is started."""

    def __init__(self, registers: TokenRegister, clock: Callable[[], datetime], *, every: float = EVERY) -> None:
        self._registers = registers
        self._clock = clock
        self._every = every
        self._noted: dict[str, int] = {}
        self._waiting: dict[str, int] = {}
        self._closing = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, "uses")
        self._task: asyncio.Task[None] | None = None

    def note(self, token: str) -> None:
        """Once a minute of each, however often it is called. Raises nothing, waits for nothing."""
        minute = int(self._clock().timestamp()) // 60
        if self._noted.get(token) == minute:
            return
        if len(self._noted) >= _MOST:
            self._noted.clear()
        self._noted[token] = self._waiting[token] = minute

    async def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Writes what waits, if the store takes it, and ends. Leaves the store open."""
        self._closing.set()
        if self._task is not None:
            await self._task
        await self._attempt()
        self._thread.shutdown()

    async def flush(self) -> None:
        """Writes what was noted so far. Raises what the store raises; then it waits for the next batch."""
        uses, self._waiting = self._waiting, {}
        if not uses:
            return
        told = [(token, minute_of(datetime.fromtimestamp(minute * 60, UTC))) for token, minute in uses.items()]
        try:
            await asyncio.get_running_loop().run_in_executor(self._thread, self._registers.note_uses, told)
        except BaseException:
            self._waiting = uses | self._waiting
            raise

    async def _run(self) -> None:
        while not self._closing.is_set():
            await self._attempt()
            try:
                async with asyncio.timeout(self._every):
                    await self._closing.wait()
            except TimeoutError:
                continue

    async def _attempt(self) -> None:
        try:
            await self.flush()
        except Exception as error:  # Whatever the store has: it is asked again with the next batch.
            _LOG.warning("when tokens were used last could not be written: %s", error)
