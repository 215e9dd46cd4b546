"""What migrating needs of PostgreSQL."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from yoyo.backends.core.postgresql import PostgresqlPsycopgBackend

from deploy.stores.anonymous import Anonymous

_LOCK = 7_103_481_002  # an arbitrary number for an advisory lock, not the writers' one
_WAIT = "60s"  # for another process that migrates


class Backend(Anonymous, PostgresqlPsycopgBackend):  # type: ignore[misc]
    def connect(self, address: Any) -> psycopg.Connection:
        return psycopg.connect(address.url, autocommit=True)


def applied(url: str, sql: str) -> set[str]:
    try:
        with psycopg.connect(url, autocommit=True) as connection:
            return {name for (name,) in connection.execute(sql.encode())}
    except psycopg.errors.UndefinedTable:
        return set()


@contextmanager
def alone(url: str) -> Iterator[None]:
    """Held for as long as the connection lives, so that a killed process leaves nothing behind, unlike the library's own lock."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SELECT set_config('lock_timeout', %s, false)", (_WAIT,))
        connection.execute("SELECT pg_advisory_lock(%s)", (_LOCK,))
        yield
