"""Databases with tables, migrated once per process and copied, for tests that need them ready.

Each copy is a separate store with its own epoch, as if it had been migrated itself.
"""

import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, LiteralString, NamedTuple

import psycopg
from psycopg import sql

from deploy.stores import migrating
from deploy.stores.migrating import is_sqlite, migrate
from deploy.stores.sqlite.connections import path_of
from deploy.system.private import private_file, private_folder
from tests.postgres import Server, end_other_connections, fresh_database, is_as_new

Connection = psycopg.Connection[tuple[Any, ...]]

_NEW_EPOCH: dict[str, LiteralString] = {
    "sqlite": "UPDATE epochs SET id = lower(hex(randomblob(8))), began_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
    "postgresql": "UPDATE epochs SET id = substr(md5(gen_random_uuid()::text), 1, 16), "
    """began_at = to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')""",
}

_OTHER_SCHEMAS = "SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname NOT IN ('information_schema', 'public')"
_SHAPE = """
WITH own AS (SELECT * FROM pg_class WHERE relnamespace = 'public'::regnamespace)
SELECT concat_ws(' ', relname, relkind, relpersistence, relowner, relacl, reloptions) AS line FROM own
UNION ALL SELECT concat_ws(' ', relname, attname, atttypid, attnotnull, attacl, attisdropped, attidentity, pg_get_expr(adbin, adrelid))
    FROM own JOIN pg_attribute ON attrelid = own.oid LEFT JOIN pg_attrdef ON adrelid = own.oid AND adnum = attnum
UNION ALL SELECT pg_get_indexdef(indexrelid) FROM pg_index JOIN own ON own.oid = indrelid
UNION ALL SELECT concat_ws(' ', relname, conname, pg_get_constraintdef(pg_constraint.oid)) FROM pg_constraint JOIN own ON own.oid = conrelid
UNION ALL SELECT concat_ws(' ', pg_get_triggerdef(pg_trigger.oid), tgenabled) FROM pg_trigger JOIN own ON own.oid = tgrelid
UNION ALL SELECT concat_ws(' ', pg_get_functiondef(oid), proowner, proacl) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
UNION ALL SELECT concat_ws(' ', nspname, nspowner, nspacl) FROM pg_namespace WHERE nspname = 'public'
ORDER BY line
"""


class _Template(NamedTuple):
    """Database that is copied: its name, the rows of its tables, and what describes its tables."""

    name: str
    rows: dict[str, bytes]
    shape: list[str]


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
    url = fresh_database(server, _template(server).name)
    with psycopg.connect(url) as connection:
        connection.execute(_NEW_EPOCH["postgresql"])
    return url


def renew_database(server: Server, url: str) -> bool:
    """Make a used copy as new, and return whether it is: not if somebody changed more than rows and tables of his own.

    On a busy machine it takes 0.03 s; to copy a database and to drop it takes a second.
    """
    try:
        with psycopg.connect(url) as connection:
            end_other_connections(connection)
            return _renew(connection, _template(server))
    except psycopg.Error:
        return False


def _renew(connection: Connection, template: _Template) -> bool:
    for schema in _list(connection, _OTHER_SCHEMAS):
        connection.execute(sql.SQL("DROP SCHEMA {} CASCADE").format(sql.Identifier(schema)))
    for table in _tables_of(connection) - template.rows.keys():
        connection.execute(sql.SQL("DROP TABLE {}").format(sql.Identifier(table)))
    if not is_as_new(connection) or _shape_of(connection) != template.shape:
        return False
    restore_rows(connection, template.rows)
    connection.execute(_NEW_EPOCH["postgresql"])
    return True


def restore_rows(connection: Connection, rows: dict[str, bytes]) -> None:
    """Fill each table of a store with these rows again, in the present transaction."""
    connection.execute("SET LOCAL session_replication_role = replica")  # without the triggers that keep events as they are
    for table, before in rows.items():
        if _copy_from(connection, table) != before:
            _fill(connection, sql.Identifier(table), before)
    connection.execute("ALTER TABLE events ALTER COLUMN sequence RESTART")


def copy_rows(connection: Connection) -> dict[str, bytes]:
    """Return the rows of each table."""
    return {name: _copy_from(connection, name) for name in _tables_of(connection)}


def _fill(connection: Connection, table: sql.Identifier, rows: bytes) -> None:
    connection.execute(sql.SQL("DELETE FROM {}").format(table))
    with connection.cursor().copy(sql.SQL("COPY {} FROM STDIN").format(table)) as copy:
        copy.write(rows)


def _copy_from(connection: Connection, table: str) -> bytes:
    with connection.cursor().copy(sql.SQL("COPY {} TO STDOUT").format(sql.Identifier(table))) as copy:
        return b"".join(bytes(part) for part in copy)


def _tables_of(connection: Connection) -> set[str]:
    return set(_list(connection, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"))


def _shape_of(connection: Connection) -> list[str]:
    return _list(connection, _SHAPE)


def _list(connection: Connection, query: LiteralString) -> list[str]:
    return [value for (value,) in connection.execute(query)]


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
def _template(server: Server) -> _Template:
    url = fresh_database(server)
    migrate(url)
    with psycopg.connect(url) as connection:
        return _Template(url.rsplit("/", 1)[1], copy_rows(connection), _shape_of(connection))
