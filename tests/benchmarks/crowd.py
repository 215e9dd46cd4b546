"""50 readers of a kind who want what is expensive, again and again: ``readers.py`` starts them. Whoever is told to come back later does.

``python -m tests.benchmarks.crowd KIND URL GAMES LONG DIRECTOR VIEWER …`` says when all are at work, and at the end of its standard input
what they got.
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

from deploy.system.startup import lower_priority

Reader: TypeAlias = Callable[[str, str, int], str]
"""From address, token and number of games: what became of one question."""

_CHANCE = Random(1)
_LONG = list[str]()
_RECORD = list[bytes]()
_GOT = Counter[str]()


def main(kind: str, url: str, games: int, long: str, director: str, viewers: list[str]) -> None:
    """``long``: the id of a game of thousands of events. The others are tokens."""
    lower_priority()
    _LONG.append(f"/v1/games/{long}")
    _RECORD.append(_told(url, f"{_LONG[0]}/record", director))
    readers = cycle(KINDS[kind] if kind in KINDS else [reader for some in KINDS.values() for reader in some])
    for _, reader, viewer in zip(range(READERS), readers, cycle(viewers), strict=False):
        token = director if reader in _OFFICIAL else viewer
        Thread(target=_again_and_again, args=(reader, url, token, games), daemon=True).start()
    print(READERS, flush=True)
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


def audit(url: str, token: str, games: int) -> str:
    return _asked(url, f"{_LONG[0]}/audit", token)


def anonymous_audit(url: str, token: str, games: int) -> str:
    return _asked(url, f"{_LONG[0]}/audit", None)


def proof(url: str, token: str, games: int) -> str:
    return _asked(url, f"{_LONG[0]}/proof", token)


def record(url: str, token: str, games: int) -> str:
    return _asked(url, f"{_LONG[0]}/record", token)


def branches(url: str, token: str, games: int) -> str:
    moves = [{"seat": seat % 2, "move": {"type": "draw"}} for seat in range(200)]
    return _asked(url, f"{_LONG[0]}/branches", token, json.dumps({"position": 100, "moves": moves}).encode())


def replay(url: str, token: str, games: int) -> str:
    return _asked(url, f"{_LONG[0]}/replay?limit=1000", token)


def page(url: str, token: str, games: int) -> str:
    return _asked(url, _LONG[0].replace("/v1/games", "/g"), None)


def trial_import(url: str, token: str, games: int) -> str:
    return _asked(url, "/v1/records?dry_run=true", token, _RECORD[0])


def standings(url: str, token: str, games: int) -> str:
    return _asked(url, f"{FIELD}/standings", token)


def standings_page(url: str, token: str, games: int) -> str:
    return _asked(url, FIELD.replace("/v1/tournaments", "/t"), None)


def draw(url: str, token: str, games: int) -> str:
    return _asked(url, f"{FIELD}/rounds?dry_run=true", token, b"{}")


FIELD = "/v1/tournaments/field"
"""A tournament whose second round can be drawn."""
READERS = 50
KINDS: dict[str, tuple[Reader, ...]] = {
    "audits": (audit, anonymous_audit),
    "proofs": (proof,),
    "exports": (spreadsheet, pdf, record),
    "replays": (replay, branches),
    "pages": (page, docs),
    "standings": (standings, standings_page),
    "draws": (draw,),
    "imports": (trial_import,),
    "slow feeds": (slow_feed,),
}
_OFFICIAL = (trial_import, draw)


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


def _told(url: str, path: str, token: str) -> bytes:
    address = urlsplit(url)
    with closing(http.client.HTTPConnection(address.hostname or "", address.port)) as line:
        line.request("GET", path, headers={"Authorization": f"Bearer {token}"})
        return line.getresponse().read()


def _asked(url: str, path: str, token: str | None, body: bytes | None = None) -> str:
    """The status; where it says when to come again, that time later."""
    address = urlsplit(url)
    headers = {**({"Authorization": f"Bearer {token}"} if token else {}), **({"Content-Type": "application/json"} if body else {})}
    with closing(http.client.HTTPConnection(address.hostname or "", address.port)) as line:
        line.request("POST" if body else "GET", path, body, headers)
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
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4], sys.argv[5], sys.argv[6:])
