"""A hall that plays on a cluster: tables, listeners at each of them, and followers of the feed. Each notes what he was told, and when."""

import json
import random
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import httpx

from tests.deploy.serving import done
from tests.faults import failover, following
from tests.faults.play import Ledger
from tests.faults.scene import caller

PACE = 0.5  # seconds between two moves of a table: as quick as people who are quick
PATIENCE = 120.0  # seconds within which everybody has heard of everything once play has ended
_WAIT = 5  # seconds of a waiting request


class Table(following.PacedTable):
    """Notes when it was answered, and after how long."""

    pace = PACE

    def __init__(self, urls: list[str], token: str, enough: threading.Event) -> None:
        super().__init__(urls, token, enough)
        self.answered: list[tuple[float, float]] = []

    def _step(self, game: str) -> None:
        begin = time.monotonic() + self.pace
        super()._step(game)
        now = time.monotonic()
        self.answered.append((now, now - begin))

    def longest_pause(self, begin: float, end: float) -> float:
        """That a table, and a move at it, took within this time, however often they were asked for."""
        return max((seconds for at, seconds in [*self.answered] if begin <= at <= end), default=0)


class FeedReader(threading.Thread):
    """Reads the feed as docs/feed.md says, with waiting requests, through any of the services."""

    def __init__(self, urls: Sequence[str], token: str) -> None:
        super().__init__(daemon=True)
        self.follower = failover.Follower(wait=_WAIT)
        self.enough = threading.Event()
        self._clients = [caller(url, token) for url in urls]
        self._chance = random.Random(token)

    def run(self) -> None:
        while not self.enough.is_set():
            with suppress(httpx.HTTPError, AssertionError):
                self.follower.read(self._chance.choice(self._clients))


class FeedListener(following.Follower):
    """The same by server-sent events: who is told of another epoch goes on from what is common to both."""

    epoch = ""
    sent_back = 0

    def _follow(self, url: str, messages: int) -> None:
        path, self._path = self._path, f"/v1/feed?epoch={self.epoch}" if self.epoch else "/v1/feed"
        try:
            super()._follow(url, messages)
        except httpx.HTTPStatusError as error:
            problem = json.loads(error.response.read())
            if problem.get("code") != "epoch_changed":
                raise
            self.sent_back += 1
            self.epoch = problem["epoch"]
            self.told = [(sequence, entry) for sequence, entry in self.told if sequence <= problem.get("common", 0)]
        finally:
            self._path = path


class Hall:
    """``urls``: of the services. ``play`` goes on until ``close``."""

    def __init__(self, urls: list[str], token: str, viewer: str, tables: int) -> None:
        self.urls, self.token = urls, token
        self._enough = threading.Event()
        self._callers = ThreadPoolExecutor(tables)
        self._ends: dict[str, int] = {}
        self.tables = [Table(urls, token, self._enough) for _ in range(tables)]
        self._playing: list[Future[Ledger]] = [self._callers.submit(table.play) for table in self.tables]
        while not all(table.answered for table in self.tables):
            time.sleep(0.1)
        self.listeners = [self._listener(table.ledger.game, whose) for table in self.tables for whose in (token, viewer)]
        self.feed = FeedReader(urls, token)
        self.feed.start()
        self.feed_listener = FeedListener(urls, token, "/v1/feed", lambda: self._ends.get("feed"))

    def wait_for_all(self, patience: float) -> None:
        """Until each table was answered twice from now on: the first answer may have been on its way before."""
        begin = time.monotonic()
        while any(len([at for at, _ in table.answered[-3:] if at > begin]) < 2 for table in self.tables):
            assert time.monotonic() - begin < patience, "tables do not go on"
            assert not any(one.done() for one in self._playing), [one.exception() for one in self._playing if one.done()]
            time.sleep(0.05)

    def close(self) -> list[Ledger]:
        """Ends play, and waits until everybody has been told of everything, or gives up."""
        self._enough.set()
        ledgers = [one.result() for one in self._playing]
        with caller(self.urls[0], self.token, 120) as client:
            ends = {ledger.game: int(done(client.get(f"/v1/games/{ledger.game}"))["position"]) for ledger in ledgers}
            head = int(done(client.get("/v1/feed"))["head"])
        self._ends |= {**ends, "feed": head}
        for listener in (*(listener for listener, _, _ in self.listeners), self.feed_listener):
            listener.join(PATIENCE)
        self._wait_for_feed(head)
        return ledgers

    def _wait_for_feed(self, head: int) -> None:
        deadline = time.monotonic() + PATIENCE
        while self.feed.follower.next < head and time.monotonic() < deadline:
            time.sleep(0.1)
        self.feed.enough.set()
        self.feed.join(PATIENCE)

    def _listener(self, game: str, whose: str) -> tuple[following.Follower, str, str]:
        follower = following.Follower(self.urls, whose, f"/v1/games/{game}/stream?tables=true", lambda: self._ends.get(game))
        return follower, whose, game

    def sequences(self) -> dict[str, list[Any]]:
        """What the followers of the feed have, in the end."""
        return {"waiting requests": sorted(self.feed.follower.entries), "a stream": [sequence for sequence, _ in self.feed_listener.told]}
