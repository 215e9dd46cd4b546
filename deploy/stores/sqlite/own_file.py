"""SQLite files of programs that have no store: of a witness, of a monitor."""

from collections.abc import Iterable
from pathlib import Path
from sqlite3 import Error

from deploy.stores.sqlite.connections import LASTING, SqliteDatabase
from domain.errors import Unavailable


def laid_out(file: Path, tables: Iterable[str]) -> SqliteDatabase:
    """The file with these tables, which are made where they are not there. It raises ``Unavailable`` where it cannot be used."""
    database = SqliteDatabase(file, _unavailable, "rwc", LASTING)
    with database.transaction() as connection:
        for table in tables:
            connection.execute(table)
    return database


def _unavailable(error: Error) -> Exception:
    return Unavailable(str(error), unclear=False)
