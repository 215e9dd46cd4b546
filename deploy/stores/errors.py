"""What the drivers' errors mean to somebody at a terminal."""

import sqlite3

LACKS_RIGHTS = "`kiebitz migrate` is for the role that owns the tables; with --serving-role NAME it gives another one the right to serve."


class NotGranted(Exception):
    """A role of PostgreSQL cannot be made the one that serves. ``advice`` is what to do first."""

    def __init__(self, problem: str, advice: str) -> None:
        super().__init__(problem)
        self.advice = advice


def explain(error: Exception) -> tuple[str, ...] | None:
    """What went wrong, and what can be done about it; ``None`` for an error of neither driver."""
    if isinstance(error, sqlite3.Error):
        return f"The embedded database cannot be used: {first_line(error)}", "`kiebitz doctor` checks the data folder."
    if isinstance(error, NotGranted):
        return str(error), error.advice
    import psycopg  # a command that needs no PostgreSQL should not wait for it to be loaded

    match error:
        case psycopg.OperationalError():
            return f"The database cannot be reached: {first_line(error)}", "Is it running, and is KIEBITZ_DATABASE_URL right?"
        case psycopg.errors.InsufficientPrivilege():
            return f"The database does not let this account do that: {first_line(error)}", LACKS_RIGHTS
        case psycopg.Error():
            return f"The database refused: {first_line(error)}", "`kiebitz doctor` checks the database."
    return None


def first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
