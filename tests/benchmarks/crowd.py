"""50 readers who want what is expensive, again and again: ``readers.py`` starts them. Whoever is told to come back later does.

``python -m tests.benchmarks.crowd URL GAMES TOKEN …`` says when all are at work, and at the end of its standard input what they got.
"""

import http.client
import json
import os
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import cycle
from random import Random
from threading import Thread
from typing import TypeAlias
from urllib.parse import urlsplit
from uuid import UUID

from deploy.giving_way import give_way

Reader: TypeAlias = Callable[[str, str, int], str]
"""From address, token and number of games: what became of one question."""

_CHANCE = Random(1)
_GOT = Counter[str]()


def main(url: str, games: int, tokens: list[str]) -> None:
    give_way()
    readers = [spreadsheet] * 20 + [slow_feed] * 15 + [pdf] * 10 + [docs] * 5
    for reader, token in zip(readers, cycle(tokens)):
        Thread(target=_again_and_again, args=(reader, url, token, games), daemon=True).start()
    print(len(readers), flush=True)
    sys.stdin.read()
    print(json.dumps(dict(sorted(_GOT.items()))), flush=True)
    os._exit(0)


def spreadsheet(url: str, token: str, games: int) -> str:
    return _asked(url, "/v1/scores?format=xlsx", token)


def pdf(url: str, token: str, games: int) -> str:
    game = UUID(int=_CHANCE.randrange(games), version=4)
    return _asked(url, f"/v1/games/{game}/score-sheet?format=pdf", token)


def docs(url: str, token: str, games: int) -> str:
    return _asked(url, "/docs", None)


def slow_feed(url: str, token: str, games: int) -> str:
    """A kilobyte twenty times a second."""
    with feed_reader(url, token) as line:
        status = line.recv(1024)[9:12].decode()
        while status == "200" and line.recv(1024):
            time.sleep(0.05)
        return status


@contextmanager
def feed_reader(url: str, token: str) -> Iterator[socket.socket]:
    """Has asked for the whole feed, and takes no more of it at a time than it must."""
    address = urlsplit(url)
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect((address.hostname, address.port))
        head = f"GET /v1/feed HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {token}\r\nAccept: application/x-ndjson\r\n"
        line.sendall(f"{head}Connection: close\r\n\r\n".encode())
        yield line


def _asked(url: str, path: str, token: str | None) -> str:
    """The status; where it says when to come again, that time later."""
    address = urlsplit(url)
    with closing(http.client.HTTPConnection(address.hostname or "", address.port)) as line:
        line.request("GET", path, headers={"Authorization": f"Bearer {token}"} if token else {})
        answer = line.getresponse()
        while answer.read(64 * 1024):
            pass
        time.sleep(int(answer.headers.get("Retry-After", "0")))
        return str(answer.status)


def _again_and_again(reader: Reader, url: str, token: str, games: int) -> None:
    while True:
        try:
            status = reader(url, token, games)
        except (OSError, http.client.HTTPException) as error:
            status = type(error).__name__
        _GOT[f"{reader.__name__} {status}"] += 1


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
