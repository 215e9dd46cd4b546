"""Asynchronous batch writers: the access audit (looks at hidden cards), the last use of tokens and counts of refused moves, noted in memory
and written a moment later.

No caller waits for them, and no answer fails because of them. What was noted and not yet written is lost if the process is killed;
docs/decisions/0040-looks.md says why that is acceptable.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import TypeAlias
from uuid import UUID

from domain.journal.registers import CardAccess, RefusalCount, Registers, hour_of, minute_of
from domain.journal.sessions import TokenRegister

EVERY = 5.0
"""Seconds between two batches, and so the most that is lost if the process is killed."""
_MOST_TOKENS = 10_000  # tokens that are remembered
_MOST = 100_000  # lines that wait while the store takes none; further ones are counted, and the log reports them

_Line: TypeAlias = tuple[int, UUID, str, str, str | None]
"""Minutes since 1970, and the rest of a look."""

_LOG = logging.getLogger("kiebitz.journal")


class BatchWriter:
    """Writes in batches what was noted meanwhile. One for each process, used from one loop; notes may come before it is started."""

    subject = ""
    """What it writes, for the log."""

    def __init__(self, clock: Callable[[], datetime], every: float = EVERY) -> None:
        self._clock = clock
        self._every = every
        self._closing = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, type(self).__name__)  # its own, so that readers keep all threads of the pool
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Write what waits, if the store takes it, and end. Leaves the store open."""
        self._closing.set()
        if self._task is not None:
            await self._task
        await self._attempt()
        self._thread.shutdown()

    async def flush(self) -> None:
        """Write what was noted so far. Raises what the store raises; then it waits for the next batch."""
        raise NotImplementedError

    async def _run(self) -> None:
        while not self._closing.is_set():
            await self._attempt()
            try:
                # not a sleep: closing does not wait for the rest of the interval
                async with asyncio.timeout(self._every):
                    await self._closing.wait()
            except TimeoutError:
                continue

    async def _attempt(self) -> None:
        try:
            await self.flush()
        except Exception as error:  # Any error of the store: the next batch tries again.
            _LOG.warning("%s could not be written: %s", self.subject, error)


class AccessWriter(BatchWriter):
    """Writes looks in batches."""

    subject = "looks at hidden cards"

    def __init__(self, registers: Registers, clock: Callable[[], datetime], *, every: float = EVERY, most: int = _MOST) -> None:
        super().__init__(clock, every)
        self._registers = registers
        self._most = most
        self._minute = 0
        self._noted: set[tuple[str, UUID, str]] = set()
        self._waiting: list[_Line] = []
        self._lost = 0
        self._writing = asyncio.Lock()

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def has_entry(self, principal: str, game: UUID, view: str) -> bool:
        """Return whether this was noted within the present minute: then no check is needed whether it is to be noted. Waits for nothing."""
        minute = int(self._clock().timestamp()) // 60
        if minute != self._minute:
            self._minute = minute
            self._noted.clear()
        return (principal, game, view) in self._noted

    def note(self, principal: str, game: UUID, view: str, tournament: str | None) -> None:
        """Note a look once a minute, however often it is called. Raises nothing, waits for nothing."""
        if self.has_entry(principal, game, view):
            return
        self._noted.add((principal, game, view))
        if len(self._waiting) < self._most:
            self._waiting.append((self._minute, game, view, principal, tournament))
        else:
            self._lost += 1

    async def close(self) -> None:
        await super().close()
        if self._waiting:
            _LOG.error("%s looks at hidden cards were not written and are lost", len(self._waiting))

    async def flush(self) -> None:
        """Write what was noted so far. Raises what the store raises; then it waits for the next batch."""
        async with self._writing:
            lines = self._waiting
            self._waiting = []
            try:
                if lines:
                    await asyncio.get_running_loop().run_in_executor(self._thread, self._registers.keep_looks, _looks(lines))
            except BaseException:
                self._waiting = lines + self._waiting
                raise

    async def erase(self, principals: Collection[str]) -> int:
        """Remove the looks of these principals, also those that wait. Returns how many lines were in the register."""
        async with self._writing:
            self._waiting = [line for line in self._waiting if line[3] not in principals]
            self._noted.clear()  # a further look within this minute is noted again
            return await asyncio.to_thread(self._registers.erase_looks, principals)

    async def _attempt(self) -> None:
        await super()._attempt()
        if self._lost:
            _LOG.error("%s looks at hidden cards are lost: too many were waiting", self._lost)
            self._lost = 0


def _looks(lines: Sequence[_Line]) -> list[CardAccess]:
    return [
        CardAccess(minute_of(datetime.fromtimestamp(minute * 60, UTC)), game, view, principal, tournament)
        for minute, game, view, principal, tournament in lines
    ]


class TokenUses(BatchWriter):
    """Writes the last uses of tokens."""

    subject = "the last use of tokens"

    def __init__(self, registers: TokenRegister, clock: Callable[[], datetime], *, every: float = EVERY) -> None:
        super().__init__(clock, every)
        self._registers = registers
        self._noted: dict[str, int] = {}
        self._waiting: dict[str, int] = {}

    def note(self, token: str) -> None:
        """Note a use once a minute, however often it is called. Raises nothing, waits for nothing."""
        minute = int(self._clock().timestamp()) // 60
        if self._noted.get(token) == minute:
            return
        if len(self._noted) >= _MOST_TOKENS:
            self._noted.clear()
        self._noted[token] = self._waiting[token] = minute

    async def flush(self) -> None:
        uses = self._waiting
        self._waiting = {}
        if not uses:
            return
        told = [(token, minute_of(datetime.fromtimestamp(minute * 60, UTC))) for token, minute in uses.items()]
        try:
            await asyncio.get_running_loop().run_in_executor(self._thread, self._registers.note_uses, told)
        except BaseException:
            self._waiting = uses | self._waiting
            raise


class RefusalCounter(BatchWriter):
    """Counts refused moves by ruleset, code and hour."""

    subject = "counts of refused moves"

    def __init__(self, registers: Registers, clock: Callable[[], datetime], *, every: float = EVERY) -> None:
        super().__init__(clock, every)
        self._registers = registers
        self._waiting = Counter[tuple[str, str, str]]()

    def note(self, ruleset: str, code: str) -> None:
        """Count a refused move. Raises nothing, waits for nothing."""
        self._waiting[hour_of(self._clock()), ruleset, code] += 1

    async def flush(self) -> None:
        counts, self._waiting = self._waiting, Counter()
        if not counts:
            return
        told = [RefusalCount(*place, number) for place, number in counts.items()]
        try:
            await asyncio.get_running_loop().run_in_executor(self._thread, self._registers.add_refusals, told)
        except BaseException:
            self._waiting += counts
            raise
