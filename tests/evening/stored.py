"""What a store holds after an evening, row by row: events and registers, and the tables of the projections."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
from psycopg import sql

LEFT_OUT = {"commands": {"at"}, "tokens": set(), "epochs": {"began_at", "place"}, "webhooks": {"holder", "beat", "passed"}}
"""Columns that the database's own clock writes, and where it lies; and who sends, and when he looked."""
PASSED_OVER = ("yoyo", "_yoyo", "snapshots", "sqlite_", "projector", "product_versions")
"""Tables of which a version writes rows of its own: those of the migrations' tool, snapshots, which name the program that made them, and
who projects."""

Row = dict[str, Any]


def rows_in_folder(folder: Path) -> Iterator[Row]:
    for file in ("journal.db", "projections.db"):
        yield from rows_in_file(folder / file)


def rows_in_file(file: Path) -> Iterator[Row]:
    with closing(sqlite3.connect(file)) as connection:
        found = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").fetchall()
        for (table,) in found:
            if not table.startswith(PASSED_OVER):
                cursor = connection.execute(f'SELECT * FROM "{table}"')
                yield from _told(table, [column[0] for column in cursor.description], cursor.fetchall())


def rows_in_database(url: str) -> Iterator[Row]:
    names = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY table_name"
    with psycopg.connect(url) as connection:
        for (table,) in connection.execute(names).fetchall():
            if not table.startswith(PASSED_OVER):
                cursor = connection.execute(sql.SQL("SELECT * FROM {}").format(sql.Identifier(table)))
                yield from _told(table, [column.name for column in cursor.description or ()], cursor.fetchall())


def _told(table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[Row]:
    left_out = LEFT_OUT.get(table, set())
    told = [{name: _plain(value) for name, value in zip(columns, row, strict=True) if name not in left_out} for row in rows]
    return [{"table": table, "row": row} for row in sorted(told, key=_place)]


def _place(row: Row) -> tuple[Any, ...]:
    """Rows of either database in one order: by their sequence where they have one, else by what stands in them."""
    return (row.get("sequence") or 0, *map(str, row.values()))


def _plain(value: object) -> object:
    if isinstance(value, UUID):
        return value.hex
    if isinstance(value, bytes | memoryview):
        raw = bytes(value)
        return raw.hex() if len(raw) == 16 else raw.decode(errors="backslashreplace")
    return value if value is None or isinstance(value, int | str | float) else str(value)
