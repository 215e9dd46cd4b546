"""The way in: opens the stores that a URL names."""

from typing import TypeAlias

from deploy.stores.migrating import is_sqlite, require_migrated
from deploy.stores.postgres.journal import PostgresEventStore
from deploy.stores.postgres.projections import PostgresProjections
from deploy.stores.sqlite.connections import path_of
from deploy.stores.sqlite.journal import SqliteEventStore
from deploy.stores.sqlite.projections import SqliteProjections

OpenedEvents: TypeAlias = SqliteEventStore | PostgresEventStore


def open_events(url: str) -> OpenedEvents:
    """The events and registers at sqlite:///absolute/path.db or postgresql://…. Raises ``Unmigrated`` if tables are missing or older."""
    require_migrated(url)
    return SqliteEventStore(path_of(url)) if is_sqlite(url) else PostgresEventStore(url)


def open_projections(url: str, *, create: bool = True) -> SqliteProjections | PostgresProjections:
    """The tables of the projections. Their SQLite file is not that of the events. Where there is none one is made, or without ``create``
    one without tables read.
    """
    return SqliteProjections(path_of(url), create=create) if url.startswith("sqlite:") else PostgresProjections(url)
