"""What the drivers' errors mean to somebody at a terminal: keys of the catalogue of the command line, with what their texts name."""

import sqlite3
from typing import TypeAlias

Told: TypeAlias = tuple[str, dict[str, object]]

ANSWER = 60.0
"""Seconds that a server has to reply before that is an error, where nobody is kept waiting but a command or a thread of its own."""
LACKS_RIGHTS = "`kiebitz migrate` is for the role that owns the tables; with --serving-role NAME it gives another one the right to serve."
"""For the log; the catalogue has it in every language."""


class NotGranted(Exception):
    """A role of PostgreSQL cannot be made the one that serves. ``advice`` is what to do first."""

    def __init__(self, problem: str, advice: str, **detail: object) -> None:
        super().__init__(problem)
        self.told: tuple[Told, Told] = (problem, detail), (advice, detail)


def explain(error: Exception) -> tuple[Told, ...] | None:
    """What went wrong, and what can be done about it; ``None`` for an error of neither driver."""
    if isinstance(error, NotGranted):
        return error.told
    said: dict[str, object] = {"problem": first_line(error)}
    if isinstance(error, sqlite3.Error):
        return ("embedded_unusable", said), ("doctor_folder", {})
    import psycopg  # a command that needs no PostgreSQL should not wait for it to be loaded

    match error:
        case psycopg.OperationalError():
            return ("database_away", said), ("database_running", {})
        case psycopg.errors.InsufficientPrivilege():
            return ("database_denies", said), ("lacks_rights", {})
        case psycopg.Error():
            return ("database_refused", said), ("doctor_database", {})
    return None


def first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
