"""The way in: opens the store that a URL names, and offers the values that others build on."""

from typing import TypeAlias

from domain.journal.commits import CommandKey, Commit, Conflict, KeyTaken, Outcome, StoredCommand, Text, Unavailable, Unclear
from domain.journal.migrate import Unmigrated, is_sqlite, require_migrated
from domain.journal.postgres import PostgresRecorder
from domain.journal.registers import Token
from domain.journal.sqlite import SqliteRecorder, path_of

Recorder: TypeAlias = SqliteRecorder | PostgresRecorder

__all__ = [
    "CommandKey",
    "Commit",
    "Conflict",
    "KeyTaken",
    "Outcome",
    "PostgresRecorder",
    "Recorder",
    "SqliteRecorder",
    "StoredCommand",
    "Text",
    "Token",
    "Unavailable",
    "Unclear",
    "Unmigrated",
    "open_recorder",
]


def open_recorder(url: str) -> Recorder:
    """The store at sqlite:///absolute/path.db or postgresql://…. Raises Unmigrated if its tables are missing or of an older version."""
    require_migrated(url)
    return SqliteRecorder(path_of(url)) if is_sqlite(url) else PostgresRecorder(url)
