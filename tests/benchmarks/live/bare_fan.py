"""A server that does nothing but write so many bytes to all who are connected, each time when a line comes in. Prints its port."""

import asyncio
import sys
from typing import cast

import uvloop


class Connected(asyncio.Protocol):
    everybody: list[asyncio.Transport] = []  # noqa: RUF012

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.everybody.append(cast(asyncio.Transport, transport))


async def main(connections: int, size: int) -> None:
    loop, piece = asyncio.get_running_loop(), b"x" * size
    server = await loop.create_server(Connected, "127.0.0.1", 0, backlog=connections)
    print(server.sockets[0].getsockname()[1], flush=True)
    while await asyncio.to_thread(sys.stdin.readline):
        for transport in Connected.everybody:
            transport.write(piece)


uvloop.run(main(int(sys.argv[1]), int(sys.argv[2])))
