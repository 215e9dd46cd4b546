"""What goes wrong on a terminal: one clear line, and what to do about it. Never a traceback."""

import errno
from pathlib import Path

from deploy.stores.errors import explain, first_line
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
    match error:
        case Failure():
            return error
        case OSError():
            return _of_the_system(error)
        case Refused() | Malformed() | Unknown() | Stale() | Corrupt() | Unavailable():
            return Failure(first_line(error))
        case _:
            return _of_a_connection(error)


def _of_a_connection(error: Exception) -> Failure | None:
    # Imported here: a command that needs neither a server nor a database should not wait for them to be loaded.
    import httpx

    from domain.journal.commits import StoreAway, Unclear

    problem = first_line(error)
    match error:
        case StoreAway():
            return Failure(f"The store does not answer, and nothing was recorded: {problem}", "`kiebitz doctor` tells more.")
        case Unclear():
            return Failure(f"The store did not answer in time; the last command may have been recorded: {problem}")
        case httpx.HTTPError():
            return Failure(f"The server cannot be reached: {problem}", "Is it running, and is KIEBITZ_URL right?")
    found = explain(error)
    return Failure(*found) if found else None


def _of_the_system(error: OSError) -> Failure:
    name = f"{Path(str(error.filename))}: " if error.filename else ""
    advice = ("There is no room left on the disk.",) if error.errno == errno.ENOSPC else ()
    return Failure(f"{name}{error.strerror or error}", *advice)
