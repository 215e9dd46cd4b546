"""A rolling upgrade on PostgreSQL: two processes are replaced one after the other by a newer version, and one of them again by the older,
while tables are played. The newer version is a copy of this one with a higher number, which may share the store with it.
"""

import re
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import kiebitz
from domain.version import VERSION
from tests.deploy.serving import done, until
from tests.faults.killing import lost_or_doubled
from tests.faults.play import PlayingTable
from tests.faults.scene import Finding, Watched, traced, watched
from tests.npm import started
from tests.postgres import fresh_database, running_server

NEWER = "9.0.0"
TABLES = 4
EVENTS = 40
"""That are acknowledged at each table between two replacements."""
Start = Callable[..., Watched]
Options = dict[str, Any]


def findings() -> Iterator[Finding]:
    with running_server() as database, TemporaryDirectory() as name, ExitStack() as stack:
        url = fresh_database(database)
        command = (sys.executable, "-P", str(copy_version(Path(name))))
        newer: Options = {"command": command, "PYTHONPATH": name}

        def start(*flags: object, **how: Any) -> Watched:
            return stack.enter_context(watched("--database-url", url, *flags, **how))

        services = [start("--migrate"), start()]
        told = started(*command, "migrate", "--database-url", url, PYTHONPATH=name)
        yield Finding("the newer version migrates while the older serves", told.stdout.strip(), told.returncode == 0)
        yield from _replace(services, start, [(0, newer), (1, newer), (0, {})])
        yield from traced([trace for service in services for trace in service.traces()])


def copy_version(folder: Path) -> Path:
    """Write the product as a newer version into the folder; return its entry point."""
    for name in kiebitz.PACKAGES:
        shutil.copytree(kiebitz.HERE / name, folder / name)
    file = folder / "domain" / "version.py"
    file.write_text(re.sub(r'"[\d.]+"', f'"{NEWER}"', file.read_text(encoding="utf-8")), encoding="utf-8")
    return Path(shutil.copy(kiebitz.HERE / "kiebitz.py", folder))


def _replace(services: list[Watched], start: Start, steps: list[tuple[int, Options]]) -> Iterator[Finding]:
    """Play on both, and replace one after the other at its address."""
    urls, token = [service.server.url for service in services], services[0].server.token or ""
    enough = threading.Event()
    tables = [PlayingTable(urls, token, enough) for _ in range(TABLES)]
    with ThreadPoolExecutor(TABLES) as pool:
        played = [pool.submit(table.play) for table in tables]
        try:
            for number, how in steps:
                _play_on(tables)
                services[number].server.end()
                services[number] = fresh = start("--port", urls[number].rpartition(":")[2], **how)
                yield Finding(f"service {number + 1} is replaced by", _version(fresh), _version(fresh) == (NEWER if how else VERSION))
            _play_on(tables)
        finally:
            enough.set()
        yield from lost_or_doubled("rolling", urls[0], token, [table.result() for table in played])


def _play_on(tables: list[PlayingTable]) -> None:
    goals = [(table, len(table.ledger.acknowledged) + EVENTS) for table in tables]
    until(lambda: all(len(table.ledger.acknowledged) >= goal for table, goal in goals))


def _version(service: Watched) -> str:
    with service.server.client() as client:
        return str(done(client.get("/health/live"))["version"])
