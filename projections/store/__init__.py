"""The projections' own database: SQLite or PostgreSQL behind one small door. No module outside knows which."""

from projections.engine.store import Beside, Busy, Params, Publication, Reads, Rebuilding, Row, Store, Tx, marks
from projections.store.postgres import PostgresStore
from projections.store.sqlite import SqliteStore

__all__ = ["Beside", "Busy", "Params", "Publication", "Reads", "Rebuilding", "Row", "Store", "Tx", "marks", "open_store"]

_SQLITE = "sqlite:///"


def open_store(url: str) -> Store:
    """``sqlite:///`` with a path (a file of its own, not that of the events), or ``postgresql://…``."""
    return SqliteStore(url.removeprefix(_SQLITE)) if url.startswith(_SQLITE) else PostgresStore(url)
