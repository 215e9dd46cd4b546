"""Kills and freezes of the service and of its database while tables are played on: nothing acknowledged is lost, nothing recorded twice."""

import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import httpx

from tests.deploy.freezing import children, frozen, send
from tests.deploy.serving import done, run, until
from tests.faults.play import Ledger, PlayingTable
from tests.faults.scene import Finding, Watched, caller, counted, traced, watched
from tests.postgres import Server, free_port, fresh_database, running_server

TABLES = 6
ROUNDS = 4
CALM = 2.0  # seconds of undisturbed play between two faults
FREEZE = 6.0  # seconds
_READY = "ready to accept connections"
"""What PostgreSQL says in its log when it has started or recovered."""

Fault = Callable[[], None]


class Instance:
    """One server at one port, started again after a kill."""

    def __init__(self, stack: ExitStack, arguments: Sequence[object]) -> None:
        self._stack = stack
        self._port = free_port()
        self._arguments = arguments
        self.traces: list[str] = []
        self.starts = 0
        self.start()

    def start(self) -> None:
        self._watched: Watched = self._stack.enter_context(watched("--port", self._port, *self._arguments))
        self.starts += 1

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    @property
    def token(self) -> str | None:
        return self._watched.server.token

    def kill(self) -> None:
        self._watched.server.kill()
        self.traces += self._watched.traces()
        self.start()

    def kill_helpers(self) -> None:
        """The processes that it started: that which projects, and that which keeps the log."""
        for child in children(self._watched.server.process.pid):
            send(child, signal.SIGKILL)

    def freeze(self) -> None:
        with frozen(self._watched.server.process.pid):
            time.sleep(FREEZE)

    def end(self) -> None:
        self._watched.server.end()
        self.traces += self._watched.traces()


def findings() -> Iterator[Finding]:
    yield from _on_sqlite()
    yield from _on_postgres()


def _on_sqlite() -> Iterator[Finding]:
    with tempfile.TemporaryDirectory() as folder:
        store = ["--data", Path(folder) / "data"]
        yield from _played("SQLite, one process", store, 1, lambda only, *_: [only.kill, only.kill_helpers, only.freeze])


def _on_postgres() -> Iterator[Finding]:
    with running_server() as database:
        store = ["--database-url", fresh_database(database), "--migrate"]

        def faults(first: Instance, second: Instance) -> list[Fault]:
            freeze, crash = (lambda: _freeze(database)), (lambda: _crash(database))
            return [first.kill, second.kill_helpers, freeze, second.freeze, crash, second.kill, first.kill_helpers, first.freeze]

        yield from _played("PostgreSQL, two processes", store, 2, faults)


def _freeze(database: Server) -> None:
    with frozen(database.process.pid):
        time.sleep(FREEZE)


def _crash(database: Server) -> None:
    """One of its processes killed: PostgreSQL ends all others and recovers from its log. A service that starts meanwhile would end."""
    log = database.folder / "log"
    starts = log.read_text().count(_READY)
    backends = children(database.process.pid)
    if backends:
        send(backends[-1], signal.SIGKILL)
        until(lambda: log.read_text().count(_READY) > starts)


def _played(name: str, store: Sequence[object], number: int, faults: Callable[..., list[Fault]]) -> Iterator[Finding]:
    with ExitStack() as stack:
        instances = [Instance(stack, store) for _ in range(number)]
        token = next(filter(None, (one.token for one in instances)))
        happened, ledgers = _through(instances, token, faults(*instances))
        yield from _compared(name, instances[0], token, happened, ledgers)
        for one in instances:
            one.end()
        yield from traced([trace for one in instances for trace in one.traces], f"{name}: ")
    of_store = [argument for argument in store if argument != "--migrate"]
    for command in (("audit", "--all"), ("projections", "verify")):
        finished = run(*command, *of_store)
        last = (finished.stdout.strip().splitlines() or [finished.stderr.strip()])[-1]
        yield Finding(f"{name}: kiebitz {' '.join(command)}", last[:60], finished.returncode == 0)


def _through(instances: Sequence[Instance], token: str, faults: Sequence[Fault]) -> tuple[int, list[Ledger]]:
    """Plays while the faults happen, each in its turn. How many there were, and what the callers were told."""
    enough = threading.Event()
    tables = [PlayingTable([one.url for one in instances], token, enough) for _ in range(TABLES)]
    with ThreadPoolExecutor(TABLES) as callers:
        playing: list[Future[Ledger]] = [callers.submit(table.play) for table in tables]
        try:
            for fault in [*faults] * ROUNDS:
                time.sleep(CALM)
                fault()
            time.sleep(CALM)
        finally:
            enough.set()
        return len(faults) * ROUNDS, [one.result() for one in playing]


def _compared(name: str, instance: Instance, token: str, happened: int, ledgers: Sequence[Ledger]) -> Iterator[Finding]:
    yield Finding(f"{name}: kills and freezes", str(happened))
    yield from lost_or_doubled(name, instance.url, token, ledgers)
    slowest = max(ledger.slowest for ledger in ledgers)
    yield Finding(f"{name}: slowest answer", f"{slowest:.1f} s", slowest <= 15 + FREEZE)  # a frozen server answers when it thaws


def lost_or_doubled(name: str, url: str, token: str, ledgers: Sequence[Ledger]) -> Iterator[Finding]:
    """What the tables were told, held against the histories."""
    lost = more = 0
    with caller(url, token, 120) as client:
        for ledger in ledgers:
            history = {event["position"]: (event["name"], event["body"]) for event in _history(client, ledger.game)}
            lost += sum(history.get(position) != event for position, event in ledger.acknowledged.items())
            more += len(history) - 1 - len(ledger.acknowledged)  # all but the opening was acknowledged, sooner or later
    acknowledged = sum(len(ledger.acknowledged) for ledger in ledgers)
    yield Finding(f"{name}: commands sent again", str(sum(ledger.again for ledger in ledgers)))
    yield counted(f"{name}: acknowledged events that are lost", lost, acknowledged)
    yield counted(f"{name}: events recorded twice", more, acknowledged)
    refused = [one for ledger in ledgers for one in ledger.refused]
    yield counted(f"{name}: legal commands refused", len(refused), acknowledged)
    for one in refused[:3]:
        yield Finding(f"{name}: refused", one[:100], False)


def _history(client: httpx.Client, game: str) -> Iterator[dict]:
    after = 0
    while True:
        events = done(client.get(f"/v1/games/{game}/history", params={"limit": 1000, "after": after}))["events"]
        yield from events
        if not events:
            return
        after = events[-1]["position"]
