"""How soon those who follow are told of a move, how many there may be, and what they cost: streams and waiting requests.

The server is a process of its own, and on a core of its own where there are two; the listeners and the tables are one process beside it,
whose own delay is in every figure. Moves come at their times, whether those before are answered or not. What is measured is the time from
the answer to the move until the listener has the message; beside it the same from a bare server, which writes as many bytes to as many
connections and does nothing else.
"""

import asyncio
import re
import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from math import ceil
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import cast
from urllib.parse import urlsplit

import uvloop

from deploy.compose import open_services
from deploy.settings import Settings
from deploy.tokens import issue
from domain.access.grants import UNBOUND, Grant
from tests.benchmarks.http import Line, _hand, _opened
from tests.benchmarks.measure import Figure
from tests.benchmarks.readers import _memory, _p99
from tests.deploy.serving import KIEBITZ, Served, environment, greeted

MANY = {"KIEBITZ_FOLLOWERS": "5000", "KIEBITZ_FOLLOWERS_EACH": "5000", "KIEBITZ_CONNECTIONS": "8000"}
MANY["KIEBITZ_CONNECTIONS_PER_ADDRESS"] = "8000"
_ID = re.compile(rb"id: (\d+)\n")
_SIZE = 400  # bytes of a message, about
_SEEDS = count(5000)
_IDLE = 3.0  # seconds after which a connection is not used again: the server may have closed it


class Game:
    """A table: its moves, when each was answered, and when each listener heard of it."""

    def __init__(self, line: Line, path: str, moves: Sequence[bytes]) -> None:
        self.line, self.path, self.moves = line, path, moves
        self.answered: dict[int, float] = {}
        self.heard: list[tuple[int, float]] = []

    @property
    def address(self) -> str:
        return self.path.removesuffix("/moves")

    def delays(self) -> list[float]:
        return [max(0.0, at - self.answered[position]) for position, at in self.heard if position in self.answered]


class Listener(asyncio.Protocol):
    """Reads a stream and notes when which position came."""

    def __init__(self, game: Game, token: str) -> None:
        self._game = game
        self._head = f"GET {game.address}/stream?after=2 HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {token}\r\n\r\n".encode()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        cast(asyncio.Transport, transport).write(self._head)

    def data_received(self, data: bytes) -> None:
        now = perf_counter()
        self._game.heard += [(int(found), now) for found in _ID.findall(data)]


def figures(quick: bool) -> Iterator[Figure]:
    streams, waiting, seconds = (100, 50, 3) if quick else (2000, 1000, 20)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with TemporaryDirectory() as folder:
        tokens = _tokens(Settings(data=Path(folder)))
        with _serving(folder) as server:
            yield from uvloop.run(_measured(server, tokens, streams, waiting, seconds))


async def _measured(server: Served, tokens: Sequence[str], streams: int, waiting: int, seconds: float) -> list[Figure]:
    alone = await _played(server, tokens, 100, 200, seconds, 0)
    before = _memory(server)
    spread = await _played(server, tokens, 100, 200, seconds, streams)
    grown = spread.memory - before
    one = await _played(server, tokens, 1, 2, seconds, streams)
    asked = await _played(server, tokens, 100, 20, seconds, waiting, waits=True)
    bare = await _bare(streams, seconds)
    return [
        _within(f"{streams:,} streams over 100 games at 200 moves a second: p99 until a listener has it", _p99(spread.delays), 0.1),
        _within(f"{streams:,} streams of one game: p99", _p99(one.delays), 0.5),
        Figure(f"a bare server that writes as much to {streams:,} connections: p99", _p99(bare) * 1e3, "ms"),
        _within(f"{waiting:,} waiting requests at 20 moves a second: p99", _p99(asked.delays), 0.1),
        Figure("memory of the server, more than idle", grown, "MB", "200 MB", 200, grown / 200, 1.0),
        Figure("a move beside the streams, p50", median(spread.taken) * 1e3, "ms", "without", median(alone.taken) * 1e3,
               median(spread.taken) / median(alone.taken), 1.25),
        Figure("messages that came, of those that were due", spread.came + one.came, "", "due", spread.due + one.due,
               (spread.due + one.due) / (spread.came + one.came), 1.0),
    ]  # fmt: skip


def _within(name: str, seconds: float, limit: float) -> Figure:
    return Figure(name, seconds * 1e3, "ms", "the goal", limit * 1e3, seconds / limit, 1.0)


class Scene:
    """What came of one scene: seconds of the moves, seconds of the messages, how many came of how many, and the server's MB."""

    def __init__(self, taken: list[float], games: Sequence[Game], due: int, memory: float) -> None:
        self.taken, self.due, self.memory = taken, due, memory
        self.delays = [delay for game in games for delay in game.delays()]
        self.came = len(self.delays)


async def _played(
    server: Served, tokens: Sequence[str], games: int, rate: float, seconds: float, listeners: int, *, waits: bool = False
) -> Scene:
    loop, (host, _, port) = asyncio.get_running_loop(), urlsplit(server.url).netloc.partition(":")
    recorder, *others = tokens
    turns = ceil(seconds * rate / games)
    tables = [await _table(host, port, recorder, turns) for _ in range(games)]
    following = [(tables[number % games], others[number % len(others)]) for number in range(listeners)]
    ends: list[asyncio.BaseTransport] = []
    tasks: list[asyncio.Task[None]] = []
    for game, token in following:
        if waits:
            tasks.append(asyncio.create_task(_wait(host, port, game, token)))
        else:
            transport, _ = await loop.create_connection(partial(Listener, game, token), host, int(port))
            ends.append(transport)
    await asyncio.sleep(2)
    start = perf_counter()
    told = await asyncio.gather(*(_play(game, number, start, rate, games) for number, game in enumerate(tables)))
    await asyncio.sleep(1)
    memory = _memory(server)
    for end in ends:
        end.close()
    for task in tasks:
        task.cancel()
    await asyncio.sleep(1)
    due = sum(len(game.answered) for game, _ in following)
    return Scene([one for some in told for one in some], tables, due, memory)


async def _table(host: str, port: str, token: str, turns: int) -> Game:
    """A new game with a hand that is long enough, or as long as hands are."""
    line = Line(*await asyncio.open_connection(host, port), token)
    deal, moves = _hand(next(_SEEDS))
    return Game(line, await _opened(line, deal), moves[:turns])


async def _play(game: Game, number: int, start: float, rate: float, games: int) -> list[float]:
    taken = []
    for turn, move in enumerate(game.moves):
        due = start + (turn * games + number) / rate
        await asyncio.sleep(max(0.0, due - perf_counter()))
        if games / rate > _IDLE:
            game.line = await game.line.again()
        await game.line.post(game.path, move)
        game.answered[turn + 3] = now = perf_counter()
        taken.append(now - due)
    return taken


async def _wait(host: str, port: str, game: Game, token: str) -> None:
    """A page that follows by waiting requests: each goes on where the last answer ended."""
    reader, writer = await asyncio.open_connection(host, port)
    after = 2
    while True:
        head = f"GET {game.address}/replay?after={after}&wait=25 HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {token}\r\n\r\n"
        writer.write(head.encode())
        answered = (await reader.readuntil(b"\r\n\r\n")).lower()
        body = await reader.readexactly(int(answered.split(b"content-length: ")[1].split(b"\r\n")[0]))
        now, last = perf_counter(), int(re.search(rb'"position":(\d+),"view"', body)[1])  # type: ignore[index]
        game.heard += [(position, now) for position in range(after + 1, last + 1)]
        after = last


async def _bare(connections: int, seconds: float) -> list[float]:
    """Seconds from the word to the bare server until each connection has its bytes."""
    command = [*_core(0), sys.executable, "-m", "tests.benchmarks.live.bare_fan", str(connections), str(_SIZE)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        lines = [await asyncio.open_connection("127.0.0.1", port) for _ in range(connections)]
        delays: list[float] = []

        async def read(reader: asyncio.StreamReader, start: float) -> None:
            await reader.readexactly(_SIZE)
            delays.append(perf_counter() - start)

        await asyncio.sleep(1)
        for _ in range(max(3, int(seconds))):
            start = perf_counter()
            assert process.stdin is not None
            process.stdin.write(b"\n")
            process.stdin.flush()
            await asyncio.gather(*(read(reader, start) for reader, _ in lines))
        for _, writer in lines:
            writer.close()
        process.terminate()
    return delays


def _core(number: int) -> list[str]:
    return ["taskset", "-c", str(number)] if sys.platform == "linux" else []


def _tokens(settings: Settings) -> list[str]:
    """Of a recorder, and of those who follow: half of them see all, half what is public. Officials, because viewers are counted."""
    with open_services(settings, alone=True) as services:
        grants = (UNBOUND, UNBOUND, Grant(sees="public"))
        return [issue(services.registers, services.clock, "recorder", "bench", grant=grant)[1] for grant in grants]


@contextmanager
def _serving(folder: str) -> Iterator[Served]:
    command = [*_core(0), str(KIEBITZ), "serve", "--port", "0", "--data", folder]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment(**MANY)) as process:
        try:
            yield greeted(process)
        finally:
            process.terminate()
