"""A move over HTTP beside the same server's smallest authenticated endpoint that does one durable INSERT of the same body."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import msgspec

from domain.effects import dealt_deck
from domain.events.game import HandDealt, MovePlayed
from tests.benchmarks.games import played
from tests.benchmarks.measure import Figure, compared, middle

CLIENTS = (1, 16)
ROUNDS = 7


class Line:
    """One kept connection to the server. Plain bytes, so that the client costs as little as it can."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, token: str) -> None:
        self._reader = reader
        self._writer = writer
        self._token = token
        self._head = f"HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\nContent-Length: "

    async def again(self) -> "Line":
        """A new connection to the same server."""
        self._writer.close()
        return Line(*await asyncio.open_connection(*self._writer.get_extra_info("peername")[:2]), self._token)

    async def post(self, path: str, body: bytes) -> bytes:
        self._writer.write(f"POST {path} {self._head}{len(body)}\r\n\r\n".encode() + body)
        head = await self._reader.readuntil(b"\r\n\r\n")
        if b" 201 " not in head[:16]:
            raise RuntimeError(head.decode())
        length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        return await self._reader.readexactly(length)


def figures(quick: bool) -> list[Figure]:
    rounds = 2 if quick else ROUNDS
    with TemporaryDirectory() as folder, _server(folder) as (port, token):
        taken = {clients: middle(rounds, *_works(port, token, clients)) for clients in CLIENTS}
    return [
        compared(f"a move over HTTP, {clients} at a time", move, "the smallest authenticated endpoint with one INSERT", bare, goal=2.0)
        for clients, (move, bare) in taken.items()
    ]


def _works(port: int, token: str, clients: int) -> Any:
    seeds = iter(range(1_000_000))
    return (
        lambda: asyncio.run(_timed(port, token, clients, next(seeds), bare=False)),
        lambda: asyncio.run(_timed(port, token, clients, next(seeds), bare=True)),
    )


async def _timed(port: int, token: str, clients: int, seed: int, *, bare: bool) -> float:
    """Seconds a request, while so many clients send the moves of one whole hand each, one after the other."""
    lines = [Line(*await asyncio.open_connection("127.0.0.1", port), token) for _ in range(clients)]
    hands = [_hand(seed * 100 + client) for client in range(clients)]
    paths = [await _opened(line, deal) for line, (deal, _) in zip(lines, hands, strict=True)]
    start = perf_counter()
    await asyncio.gather(
        *(_sent(line, "/bench/insert" if bare else path, moves) for line, path, (_, moves) in zip(lines, paths, hands, strict=True))
    )
    taken = perf_counter() - start
    for line in lines:
        line._writer.close()
    return taken / sum(len(moves) for _, moves in hands)


async def _opened(line: Line, deal: bytes) -> str:
    """A new game with its first hand dealt; where its moves go."""
    game = msgspec.json.decode(await line.post("/v1/games", b'{"ruleset": "casino", "seats": 2}'))["game"]
    await line.post(f"/v1/games/{game}/hands", deal)
    return f"/v1/games/{game}/moves"


async def _sent(line: Line, path: str, moves: list[bytes]) -> None:
    for move in moves:
        await line.post(path, move)


def _hand(seed: int) -> tuple[bytes, list[bytes]]:
    """The bodies of the requests that deal and play one hand."""
    events = list(played(seed))
    dealt = next(event for event in events if isinstance(event, HandDealt))
    deal = msgspec.json.encode({"dealer": dealt.dealer, "deck": dealt_deck(dealt.effects)})
    return deal, [msgspec.json.encode({"seat": event.seat, "move": event.move}) for event in events if isinstance(event, MovePlayed)]


@contextmanager
def _server(folder: str) -> Iterator[tuple[int, str]]:
    with subprocess.Popen([sys.executable, "-m", "tests.benchmarks.http_server", folder], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            port, token = process.stdout.readline().split()
            yield int(port), token
        finally:
            process.terminate()
