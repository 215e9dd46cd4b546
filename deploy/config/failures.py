"""User-facing errors of the command line: one clear line and advice, never a traceback."""

import errno
import os
from pathlib import Path

from deploy.stores.statements import explain, first_line
from deploy.system.language import render, say
from domain.errors import DataIntegrityError, Refused, Unavailable, Worded
from domain.texts import Saying


class Failure(Exception):
    """Raised when a command cannot be carried out.

    ``advice``: what the person at the terminal can do. ``str`` returns the English text.
    """

    def __init__(self, problem: Saying, *advice: Saying, exit_code: int = 1) -> None:
        super().__init__(problem)
        self.problem = problem
        self.advice = advice
        self.exit_code = exit_code

    def in_words(self, language: str) -> str:
        return "\n".join(render(said, language) for said in (self.problem, *self.advice))

    def __str__(self) -> str:
        return "\n".join(render(said) for said in (self.problem, *self.advice))


def older_copy(store: str, projected: int, head: int) -> Failure:
    """Return the failure for projections that know events up to a sequence beyond ``head``, the end of the journal."""
    problem = say("older_copy", store=store, known=projected, head=head)
    return Failure(problem, say("older_copy_keep"), say("older_copy_accept"))


def system_problem(number: int | None) -> Saying:
    """Return an error of the operating system in the words of the catalogue, or in the system's own if the catalogue has none."""
    name = errno.errorcode.get(number or 0, "")
    return say(f"errno.{name}") if name in _KNOWN else os.strerror(number or 0)


_KNOWN = (
    "EACCES",
    "EPERM",
    "ENOENT",
    "EISDIR",
    "ENOTDIR",
    "EROFS",
    "ENOSPC",
    "EEXIST",
    "EADDRINUSE",
    "EADDRNOTAVAIL",
    "ECONNREFUSED",
)


def explain_error(error: Exception) -> Failure | None:
    """Return the error as a failure in words, or ``None`` for an error that only a programmer can explain."""
    match error:
        case Failure():
            return error
        case OSError():
            return _of_the_system(error)
        case Worded():
            return Failure(error.says)
        case Refused() | DataIntegrityError() | Unavailable():
            return Failure(first_line(error))
        case _:
            return _of_a_connection(error)


def _of_a_connection(error: Exception) -> Failure | None:
    # Imported here, because loading them is slow and many commands need neither a server nor a database.
    import httpx

    from domain.journal.commits import OutcomeUnknownError, StoreUnavailableError

    problem = first_line(error)
    match error:
        case StoreUnavailableError():
            return Failure(say("store_away", problem=problem), say("doctor_tells"))
        case OutcomeUnknownError():
            return Failure(say("store_unclear", problem=problem))
        case httpx.ConnectError():
            return Failure(say("server_away", problem=_describe_database_error(error)), say("is_it_running"))
        case httpx.HTTPError():
            return Failure(say("server_away", problem=problem), say("is_it_running"))
    found = explain(error)
    return Failure(*(say(key, **detail) for key, detail in found)) if found else None


def _describe_database_error(error: Exception) -> Saying:
    """Return the error text; a refused connection is recognised by its number, because the library's text is English only."""
    refused = f"[Errno {errno.ECONNREFUSED}]" in str(error)
    return system_problem(errno.ECONNREFUSED) if refused else first_line(error)


def _of_the_system(error: OSError) -> Failure:
    problem = system_problem(error.errno) if error.errno else str(error)
    advice = (say("disk_full"),) if error.errno == errno.ENOSPC else ()
    return Failure(say("file_problem", file=Path(str(error.filename)), problem=problem) if error.filename else problem, *advice)
