"""A filled store on each database, copied for every fault, and SQL on the copy by somebody who may do everything."""

import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import httpx
import psycopg

from deploy.compose import open_services
from deploy.config.settings import Settings
from deploy.demo.evening import record_evening
from tests.append_only import drop_triggers
from tests.deploy.serving import done, run, until
from tests.faults.scene import caller, watched
from tests.postgres import drop_database, fresh_database, running_server

Row: TypeAlias = tuple[Any, ...]


class Tampered(NamedTuple):
    """A copy of the store. ``arguments`` name it for the command line."""

    arguments: Sequence[object]
    execute: Callable[..., list[Row]]


Copies: TypeAlias = Callable[[], AbstractContextManager[Tampered]]


@contextmanager
def on_sqlite() -> Iterator[Copies]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "filled"
        _fill(Settings(data=folder), "--data", folder)

        @contextmanager
        def copied() -> Iterator[Tampered]:
            with tempfile.TemporaryDirectory() as copy:
                data = Path(copy) / "data"
                shutil.copytree(folder, data)
                with closing(sqlite3.connect(Settings(data=data).journal_file, isolation_level=None)) as db:
                    db.execute("PRAGMA journal_mode = DELETE")  # nothing opens a store whose log holds another event
                    drop_triggers(db)
                    yield Tampered(("--data", data), lambda sql, *values: db.execute(sql, values).fetchall())

        yield copied


@contextmanager
def on_postgres() -> Iterator[Copies]:
    with running_server() as server, tempfile.TemporaryDirectory() as keys:
        filled = fresh_database(server)
        run("migrate", "--database-url", filled)
        _fill(Settings(data=Path(keys), database_url=filled), "--database-url", filled, "--data", keys)

        @contextmanager
        def copied() -> Iterator[Tampered]:
            url = fresh_database(server, filled.rsplit("/", 1)[1])
            try:
                with psycopg.connect(url, autocommit=True) as db:
                    drop_triggers(db)
                    where = ("--database-url", url, "--data", keys)
                    yield Tampered(where, lambda sql, *values: _rows(db.execute(sql.replace("?", "%s"), values or None)))
            finally:
                drop_database(server, url)

        yield copied


def _rows(cursor: psycopg.Cursor[Row]) -> list[Row]:
    return cursor.fetchall() if cursor.description else []


def _fill(settings: Settings, *where: object) -> None:
    """The evening of the demo, with its disputes and a ruling; and a tournament of which only results were entered."""
    with open_services(settings, alone=settings.embedded) as services:
        ruled = record_evening(services).night["1/2"]
    token = run("tokens", "issue", "--role", "director", "--label", "faults", *where).stdout.split()
    secret = next(word for word in token if word.startswith("kb_"))
    with watched(*where) as (server, _), caller(server.url, secret) as director:
        done(director.post(f"/v1/games/{ruled}/notes", json={"text": "Both have seen the ruling."}))  # so that something follows on it
        _enter_results(director)
        until(lambda: _is_signed(director) or None)
        server.end()


def _is_signed(director: httpx.Client) -> bool:
    told = done(director.get("/health/ready"))
    return bool(told["log"]["signed"] == told["log"]["entries"] >= told["head"])


def _enter_results(director: httpx.Client) -> None:
    path = "/v1/tournaments/by-results"
    plan = {"id": "by-results", "ruleset": "casino", "seats": 2, "format": "swiss", "rounds": 3, "seed": "faults"}
    done(director.post("/v1/tournaments", json=plan))
    done(director.post(f"{path}/entries", json={"entries": [{"players": [f"faults-{number}"]} for number in range(1, 7)]}))
    for number in (1, 2):
        done(director.post(f"{path}/rounds", json={}))
        for table in done(director.get(f"{path}/rounds/{number}"))["tables"]:
            done(director.put(f"{path}/rounds/{number}/tables/{table['table']}/result", json={"points": [21, 14]}))
        done(director.post(f"{path}/rounds/{number}/closing", json={}))
    done(director.post(f"{path}/rounds", json={}))
