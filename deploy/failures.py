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


def older_copy(store: str, projected: int, head: int) -> Failure:
    """Projections know events up to a sequence that the journal, which ends at ``head``, does not have."""
    return Failure(
        f"The journal in {store} is not the one that its projections were filled from: they know events up to sequence {projected} that"
        f" it does not hold; it ends at {head}. An older copy was laid there, or a part of it is lost (of SQLite journal.db-wal).",
        "If you did not mean that, change nothing more: keep a copy of everything that is there, and look for the lost file or a backup.",
        "If you did: `kiebitz serve --accept-older-copy` goes on after what the journal holds. What came later is lost then, and whoever"
        " follows the feed is told so.",
    )


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
