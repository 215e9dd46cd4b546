"""Removal of the append-only triggers, the only place where tests lift that rule, to tamper with events."""

import sqlite3
from typing import Any

from deploy.stores.sqlite.journal import SqliteEventStore
from deploy.stores.statements import Statements

OF_SQLITE = ("events_are_not_changed", "events_are_not_removed", "events_are_not_replaced")
OF_POSTGRES = ("events_are_append_only",)


def drop_triggers(database: Any) -> None:
    """Drop the triggers, so that SQL can change and remove events. ``database``: a connection of either driver, or an opened store."""
    execute = database.change if isinstance(database, Statements) else database.execute
    if isinstance(database, sqlite3.Connection | SqliteEventStore):
        for trigger in OF_SQLITE:
            execute(f"DROP TRIGGER IF EXISTS {trigger}")
    else:
        for trigger in OF_POSTGRES:
            execute(f"DROP TRIGGER IF EXISTS {trigger} ON events")
