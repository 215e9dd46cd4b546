"""Followers whose connections break, of services that are killed, for ten minutes: each is told everything once, in order, and as he may
see it.
"""

import json
import random
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
from httpx_sse import connect_sse

from tests.deploy.serving import done
from tests.faults.killing import Instance
from tests.faults.play import Ledger, PlayingTable
from tests.faults.scene import Finding, caller, counted, traced
from tests.postgres import fresh_database, running_server

SECONDS = 300.0
"""Of play on each of the two databases."""
TABLES = 4
CALM = 12.0  # seconds between two kills
PACE = 0.05  # seconds between two moves of a table
PATIENCE = 60.0  # seconds within which a follower has heard of everything once play has ended
READ = 20.0  # seconds of silence after which a follower takes his connection for dead: heartbeats come more often


class Follower(threading.Thread):
    """Takes messages until all are there. Now and then his connection breaks; then he comes again, to any server, with the last id."""

    def __init__(self, urls: Sequence[str], token: str, path: str, whole: Callable[[], int | None]) -> None:
        super().__init__(daemon=True)
        self.told: list[tuple[int, Any]] = []
        self.connected = self.broken = 0
        self._urls, self._token, self._path, self._whole = urls, token, path, whole
        self._chance = random.Random(path + token)
        self.start()

    @property
    def last(self) -> int:
        return self.told[-1][0] if self.told else 0

    def run(self) -> None:
        while (end := self._whole()) is None or self.last < end:
            try:
                self._follow(self._chance.choice(self._urls), self._chance.randint(1, 60))
            except (httpx.HTTPError, RuntimeError, ValueError):
                time.sleep(0.1)

    def _follow(self, url: str, messages: int) -> None:
        headers = {"Authorization": f"Bearer {self._token}", "Accept": "text/event-stream", "Last-Event-ID": str(self.last or "")}
        timeout = httpx.Timeout(READ)
        with httpx.Client(timeout=timeout) as client, connect_sse(client, "GET", url + self._path, headers=headers) as source:
            if source.response.is_error:
                source.response.read()  # what is wrong, for who looks at the error
            source.response.raise_for_status()
            self.connected += 1
            for message in source.iter_sse():
                if message.event == "over":
                    return
                if message.data and message.event == "message":
                    self.told.append((int(message.id), json.loads(message.data)))
                    messages -= 1
                if messages == 0 or self._is_whole():
                    self.broken += 1
                    return  # the connection is dropped, whatever the server still has for him

    def _is_whole(self) -> bool:
        end = self._whole()
        return end is not None and self.last >= end


class Waiter(Follower):
    """The same by waiting requests."""

    def _follow(self, url: str, messages: int) -> None:
        with caller(url, self._token) as client:
            for _ in range(messages):
                answer = done(client.get(f"{self._path}after={self.last}&wait=5"))
                self.told += [(frame["position"], frame) for frame in answer["frames"]]
                self.connected += 1
                if self._is_whole():
                    return


class PacedTable(PlayingTable):
    """Plays no quicker than people who are quick, and what is hidden stays hidden, so that frames are told the same later on."""

    opening = PlayingTable.opening | {"openness": "never", "options": {"target": 100}}
    pace = PACE

    def _step(self, game: str) -> None:
        time.sleep(self.pace)
        super()._step(game)


def findings() -> Iterator[Finding]:
    with tempfile.TemporaryDirectory() as folder:
        yield from _followed("SQLite, one process", ["--data", Path(folder) / "data"], 1)
    with running_server() as database:
        yield from _followed("PostgreSQL, two processes", ["--database-url", fresh_database(database), "--migrate"], 2)


def _followed(name: str, store: Sequence[object], number: int) -> Iterator[Finding]:
    with ExitStack() as stack:
        instances = [Instance(stack, store) for _ in range(number)]
        urls, token = [one.url for one in instances], next(filter(None, (one.token for one in instances)))
        with caller(urls[0], token) as client:
            viewer = str(done(client.post("/v1/tokens", json={"role": "viewer", "label": "v", "scope": "everything"}))["secret"])
        kills, ledgers, followers = _through(instances, urls, token, viewer)
        yield Finding(f"{name}: kills of a server", str(kills))
        yield from compared(name, urls[0], token, ledgers, followers)
        for one in instances:
            one.end()
        yield from traced([trace for one in instances for trace in one.traces], f"{name}: ")


def _through(
    instances: Sequence[Instance], urls: list[str], token: str, viewer: str
) -> tuple[int, list[Ledger], list[tuple[Follower, str, str]]]:
    """Plays while the servers are killed in turn. Who followed what, and with which token."""
    enough, ends, kills = threading.Event(), dict[str, int](), 0
    tables = [PacedTable(urls, token, enough) for _ in range(TABLES)]
    followers: list[tuple[Follower, str, str]] = []
    with ThreadPoolExecutor(TABLES) as callers:
        playing = [callers.submit(table.play) for table in tables]
        while not all(table.ledger.game for table in tables):
            time.sleep(0.1)
        for game in (table.ledger.game for table in tables):
            for whose in (token, viewer):
                followers += [
                    (kind(urls, whose, path, lambda game=game: ends.get(game)), whose, game)
                    for kind, path in ((Follower, f"/v1/games/{game}/stream?tables=true"), (Waiter, f"/v1/games/{game}/replay?"))
                ]
        begin = time.monotonic()
        while time.monotonic() - begin < SECONDS:
            time.sleep(CALM)
            instances[kills % len(instances)].kill()
            kills += 1
        enough.set()
        ledgers = [one.result() for one in playing]
    with caller(urls[0], token, 120) as client:
        ends |= {ledger.game: int(done(client.get(f"/v1/games/{ledger.game}"))["position"]) for ledger in ledgers}
    for follower, _, _ in followers:
        follower.join(PATIENCE)
    return kills, ledgers, followers


def compared(
    name: str, url: str, token: str, ledgers: Sequence[Ledger], followers: Sequence[tuple[Follower, str, str]]
) -> Iterator[Finding]:
    due = told = wrong = 0
    for follower, whose, game in followers:
        with caller(url, whose, 120) as client:
            frames = [_lasting(json.loads(line)) for line in _lines(client, game)]
        due += len(frames)
        told += len(follower.told)
        wrong += [(frame["position"], frame) for frame in frames] != [(id, _lasting(frame)) for id, frame in follower.told]
    broken = sum(follower.broken for follower, _, _ in followers)
    yield Finding(f"{name}: events of {len(ledgers)} tables", f"{due // (len(followers) // len(ledgers)):,}")
    yield Finding(
        f"{name}: connections that followers made, and dropped themselves", f"{sum(f.connected for f, _, _ in followers)}, {broken}"
    )
    yield counted(f"{name}: followers who were not told everything once, in order, as they may see it", wrong, len(followers))
    yield Finding(f"{name}: frames told, of those recorded", f"{told:,} of {due:,}", told == due)
    yield counted(f"{name}: legal commands refused", sum(len(one.refused) for one in ledgers), told)


def _lines(client: httpx.Client, game: str) -> list[str]:
    return client.get(f"/v1/games/{game}/replay", headers={"Accept": "application/x-ndjson"}).text.splitlines()


def _lasting(frame: dict[str, Any]) -> dict[str, Any]:
    """Without what becomes of it later."""
    return {key: value for key, value in frame.items() if key != "void"}
