"""What goes wrong on a terminal: one clear line, and what to do about it. Never a traceback."""

import errno
import sqlite3
from pathlib import Path

from domain.errors import Corrupt, Malformed, Refused, Stale, Unavailable, Unknown


class Failure(Exception):
    """A command cannot do what it should. ``advice``: what the person at the terminal can do."""

    def __init__(self, problem: str, *advice: str, exit_code: int = 1) -> None:
        super().__init__(problem)
        self.problem = problem
        self.advice = advice
        self.exit_code = exit_code

    def __str__(self) -> str:
        return "\n".join((self.problem, *self.advice))


def explained(error: Exception) -> Failure | None:
    """The failure in words, or ``None`` for an error that only a programmer can explain."""
    # Here, not above: a command that needs neither a server nor PostgreSQL should not wait for them to be loaded.
    import httpx
    import psycopg
    import psycopg_pool

    match error:
        case Failure():
            return error
        case psycopg.OperationalError() | psycopg_pool.PoolTimeout():
            problem = f"The database cannot be reached: {_first_line(error)}"
            return Failure(problem, "Is it running, and is KIEBITZ_DATABASE_URL right?")
        case psycopg.Error():
            return Failure(f"The database refused: {_first_line(error)}", "`kiebitz doctor` checks the database.")
        case sqlite3.Error():
            return Failure(f"The embedded database cannot be used: {_first_line(error)}", "`kiebitz doctor` checks the data folder.")
        case httpx.HTTPError():
            return Failure(f"The server cannot be reached: {_first_line(error)}", "Is it running, and is KIEBITZ_URL right?")
        case OSError():
            return _of_the_system(error)
        case Refused() | Malformed() | Unknown() | Stale() | Corrupt() | Unavailable():
            return Failure(_first_line(error))
        case _:
            return None


def _of_the_system(error: OSError) -> Failure:
    name = f"{Path(str(error.filename))}: " if error.filename else ""
    advice = ("There is no room left on the disk.",) if error.errno == errno.ENOSPC else ()
    return Failure(f"{name}{error.strerror or error}", *advice)


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
