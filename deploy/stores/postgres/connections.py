"""Connections to a PostgreSQL server (14 or newer): a pool for all in this process, and single ones for who needs one to himself."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import lru_cache
from typing import Any, TypeAlias

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import TupleRow
from psycopg_pool import ConnectionPool

from deploy.stores.errors import LACKS_RIGHTS, first_line

Connection: TypeAlias = psycopg.Connection[TupleRow]

WAIT = 5.0  # seconds for a connection of the pool

_DEFAULTS: dict[str, Any] = {"connect_timeout": 5, "keepalives_idle": 10, "keepalives_interval": 5, "tcp_user_timeout": 10_000}


class PostgresDatabase:
    """Safe to use from many threads. ``failure`` is what an error of the driver means to its users; it may be the error itself.

    Whatever the URL says counts more than what stands here, and its search path chooses the schema.
    """

    def __init__(
        self,
        url: str,
        failure: Callable[[psycopg.Error], Exception],
        size: int,
        configure: Callable[[Connection], None] | None = None,
        check: Callable[[Connection], None] | None = None,
    ) -> None:
        self._given = _DEFAULTS | conninfo_to_dict(url) | {"autocommit": True}
        self._failure = failure
        self.pool = ConnectionPool(
            "",
            kwargs=self._given,
            min_size=1,
            max_size=size,
            timeout=WAIT,
            reconnect_timeout=WAIT,  # then the next who asks tries at once; else the pool's pauses would double for minutes
            configure=configure,
            check=check,
            open=True,
        )

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """One of the pool, that nobody else uses meanwhile."""
        with self.translated(), self.pool.connection() as connection:
            yield connection

    def connect(self, **more: str) -> Connection:
        """One apart from the pool, for the caller to close. Raises the driver's errors."""
        return psycopg.connect(**{**self._given, **more})

    @contextmanager
    def translated(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as error:
            found = self._failure(error)
            if found is error:
                raise
            raise found from error

    def close(self) -> None:
        self.pool.close()


def for_reading(url: str) -> str:
    """The same database, for who writes nothing: the server refuses it."""
    given = conninfo_to_dict(url)
    return make_conninfo("", **{**given, "options": f"{given.get('options') or ''} -c default_transaction_read_only=on".strip()})


@lru_cache
def dialect(sql: str) -> Any:
    """As the driver wants it: a parameter is not a question mark."""
    return sql.replace("%", "%%").replace("?", "%s")


def denied(error: Exception) -> str:
    """What the server said of a right that the account lacks, and what helps, in one line."""
    return f"{first_line(error)}. {LACKS_RIGHTS}"


def server_time(url: str) -> datetime:
    with psycopg.connect(url, connect_timeout=5) as connection:
        [(now,)] = connection.execute("SELECT now()").fetchall()
    return now  # type: ignore[no-any-return]
