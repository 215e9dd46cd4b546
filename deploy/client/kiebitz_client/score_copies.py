"""A copy of the score lines in SQLite: synchronized with ``changed_since``, and read anew where a change of epoch requires it."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from kiebitz_client.errors import EpochChangedError, UnavailableError
from kiebitz_client.retries import RetryPolicy, call
from kiebitz_client.steps import LostError, Pause, Read, Reply, Request, Steps

LINES = "/v1/scores"
COLUMNS = "/v1/schemas/scores"
_KEY = ("tournament", "round", "table", "game", "position", "seat", "row")
_TYPES = {"integer": "INTEGER", "number": "REAL", "boolean": "INTEGER"}


class SyncReport(Struct, frozen=True, kw_only=True):
    """``as_of``: the sequence that the copy shows. ``complete``: it was read anew as a whole."""

    as_of: int
    changed: int
    withdrawn: int
    complete: bool


class _Place(Struct, frozen=True):
    """The sequence and the epoch up to which the copy is synchronized; ``form``: of which lines and columns."""

    as_of: int
    epoch: str
    form: str = ""


def copy_scores(path: str | Path, filters: dict[str, Any], policy: RetryPolicy) -> Steps[SyncReport]:
    """Bring the table ``scores`` of a SQLite file up to date, in one transaction."""
    schema = msgspec.json.decode((yield from call(Request(method="GET", path=COLUMNS), policy)).body)
    fields = schema["fields"]
    form = msgspec.json.encode([schema["version"], [field["name"] for field in fields], filters], order="sorted").decode()
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        place = _read_place(database, form)
        attempt = 0
        while True:
            attempt += 1
            try:
                with database:
                    database.execute("BEGIN IMMEDIATE")
                    report, reached = yield from _update(database, fields, filters, place, policy)
                    _save_place(database, msgspec.structs.replace(reached, form=form))
                return report
            except EpochChangedError as change:
                # A line that changed after ``common`` has lost its earlier state here: then only a new copy is right.
                keeps = place is not None and change.common is not None and place.as_of <= change.common
                place = msgspec.structs.replace(place, epoch=change.epoch) if place and keeps else None
            except LostError as error:
                if (pause := policy.pause(attempt)) is None:
                    raise UnavailableError(f"the lines broke off {attempt} times: {error}") from error
                yield Pause(pause)


def _update(
    database: sqlite3.Connection, fields: Sequence[dict[str, Any]], filters: dict[str, Any], place: _Place | None, policy: RetryPolicy
) -> Steps[tuple[SyncReport, _Place]]:
    columns = [field["name"] for field in fields]
    if place is None:
        _create(database, fields)
    since = {} if place is None else {"changed_since": place.as_of}
    epoch = {} if place is None else {"Kiebitz-Epoch": place.epoch}
    query = {**filters, **since, "format": "ndjson"}
    reply: Reply = yield from call(Request(method="GET", path=LINES, query=query, headers=epoch, stream=True), policy)
    changed = withdrawn = 0
    rest = b""
    while (piece := (yield Read())) is not None:
        *lines, rest = (rest + piece).split(b"\n")
        rows = [msgspec.json.decode(line) for line in lines if line]
        gone = [row for row in rows if row["state"] == "withdrawn"]
        _write(database, columns, [row for row in rows if row["state"] != "withdrawn"], gone)
        changed, withdrawn = changed + len(rows) - len(gone), withdrawn + len(gone)
    as_of = int(reply.headers["kiebitz-as-of"])
    report = SyncReport(as_of=as_of, changed=changed, withdrawn=withdrawn, complete=place is None)
    return report, _Place(as_of, reply.epoch)


def _read_place(database: sqlite3.Connection, form: str) -> _Place | None:
    """Return the place of the copy; ``None`` for a new one, and where filters or columns are others."""
    database.execute("CREATE TABLE IF NOT EXISTS kiebitz_place (as_of INTEGER, epoch TEXT, form TEXT)")
    row = database.execute("SELECT as_of, epoch, form FROM kiebitz_place").fetchone()
    return _Place(*row) if row and row[2] == form else None


def _save_place(database: sqlite3.Connection, place: _Place) -> None:
    database.execute("DELETE FROM kiebitz_place")
    database.execute("INSERT INTO kiebitz_place VALUES (?, ?, ?)", (place.as_of, place.epoch, place.form))


def _create(database: sqlite3.Connection, fields: Sequence[dict[str, Any]]) -> None:
    database.execute("DROP TABLE IF EXISTS scores")
    columns = ", ".join(f'"{field["name"]}" {_TYPES.get(field["type"], "TEXT")}' for field in fields)
    database.execute(f"CREATE TABLE scores (key TEXT PRIMARY KEY, {columns}) WITHOUT ROWID")


def _write(database: sqlite3.Connection, columns: Sequence[str], rows: Sequence[dict[str, Any]], gone: Sequence[dict[str, Any]]) -> None:
    marks = ", ".join("?" * (len(columns) + 1))
    named = ", ".join(f'"{name}"' for name in columns)
    database.executemany(f"INSERT OR REPLACE INTO scores (key, {named}) VALUES ({marks})", _values(columns, rows))
    database.executemany("DELETE FROM scores WHERE key = ?", [(_key(row),) for row in gone])


def _values(columns: Sequence[str], rows: Sequence[dict[str, Any]]) -> Iterator[list[Any]]:
    return ([_key(row), *(row.get(name) for name in columns)] for row in rows)


def _key(row: dict[str, Any]) -> str:
    """Return the key of a line as one text, because parts of it may be null."""
    return msgspec.json.encode([row.get(name) for name in _KEY]).decode()
