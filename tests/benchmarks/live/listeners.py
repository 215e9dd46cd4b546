"""How soon those who follow are told of a move, how many there may be, and what they cost: streams and waiting requests.

The server is a process of its own, and on a core of its own where there are two. On the other core are the tables, and the listeners
(``audience.py``), who give way to both, so that the time of a move is that of the service and not of those who read beside it; what they
wait for themselves is in their figures. Moves come at their times, whether those before are answered or not. What is measured is the time
from the answer to the move until the listener has the message; beside it the same from a bare server, which writes as many bytes to as many
connections and does nothing else.
"""

import asyncio
import os
import resource
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from itertools import count
from math import ceil
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from urllib.parse import urlsplit

import msgspec
import uvloop

from deploy.compose import open_services
from deploy.config.settings import Settings
from deploy.config.tokens import issue
from domain.access import UNBOUND, Grant
from tests.benchmarks.line import Line, hand, opened
from tests.benchmarks.live.audience import Audience, Heard
from tests.benchmarks.measure import Figure
from tests.benchmarks.readers import _memory, _p99
from tests.deploy.serving import KIEBITZ, Served, environment, greeted

MANY = {"KIEBITZ_FOLLOWERS": "5000", "KIEBITZ_FOLLOWERS_EACH": "5000", "KIEBITZ_CONNECTIONS": "8000"}
MANY["KIEBITZ_CONNECTIONS_PER_ADDRESS"] = "8000"
_SIZE = 400  # bytes of a message, about
_SEEDS = count(5000)
_IDLE = 3.0  # seconds after which a connection is not used again: the server may have closed it


class Game:
    """A table: its moves, and when each was answered."""

    def __init__(self, line: Line, path: str, moves: Sequence[bytes]) -> None:
        self.line, self.path, self.moves = line, path, moves
        self.answered: dict[int, float] = {}

    @property
    def address(self) -> str:
        return self.path.removesuffix("/moves")


def figures(quick: bool) -> Iterator[Figure]:
    streams, waiting, seconds = (100, 50, 3) if quick else (2000, 1000, 20)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with TemporaryDirectory() as folder:
        tokens = _tokens(Settings(data=Path(folder)))
        with _serving(folder) as server, _on_core(1):
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

    def __init__(self, taken: list[float], following: Sequence[Game], heard: Heard, memory: float) -> None:
        self.taken, self.memory = taken, memory
        answers = ((following[number].answered.get(position), at) for number, position, at in heard)
        self.delays = [max(0.0, at - answered) for answered, at in answers if answered is not None]
        self.came, self.due = len(self.delays), sum(len(game.answered) for game in following)


async def _played(
    server: Served, tokens: Sequence[str], games: int, rate: float, seconds: float, listeners: int, *, waits: bool = False
) -> Scene:
    host, _, port = urlsplit(server.url).netloc.partition(":")
    recorder, *others = tokens
    tables = [await _table(host, port, recorder, ceil(seconds * rate / games)) for _ in range(games)]
    following = [tables[number % games] for number in range(listeners)]
    tokened = [(game.address, others[number % len(others)]) for number, game in enumerate(following)]
    heard: Heard = []
    async with _audience(host, int(port), waits, tokened, heard):
        for game in tables:
            game.line = await game.line.again()
        start = perf_counter()
        told = await asyncio.gather(*(_play(game, number, start, rate, games) for number, game in enumerate(tables)))
        await asyncio.sleep(1)
        memory = _memory(server)
    await asyncio.sleep(1)
    return Scene([one for some in told for one in some], following, heard, memory)


@asynccontextmanager
async def _audience(host: str, port: int, waits: bool, following: list[tuple[str, str]], heard: Heard) -> AsyncIterator[None]:
    """What they heard is there when the context has ended."""
    with TemporaryDirectory() as folder:
        audience = Audience(host, port, waits, following, f"{folder}/heard.json")
        command = [sys.executable, "-m", "tests.benchmarks.live.audience"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(msgspec.json.encode(audience) + b"\n")
            process.stdin.flush()
            await asyncio.to_thread(process.stdout.readline)
            yield
            process.stdin.close()
            await asyncio.to_thread(process.wait)
        heard += msgspec.json.decode(Path(audience.heard).read_bytes(), type=Heard)


async def _table(host: str, port: str, token: str, turns: int) -> Game:
    """A new game with a hand that is long enough, or as long as hands are."""
    line = Line(*await asyncio.open_connection(host, port), token)
    deal, moves = hand(next(_SEEDS))
    return Game(line, await opened(line, deal), moves[:turns])


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


@contextmanager
def _on_core(number: int) -> Iterator[None]:
    """This process, and what it starts meanwhile."""
    if sys.platform != "linux":
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, before & {number} or before)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


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
