"""SQLite file as one end of a store transfer."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from deploy.stores.sqlite.connections import connect
from deploy.stores.store_transfer import End, Row, Table, TransferConflictError


class SqliteEnd(End):
    """Implementation of ``End`` for SQLite. The caller holds the lock of the folder, so no service is at work there."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection = connect(path)

    @property
    def place(self) -> str:
        return str(self._path.stat().st_ino)

    def run(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        return self._connection.execute(sql, values).fetchall()

    def names(self) -> set[str]:
        return {name for (name,) in self.run("SELECT name FROM sqlite_schema WHERE type = 'table'")}

    def table(self, name: str) -> Table:
        found = self.run("SELECT name, pk FROM pragma_table_info(?)", (name,))
        key = sorted((place, column) for column, place in found if place)
        return Table(name, tuple(sorted(column for column, _ in found)), tuple(column for _, column in key))

    @contextmanager
    def rows(self, table: Table, after: int | None = None) -> Iterator[Iterator[Row]]:
        beyond, values = ("", ()) if after is None else ("WHERE sequence > ?", (after,))
        sql = f"SELECT {_list(table.columns)} FROM {table.name} {beyond} ORDER BY {_list(table.key)}"
        with closing(self._connection.execute(sql, values)) as rows:
            yield rows

    def append(self, table: Table, rows: Iterable[Row]) -> None:
        values = ", ".join("?" * len(table.columns))
        self._connection.executemany(f"INSERT INTO {table.name} ({_list(table.columns)}) VALUES ({values})", rows)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        with self._end_transaction():
            yield

    @contextmanager
    def lock(self) -> Iterator[None]:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:  # another process writes
            raise TransferConflictError from error
        with self._end_transaction():
            yield

    @contextmanager
    def _end_transaction(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self._connection.rollback()
            raise
        self._connection.execute("COMMIT")

    def require_exclusive(self) -> None: ...

    def claim(self) -> None: ...

    def finish_filling(self) -> None:
        """Do nothing: sequences continue after the highest that ever existed, and query plans need no statistics."""

    def close(self) -> None:
        self._connection.close()


def _list(columns: Iterable[str]) -> str:
    return ", ".join(f'"{column}"' for column in columns)
