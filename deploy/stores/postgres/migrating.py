"""PostgreSQL part of ``deploy/stores/migrating.py``: lock, queries and roles."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from yoyo.backends.core.postgresql import PostgresqlPsycopgBackend

from deploy.stores.postgres import append, roles
from deploy.stores.postgres.connections import AnyConnection, dialect
from deploy.stores.statements import Anonymous

_LOCK = 7_103_481_002  # an arbitrary number for an advisory lock, not the writers' one
_WAIT = "60s"  # for another process that migrates
_GUARD = """
SELECT count(*) FROM pg_trigger
WHERE tgrelid = to_regclass('events') AND tgname = 'events_are_append_only' AND tgenabled IN ('O', 'A')
"""


class Backend(Anonymous, PostgresqlPsycopgBackend):
    def connect(self, dburi: Any) -> psycopg.Connection:
        return psycopg.connect(dburi.url, autocommit=True)


def rows(url: str, *selects: str) -> list[list[tuple[Any, ...]]]:
    """Return the rows of each SELECT; none for a missing table."""
    with psycopg.connect(url, autocommit=True) as connection:
        return [_rows(connection, select) for select in selects]


def _rows(connection: AnyConnection, select: str) -> list[tuple[Any, ...]]:
    try:
        # before the first migration there is no table
        return connection.execute(select.encode()).fetchall()
    except psycopg.errors.UndefinedTable:
        return []


def run(url: str, sql: str, values: Sequence[object]) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        append.enable_sync_commit(connection)
        connection.execute(dialect(sql), values)


def has(url: str, table: str) -> bool:
    with psycopg.connect(url, autocommit=True) as connection:
        return connection.execute("SELECT to_regclass(%s) IS NOT NULL", (table,)).fetchone() == (True,)


def grant_serving_role(url: str, role: str | None) -> list[str]:
    """Grant the role, or else the one that serves already, the rights it needs; return the names. Raises ``GrantError``."""
    with psycopg.connect(url, autocommit=True) as connection:
        found = [role] if role else roles.serving_roles(connection)
        for name in found:
            roles.grant(connection, name)
    return found


def has_guards(url: str) -> bool:
    """Return whether our trigger keeps events from being changed."""
    with psycopg.connect(url, autocommit=True) as connection:
        return connection.execute(_GUARD).fetchone() == (1,)


@contextmanager
def migration_lock(url: str) -> Iterator[None]:
    """Hold a lock for as long as the connection lives, so that a killed process leaves nothing behind, unlike the library's own lock."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SELECT set_config('lock_timeout', %s, false)", (_WAIT,))
        connection.execute("SELECT pg_advisory_lock(%s)", (_LOCK,))
        yield
