"""Databases with tables, migrated once per process and copied, for tests that need them ready.

Each copy is a separate store with its own epoch, as if it had been migrated itself.
"""

import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg

from deploy.stores import migrating
from deploy.stores.migrating import is_sqlite, migrate
from deploy.stores.sqlite.connections import path_of
from deploy.system.private import private_file, private_folder
from tests.postgres import Server, fresh_database

_NEW_EPOCH = {
    "sqlite": "UPDATE epochs SET id = lower(hex(randomblob(8))), began_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
    "postgresql": "UPDATE epochs SET id = substr(md5(gen_random_uuid()::text), 1, 16), "
    """began_at = to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')""",
}


def migrated_file(path: Path) -> None:
    """Create a new embedded database at this path."""
    private_folder(path.parent)
    private_file(path)
    path.write_bytes(_embedded())
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("PRAGMA synchronous = OFF")
        file.execute(_NEW_EPOCH["sqlite"])


def migrated_database(server: Server) -> str:
    """Create a new database of the server; return its URL."""
    url = fresh_database(server, _template(server))
    with psycopg.connect(url) as connection:
        connection.execute(_NEW_EPOCH["postgresql"])
    return url


def copy_into_new_files() -> None:
    """Let the product create embedded databases in this process as copies, too. To run all scripts takes a tenth of a second each time.

    A database that has tables is migrated as always.
    """
    run_scripts, _ = migrating._apply, _embedded()

    def copy_or_run(url: str) -> list[str]:
        if not is_sqlite(url) or has_content(path_of(url)):
            return run_scripts(url)
        migrated_file(path_of(url))
        return migrating._list_scripts(url)

    migrating._apply = copy_or_run


def has_content(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


@cache
def _embedded() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "kiebitz.db"
        migrate(f"sqlite:///{path}")
        return path.read_bytes()


@cache
def _template(server: Server) -> str:
    url = fresh_database(server)
    migrate(url)
    return url.rsplit("/", 1)[1]
