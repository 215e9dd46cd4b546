"""The way in: opens the stores that a URL names.

What speaks with PostgreSQL is imported where it is asked for: a command on an embedded database should not wait for it.
"""

from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

from deploy.stores.log_tree import POSTGRES_TYPES, SQLITE_TYPES, SqlLogTree
from deploy.stores.log_witnesses import SqlCosignatures, SqlKept
from deploy.stores.migrating import is_sqlite, require_migrated
from deploy.stores.sqlite.connections import READING, path_of
from deploy.stores.sqlite.journal import SqliteEventStore
from deploy.stores.sqlite.projections import SqliteProjections
from deploy.stores.sqlite.transferring import SqliteEnd
from deploy.stores.statements import ANSWER
from deploy.stores.transferring import End
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
    """The events and registers at sqlite:///absolute/path.db or postgresql://…. Raises ``Unmigrated`` if tables are missing or older.

    ``answer``: seconds that a reader waits for each reply of a server.
    """
    require_migrated(url)
    if is_sqlite(url):
        return SqliteEventStore(path_of(url), READING if read_only else ())
    from deploy.stores.postgres.connections import for_reading
    from deploy.stores.postgres.journal import PostgresEventStore

    return PostgresEventStore(for_reading(url) if read_only else url, answer)


def load_drivers(url: str) -> None:
    """What is imported later otherwise: for a process whose forks are to find it in memory."""
    if not is_sqlite(url):
        from deploy.stores.postgres import journal, projections  # noqa: F401


def open_projections(
    url: str, answer: float = ANSWER, *, read_only: bool = False, create: bool = True, holder: str | None = None
) -> "SqliteProjections | PostgresProjections":
    """The tables of the projections. Their SQLite file is not that of the events; where there is none one is made.

    ``read_only``: nothing can be written. Without ``create`` no file is made, and one that is not there counts as one without tables.
    ``holder``: the name under which it leads, where several may.
    """
    if url.startswith("sqlite:"):
        return SqliteProjections(path_of(url), READING if read_only else (), create=create and not read_only)
    from deploy.stores.postgres.connections import for_reading
    from deploy.stores.postgres.projections import PostgresProjections

    return PostgresProjections(for_reading(url) if read_only else url, answer, holder)


def open_end(url: str) -> End:
    """One end of a transfer. The embedded file has to be there; tables need not."""
    if is_sqlite(url):
        return SqliteEnd(path_of(url))
    from deploy.stores.postgres.transferring import PostgresEnd

    return PostgresEnd(url)


def pools_of(events: EventStore, projections: Store) -> dict[str, Pool]:
    """By what they are for. Nobody waits for a connection to an embedded database."""
    opened = {"journal": events, "projections": projections}
    return {name: one.pool() for name, one in opened.items() if isinstance(one, Pooled)}


def open_cosignatures(url: str, answer: float = ANSWER, *, read_only: bool = False, create: bool = True) -> SqlCosignatures:
    """What witnesses signed: beside the tree of the log, with connections of its own."""
    return SqlCosignatures(open_projections(url, answer, read_only=read_only, create=create))


def open_log_tree(url: str, answer: float = ANSWER, *, read_only: bool = False, create: bool = True) -> SqlLogTree:
    """The tree of the log: tables beside those of the projections in PostgreSQL, else a file of its own."""
    return SqlLogTree(open_projections(url, answer, read_only=read_only, create=create), SQLITE_TYPES if is_sqlite(url) else POSTGRES_TYPES)


def kept_beside(tree: SqlLogTree) -> SqlKept:
    """Checkpoints that are kept for good, by the connections of the tree."""
    return SqlKept(tree.store)
