"""1,300 clients without a token that never finish a request, while others go on recording."""

import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from urllib.parse import urlsplit

from tests.deploy.serving import Served, open_game, play_on
from tests.faults.scene import Finding, caller, counted, percentile, watched

UNFINISHED = 1300
WATCHED = 15.0  # seconds: headers have ten
HALVES = (
    b"GET /v1/games HTTP/1.1\r\nHost: x\r\nX-",
    b"POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
)


def findings() -> Iterator[Finding]:
    with tempfile.TemporaryDirectory() as folder, watched("--data", folder) as service:
        server, _ = service
        lines: list[socket.socket] = []
        try:
            lines += [_half(server, HALVES[number % 2]) for number in range(UNFINISHED)]
            yield from _played_beside(server)
            yield Finding(f"unfinished requests of {UNFINISHED:,} that stand after {WATCHED:.0f} s", *_standing(lines))
        finally:
            for line in lines:
                line.close()
        yield counted("stack traces in the log", len(service.traces()), UNFINISHED)


def _half(server: Served, start: bytes) -> socket.socket:
    address = urlsplit(server.url)
    line = socket.create_connection((str(address.hostname), int(address.port or 0)), timeout=30)
    with suppress(OSError):  # let go at once: also an end
        line.sendall(start)
    return line


def _played_beside(server: Served) -> Iterator[Finding]:
    taken: list[float] = []
    until = time.monotonic() + WATCHED
    with caller(server.url, str(server.token)) as client:
        game = open_game(client)
        while time.monotonic() < until:
            start = time.monotonic()
            play_on(client, game)
            taken.append(time.monotonic() - start)
            time.sleep(0.02)
    yield Finding("moves recorded beside them", f"{len(taken):,}, p99 {percentile(taken, 0.99) * 1000:.0f} ms", max(taken) < 5)


def _standing(lines: list[socket.socket]) -> tuple[str, bool]:
    """How many the server has not let go. One line with a body may wait longer than headers do, while none of it makes progress."""
    standing = sum(_is_open(line) for line in lines)
    return f"{standing:,}", standing == 0


def _is_open(line: socket.socket) -> bool:
    line.setblocking(False)
    try:
        while line.recv(4096):
            pass
        return False
    except BlockingIOError:
        return True
    except OSError:
        return False
