"""Factory functions that open the store a URL names, SQLite or PostgreSQL.

Modules for PostgreSQL are imported on demand: a command on an embedded database should not wait for them.
"""

from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

from deploy.stores.log import POSTGRES_TYPES, SQLITE_TYPES, SqlCosignatures, SqlLogTree, SqlTrustedCheckpoints
from deploy.stores.migrating import is_sqlite, require_migrated
from deploy.stores.sqlite.connections import READING, path_of
from deploy.stores.sqlite.journal import SqliteEventStore
from deploy.stores.sqlite.projections import SqliteProjections
from deploy.stores.sqlite.store_transfer import SqliteEnd
from deploy.stores.statements import ANSWER
from deploy.stores.store_transfer import End
from domain.journal.store import EventStore, Pool
from projections.engine.store import Store

if TYPE_CHECKING:
    from deploy.stores.postgres.journal import PostgresEventStore
    from deploy.stores.postgres.projections import PostgresProjections

OpenedEvents: TypeAlias = "SqliteEventStore | PostgresEventStore"


@runtime_checkable
class Pooled(Protocol):
    """A store whose readers share connections."""

    def pool(self) -> Pool: ...


def open_events(url: str, answer: float = ANSWER, *, read_only: bool = False) -> OpenedEvents:
    """Open the events and registers at sqlite:///absolute/path.db or postgresql://….

    ``answer``: seconds that a reader waits for each reply of a server. Raises ``MigrationRequiredError`` if tables are missing or older.
    """
    require_migrated(url)
    if is_sqlite(url):
        return SqliteEventStore(path_of(url), READING if read_only else ())
    from deploy.stores.postgres.connections import for_reading
    from deploy.stores.postgres.journal import PostgresEventStore

    return PostgresEventStore(for_reading(url) if read_only else url, answer)


def load_drivers(url: str) -> None:
    """Import the drivers now, for a process whose forks should share them in memory."""
    if not is_sqlite(url):
        from deploy.stores.postgres import journal, projections  # noqa: F401


def open_projections(
    url: str, answer: float = ANSWER, *, read_only: bool = False, create: bool = True, holder: str | None = None
) -> "SqliteProjections | PostgresProjections":
    """Open the tables of the projections. Their SQLite file is not that of the events; it is created if it does not exist.

    ``read_only``: nothing can be written. Without ``create`` no file is made, and a missing one counts as one without tables. ``holder``:
    the name under which this process leads, where several may.
    """
    if url.startswith("sqlite:"):
        return SqliteProjections(path_of(url), READING if read_only else (), create=create and not read_only)
    from deploy.stores.postgres.connections import for_reading
    from deploy.stores.postgres.projections import PostgresProjections

    return PostgresProjections(for_reading(url) if read_only else url, answer, holder)


def open_end(url: str) -> End:
    """Open one end of a transfer. The embedded file has to exist; its tables need not."""
    if is_sqlite(url):
        return SqliteEnd(path_of(url))
    from deploy.stores.postgres.store_transfer import PostgresEnd

    return PostgresEnd(url)


def pools_of(events: EventStore, projections: Store) -> dict[str, Pool]:
    """Return the connection pools by purpose. An embedded database has none: nobody waits for a connection to it."""
    opened = {"journal": events, "projections": projections}
    return {name: one.pool() for name, one in opened.items() if isinstance(one, Pooled)}


def open_cosignatures(url: str, *, create: bool = True) -> SqlCosignatures:
    """Open the cosignatures of witnesses, beside the tree of the log, with separate connections."""
    return SqlCosignatures(open_projections(url, create=create))


def open_log_tree(url: str, *, read_only: bool = False, create: bool = True) -> SqlLogTree:
    """Open the tree of the log: tables beside those of the projections in PostgreSQL, else a separate file."""
    return SqlLogTree(open_projections(url, read_only=read_only, create=create), SQLITE_TYPES if is_sqlite(url) else POSTGRES_TYPES)


def open_trusted_checkpoints(tree: SqlLogTree) -> SqlTrustedCheckpoints:
    """Return the retained checkpoints, over the connections of the tree."""
    return SqlTrustedCheckpoints(tree.store)
