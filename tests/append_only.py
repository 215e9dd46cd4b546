"""The one place where tests lift the rule that events are append-only: as somebody would who tampers with them."""

import sqlite3
from typing import Any

from deploy.stores.sqlite.journal import SqliteEventStore
from deploy.stores.statements import Statements

OF_SQLITE = ("events_are_not_changed", "events_are_not_removed", "events_are_not_replaced")
OF_POSTGRES = ("events_are_append_only",)


def drop_triggers(database: Any) -> None:
    """From then on events can be changed and removed by SQL. ``database``: a connection of either driver, or an opened store."""
    execute = database.change if isinstance(database, Statements) else database.execute
    if isinstance(database, sqlite3.Connection | SqliteEventStore):
        for trigger in OF_SQLITE:
            execute(f"DROP TRIGGER IF EXISTS {trigger}")
    else:
        for trigger in OF_POSTGRES:
            execute(f"DROP TRIGGER IF EXISTS {trigger} ON events")
