"""Errors: what the service refused, as its problem details (RFC 9457) say it, and what did not reach it."""

from typing import Any


class KiebitzError(Exception):
    """Base class of all errors of this client."""


class UnavailableError(KiebitzError):
    """No answer came, also after all retries. An act may have been recorded: repeat it with the same ``key``."""


class SignatureError(KiebitzError):
    """A webhook message is not signed with the secret, or it is too old."""


class ProblemError(KiebitzError):
    """The service answered with a problem. ``code`` is stable; ``detail`` is a sentence; ``problem`` has every field."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        self.status = status
        self.problem = problem
        self.code = str(problem.get("code", ""))
        self.detail = str(problem.get("detail") or problem.get("title") or f"status {status}")
        super().__init__(f"{status} {self.code}: {self.detail}")


class Refused(ProblemError):
    """The rules or the form refuse it (422).

    ``rules`` are the numbers of the rules, ``options`` the moves that an ambiguous line may mean, ``asks`` the unknown cards to name.
    """

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        super().__init__(status, problem)
        self.rules: tuple[str, ...] = tuple(problem.get("rules", ()))
        self.options: list[dict[str, Any]] = problem.get("options", [])
        self.asks: list[dict[str, Any]] = problem.get("asks", [])


class ConflictError(ProblemError):
    """Somebody else recorded something meanwhile (412). ``missed`` are the events since, up to ``position``."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        super().__init__(status, problem)
        self.position: int | None = problem.get("position")
        self.missed: list[dict[str, Any]] = problem.get("missed", [])


class EpochChangedError(ProblemError):
    """The store began another epoch: discard what you hold after the sequence ``common``, or everything if it is ``None``."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        super().__init__(status, problem)
        self.epoch = str(problem.get("epoch", ""))
        self.common: int | None = problem.get("common")


def error_of(status: int, problem: dict[str, Any]) -> ProblemError:
    """Return the error that a problem means."""
    if problem.get("code") == "epoch_changed":
        return EpochChangedError(status, problem)
    return {412: ConflictError, 422: Refused}.get(status, ProblemError)(status, problem)
