"""The load generator: sends prepared requests over kept connections and tells how long each took. No framework, so that it costs little.

Closed: each caller sends the next request when the last is answered. Open: at a fixed rate, all callers in turn; a time counts from when
the request was due, also where the caller still waited for the answer before it.
"""

import select
import socket
from heapq import heapify, heappop, heappush
from time import perf_counter, process_time

import msgspec

from tests.benchmarks.moves.worker import work

_GAP = 0.02  # seconds until the first request, in which the connections settle


class Load(msgspec.Struct):
    """``ports``: to which the callers go, in turn. ``callers``: what each sends, as paths and bodies, in order. ``rate``: requests a second
    by all of them, None for a closed loop. ``heads``: further lines of the head, of each caller, as the caller's own token.
    """

    ports: tuple[int, ...]
    token: str
    callers: list[list[tuple[str, str]]]
    rate: float | None = None
    heads: list[str] = []


class Sent(msgspec.Struct):
    """``latencies`` in seconds; ``cpu`` of the generator."""

    seconds: float
    latencies: list[float]
    cpu: float = 0.0


class Caller:
    def __init__(self, number: int, load: Load) -> None:
        self.number = number
        self.due = 0.0
        self.line = socket.create_connection(("127.0.0.1", load.ports[number % len(load.ports)]))
        self.line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        head = load.heads[number] if load.heads else f"Authorization: Bearer {load.token}\r\n"
        self._requests = [_request(head, path, body.encode()) for path, body in reversed(load.callers[number])]
        self._heard = b""

    @property
    def is_through(self) -> bool:
        return not self._requests

    def send(self, due: float) -> None:
        self.due = due
        self.line.sendall(self._requests.pop())

    def hear(self) -> bool:
        """Whether the answer is complete. Raises ``RuntimeError`` if it is not the one that was hoped for."""
        heard = self.line.recv(65536)
        self._heard += heard
        head, ended, body = self._heard.partition(b"\r\n\r\n")
        if not heard or (ended and b" 20" not in head[:12] and b" 304" not in head[:13]):
            raise RuntimeError(self._heard.decode())
        if not ended or len(body) < int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0] or 0):
            return False
        self._heard = b""
        return True


def _request(more: str, path: str, body: bytes) -> bytes:
    method = "POST" if body else "GET"
    head = f"{method} {path} HTTP/1.1\r\nHost: bench\r\n{more}"
    return f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def send(load: Load) -> Sent:
    callers = [Caller(number, load) for number in range(len(load.callers))]
    pause = None if load.rate is None else len(callers) / load.rate
    cpu, start = process_time(), perf_counter() + _GAP
    due = [(start + number / (load.rate or 1e9), number) for number in range(len(callers))]
    latencies = _sent(callers, due, pause)
    seconds = perf_counter() - start
    for caller in callers:
        caller.line.close()
    return Sent(seconds, latencies, process_time() - cpu)


def _sent(callers: list[Caller], due: list[tuple[float, int]], pause: float | None) -> list[float]:
    heapify(due)
    waiting: dict[socket.socket, Caller] = {}
    latencies: list[float] = []
    while due or waiting:
        while due and due[0][0] <= perf_counter():
            at, number = heappop(due)
            callers[number].send(at)
            waiting[callers[number].line] = callers[number]
        # Not epoll: it waits for whole milliseconds.
        ready, _, _ = select.select(list(waiting), [], [], max(0.0, due[0][0] - perf_counter()) if due else None)
        for caller in [waiting[line] for line in ready]:
            if caller.hear():
                now = perf_counter()
                latencies.append(now - caller.due)
                del waiting[caller.line]
                if not caller.is_through:
                    heappush(due, (now if pause is None else caller.due + pause, caller.number))
    return latencies


if __name__ == "__main__":
    work(Load, send)
