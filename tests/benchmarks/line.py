"""A connection that records games over HTTP, and hands to record."""

import asyncio
from functools import cache

import msgspec

from domain.effects import dealt_deck
from domain.events.game import HandDealt, MovePlayed
from tests.benchmarks.games import played


class Line:
    """One kept connection to the server. Plain bytes, so that the client costs as little as it can."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, token: str) -> None:
        self._reader = reader
        self._writer = writer
        self._token = token
        self._head = f"HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\nContent-Length: "

    def close(self) -> None:
        self._writer.close()

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


async def opened(line: Line, deal: bytes) -> str:
    """A new game with its first hand dealt; where its moves go."""
    game = msgspec.json.decode(await line.post("/v1/games", b'{"ruleset": "casino", "seats": 2}'))["game"]
    await line.post(f"/v1/games/{game}/hands", deal)
    return f"/v1/games/{game}/moves"


@cache
def hand(seed: int) -> tuple[bytes, list[bytes]]:
    """The bodies of the requests that deal and play one hand."""
    events = list(played(seed))
    dealt = next(event for event in events if isinstance(event, HandDealt))
    deal = msgspec.json.encode({"dealer": dealt.dealer, "deck": dealt_deck(dealt.effects)})
    return deal, [msgspec.json.encode({"seat": event.seat, "move": event.move}) for event in events if isinstance(event, MovePlayed)]
