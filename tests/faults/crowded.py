"""Many callers at several workers in one game: nobody is refused because another worker was faster, and nobody waits for ever."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager
from itertools import cycle

from tests.benchmarks.line import Line, hand, opened
from tests.benchmarks.moves.places import Running
from tests.benchmarks.moves.workers import one_game
from tests.deploy.serving import Served, done
from tests.faults.scene import Finding, counted, traced, watched
from tests.postgres import fresh_database, running_server

WORKERS = (2, 4)
CALLERS = 16
"""At each worker."""
MOVES, HANDS, NOTES = 100, 4, 3
_NOTE = b'{"text": "seen"}'
_LONGEST = 5.0
"""Seconds that a request may take, on however busy a machine."""


def findings() -> Iterator[Finding]:
    with running_server() as database, ExitStack() as stack:
        for number in WORKERS:
            flags = ("--database-url", fresh_database(database), "--migrate", "--workers", number, "--worker-port", 0)
            service = stack.enter_context(watched(*flags))
            tokens = [token(service.server, caller) for caller in range(number * CALLERS)]
            yield from _told(f"{number} workers, all in one game", asyncio.run(_crowd(service.server, tokens)))
            yield from _told(f"{number} workers, each move after the one before", asyncio.run(_relay(service.server, tokens)))
            yield from traced(service.traces())
            service.server.end()


def token(server: Served, number: int) -> str:
    with server.client() as client:
        return str(done(client.post("/v1/tokens", json={"role": "recorder", "label": f"{number}", "scope": "everything"}))["secret"])


def _told(what: str, asked: Sequence[tuple[float, str]]) -> Iterator[Finding]:
    """Of requests, each with its seconds and what went wrong."""
    wrong = [problem for _, problem in asked if problem]
    yield counted(f"{what}: refused, or 503", len(wrong), len(asked))
    yield from (Finding(f"{what}: for example", problem[:100]) for problem in wrong[:1])
    longest = max(seconds for seconds, _ in asked)
    yield Finding(f"{what}: the longest wait", f"{longest:.1f} s", longest < _LONGEST)


async def _crowd(server: Served, tokens: Sequence[str]) -> list[tuple[float, str]]:
    """Moves that are legal whoever comes first."""
    ports = _ports(server)
    [[(path, move), *_]] = one_game(Running(server.process.pid, ports[0], server.token or ""), 1, 1)
    async with _lines(ports, tokens) as lines:
        return [one for some in await asyncio.gather(*(_posted(line, path, [move.encode()] * MOVES) for line in lines)) for one in some]


async def _relay(server: Served, tokens: Sequence[str]) -> list[tuple[float, str]]:
    """Each move by another caller at another worker, as soon as the one before was answered; meanwhile others write notes into the game."""
    asked: list[tuple[float, str]] = []
    ports = _ports(server)
    async with _lines(ports, tokens) as lines:
        movers, others = ([line for number, line in enumerate(lines) if number // len(ports) % 2 == half] for half in (0, 1))
        for seed in range(HANDS):
            deal, moves = hand(seed)
            first = await lines[0].again()
            path = await opened(first, deal)
            first.close()
            noting = [asyncio.create_task(_posted_anew(line, path.replace("/moves", "/notes"), [_NOTE] * NOTES)) for line in others]
            for line, move in zip(cycle(movers), moves, strict=False):
                asked += await _posted_anew(line, path, [move])
            for noted in noting:
                asked += await noted
    return asked


def _ports(server: Served) -> list[int]:
    return [int(url.rpartition(":")[2]) for url in server.alone]


@asynccontextmanager
async def _lines(ports: Sequence[int], tokens: Sequence[str]) -> AsyncIterator[list[Line]]:
    """A connection for each caller, to the workers in turn."""
    lines = [Line(*await asyncio.open_connection("127.0.0.1", port), token) for port, token in zip(cycle(ports), tokens, strict=False)]
    yield lines
    for line in lines:
        line.close()


async def _posted_anew(line: Line, path: str, bodies: Sequence[bytes]) -> list[tuple[float, str]]:
    """By a new connection: until its turn comes again, on a busy machine, the service has closed one that said nothing for five seconds."""
    line = await line.again()
    try:
        return await _posted(line, path, bodies)
    finally:
        line.close()


async def _posted(line: Line, path: str, bodies: Sequence[bytes]) -> list[tuple[float, str]]:
    asked = []
    for body in bodies:
        since, problem = time.monotonic(), ""
        try:
            await line.post(path, body)
        except (RuntimeError, EOFError, OSError) as error:
            problem = str(error).partition("\r\n")[0]
        asked.append((time.monotonic() - since, problem))
    return asked
