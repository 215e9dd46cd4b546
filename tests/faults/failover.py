"""A failover that loses the tail: a copy of the database takes its place, which lacks the newest events that were acknowledged and read.

Two processes serve it, and a follower reads the feed. Nobody may be told that the lost events are there, nor miss those that come instead.
"""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import Any

import httpx
import psycopg
from psycopg import sql

from tests.deploy.serving import done, open_game, play_on, run, until
from tests.faults.scene import Finding, caller, counted, traced, watched
from tests.postgres import Server, fresh_database, running_server

KEPT, LOST, NEW = 40, 20, 30
"""Moves before the copy, after it, and on it."""


class Follower:
    """Reads the feed as docs/feed.md says: an epoch that is over sends it back to the last common sequence. ``wait``: for news, seconds."""

    def __init__(self, wait: int = 0) -> None:
        self._wait = wait
        self.entries: dict[int, dict[str, Any]] = {}
        self.next = 0
        self.epoch: str | None = None
        self.sent_back: list[httpx.Response] = []

    def read(self, client: httpx.Client) -> None:
        while True:
            known = {"epoch": self.epoch} if self.epoch else {}
            answer = client.get("/v1/feed", params={"after": self.next, "limit": 1000, "wait": self._wait, **known})
            if answer.status_code == 409:
                self._go_back(answer)
                continue
            page = done(answer)
            self.entries |= {entry["sequence"]: entry for entry in page["entries"]}
            self.next, self.epoch = page["after"], page["epoch"]
            if not page["entries"]:
                return

    def _go_back(self, answer: httpx.Response) -> None:
        assert answer.json()["code"] == "epoch_changed", answer.text
        self.sent_back.append(answer)
        self.next = min(self.next, answer.json().get("common", 0))  # he may not have come that far
        self.epoch = answer.json()["epoch"]
        self.entries = {sequence: entry for sequence, entry in self.entries.items() if sequence <= self.next}


def findings() -> Iterator[Finding]:
    with running_server() as database, ExitStack() as stack:
        url = fresh_database(database)
        servers = [stack.enter_context(watched("--database-url", url, "--migrate")) for _ in range(2)]
        token = next(filter(None, (one.server.token for one in servers)))
        clients = [stack.enter_context(caller(one.server.url, token, 60)) for one in servers]
        yield from _failed_over(database, url, clients)
        yield from traced([trace for one in servers for trace in one.traces()])
        for one in servers:
            one.server.end()
        verified = run("projections", "verify", "--database-url", url)
        yield Finding("kiebitz projections verify", verified.stdout.strip().splitlines()[-1][:60], verified.returncode == 0)
        audited = run("audit", "--all", "--database-url", url)
        yield Finding("kiebitz audit --all", audited.stdout.strip().splitlines()[-1][:60], audited.returncode == 0)


def _failed_over(database: Server, url: str, clients: list[httpx.Client]) -> Iterator[Finding]:
    follower, game = Follower(), open_game(clients[0])
    _play(clients, game, KEPT)
    follower.read(clients[0])
    copy = _copied(database, url)
    last = _play(clients, game, LOST)
    follower.read(clients[1])
    lost = follower.entries.keys() - _sequences(copy)
    yield Finding("events lost by the failover", f"{len(lost)}", len(lost) >= LOST)
    _take_its_place(database, url, copy)
    # Before anything is recorded anew: what was lost is not said to be there.
    for number, client in enumerate(clients):
        answer = until(partial(_answered, client, last["sequence"]))
        seen = f"{answer.status_code} {answer.json().get('code', '')}"
        yield Finding(f"min_sequence of a lost event, process {number + 1}", seen, not answer.is_success)
    _play(clients, game, NEW)
    follower.read(clients[0])
    yield Finding("the follower is sent back", str([answer.status_code for answer in follower.sent_back]), len(follower.sent_back) == 1)
    missing = _sequences(url) ^ follower.entries.keys()
    yield counted("sequences that the follower and the store do not share", len(missing), len(follower.entries))
    histories = [done(client.get(f"/v1/games/{game}/history", params={"limit": 1000}))["events"] for client in clients]
    yield Finding("both processes tell the same history", f"{len(histories[0])} events", histories[0] == histories[1])


def _answered(client: httpx.Client, sequence: int) -> httpx.Response | None:
    """The first answer that does not merely say that the database is away."""
    with suppress(httpx.HTTPError):
        answer = client.get("/v1/games", params={"min_sequence": sequence})
        return None if answer.status_code == 503 and answer.json()["code"] == "unavailable" else answer
    return None


def _play(clients: list[httpx.Client], game: str, moves: int) -> dict[str, Any]:
    """On both processes in turn; answers what the last move was answered."""
    answers = [until(partial(_played, clients[number % 2], game)) for number in range(moves)]
    return answers[-1]


def _played(client: httpx.Client, game: str) -> dict[str, Any] | None:
    with suppress(AssertionError):
        return play_on(client, game)
    return None


def _sequences(url: str) -> set[int]:
    with psycopg.connect(url) as db:
        return {sequence for (sequence,) in db.execute("SELECT sequence FROM events")}


def _copied(database: Server, url: str) -> str:
    """The URL of a copy of the database as it is now. Its connections end for that; the service comes back by itself."""
    name = url.rsplit("/", 1)[1]
    with _closed_to_all(database, name) as admin:
        admin.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(f"{name}_copy"), sql.Identifier(name)))
    return database.url(f"{name}_copy")


def _take_its_place(database: Server, url: str, copy: str) -> None:
    name, copied = url.rsplit("/", 1)[1], copy.rsplit("/", 1)[1]
    with _closed_to_all(database, name) as admin:
        for old, new in ((name, f"{name}_lost"), (copied, name)):
            admin.execute(sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(old), sql.Identifier(new)))


@contextmanager
def _closed_to_all(database: Server, name: str) -> Iterator[psycopg.Connection]:
    """Nobody is connected to it, and nobody can connect."""
    allow = sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS {}")
    with psycopg.connect(database.url(), autocommit=True) as admin:
        admin.execute(allow.format(sql.Identifier(name), sql.SQL("false")))
        admin.execute("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = %s", (name,))
        try:
            yield admin
        finally:
            admin.execute(allow.format(sql.Identifier(name), sql.SQL("true")))
