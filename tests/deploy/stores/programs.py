"""Programs of other processes that use a store: ``python -P -m tests.deploy.stores.programs NAME URL …``."""

import os
import resource
import signal
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from uuid import UUID

from deploy.processes.journal_file import acquire_writer_lock
from deploy.stores.opening import open_end, open_events, open_projections
from deploy.stores.postgres import append
from deploy.stores.postgres.connections import Connection
from deploy.stores.store_transfer import begin, copy
from domain.journal.commits import OutcomeUnknownError, StoredEvent, StoreUnavailableError
from tests.deploy.stores.shortening import shorten


def append_events(url: str, game: str, number: str) -> None:
    """Append this many events; print the sequence of each."""
    with closing(open_events(url)) as events:
        for version in range(1, int(number) + 1):
            [sequence] = events.insert_events([StoredEvent(UUID(game), version, "move.played/1", b"{}")])
            print(sequence, flush=True)  # noqa: T201


def fill_disk(url: str, game: str) -> None:
    """Append events until no file can grow, and one more when files can; print the sequence of each."""
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    version, failures = 1, 0
    with closing(open_events(url)) as events:
        resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, most))  # as good as a full disk
        while failures < 3:
            try:
                print(*events.insert_events([StoredEvent(UUID(game), version, "move.played/1", bytes(5000))]))  # noqa: T201
                version += 1
            except (StoreUnavailableError, OutcomeUnknownError):
                failures += 1
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        print(*events.insert_events([StoredEvent(UUID(game), version, "move.played/1", b"")]))  # noqa: T201


def freeze_within_append(url: str) -> None:
    """Stop this process while it has the lock of those that append."""
    with Connection.connect(url, autocommit=True) as connection:
        append.prepare(connection)
        shorten(connection, "idle_in_transaction_session_timeout")
        with append.exclusive_transaction(connection):
            os.kill(os.getpid(), signal.SIGSTOP)


def open_and_close_projections(url: str) -> None:
    open_projections(url).close()


def kill_within_copy(source_url: str, target_url: str, rows: str) -> None:
    """Copy a store, and kill this process once this many rows are there."""
    source, target = open_end(source_url), open_end(target_url)
    left = int(rows)

    def count(copied: int) -> None:
        nonlocal left
        left -= copied
        if left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)

    with source.lock():
        begin(target, source.epoch()[0])
        copy(source, target, count, batch=4)


def hold_lock(file: str) -> None:
    """Hold the lock of a service until standard input ends."""
    with acquire_writer_lock(Path(file), "serve") as lock:
        lock.tell("http://127.0.0.1:8000")
        print("held", flush=True)  # noqa: T201
        sys.stdin.read()


PROGRAMS: dict[str, Callable[..., None]] = {
    "append": append_events,
    "copy": kill_within_copy,
    "fill": fill_disk,
    "freeze": freeze_within_append,
    "lock": hold_lock,
    "open": open_and_close_projections,
}

if __name__ == "__main__":
    PROGRAMS[sys.argv[1]](*sys.argv[2:])
