"""Calls with retry: exponential backoff with jitter, ``Retry-After``, and one idempotency key for all attempts of an act."""

import random
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from kiebitz_client.errors import UnavailableError, error_of
from kiebitz_client.steps import LostError, Pause, Reply, Request, Steps

_AGAIN = frozenset({429, 502, 503, 504})
_NEVER = frozenset({"store_halted"})
"""Codes of 503 that need an operator."""


class RetryPolicy(Struct, frozen=True, kw_only=True):
    """``attempts`` in all; the pauses double from ``first`` to ``longest`` seconds. No retry where ``Retry-After`` exceeds ``patience``."""

    attempts: int = 8
    first: float = 0.5
    longest: float = 15.0
    patience: float = 60.0
    jitter: Callable[[], float] = random.random

    def pause(self, attempt: int, asked: float | None = None) -> float | None:
        """Return the seconds until the next attempt, ``None`` for no more. ``attempt`` counts from 1."""
        if attempt >= self.attempts or (asked or 0) > self.patience:
            return None
        usual: float = min(self.longest, self.first * 2 ** (attempt - 1))
        return max(asked or 0.0, usual * (0.5 + 0.5 * self.jitter()))


USUAL = RetryPolicy()


def call(request: Request, policy: RetryPolicy) -> Steps[Reply]:
    """Send a request until it is answered. Raises ``ProblemError`` and ``UnavailableError``."""
    attempt = 0
    while True:
        attempt += 1
        try:
            reply: Reply = yield request
        except LostError as error:
            pause = policy.pause(attempt)
            if pause is None:
                raise UnavailableError(f"no answer after {attempt} attempts: {error}") from error
        else:
            if reply.status < 400:
                return reply
            problem = problem_of(reply)
            pause = policy.pause(attempt, asked_pause(reply)) if may_retry(reply, problem) else None
            if pause is None:
                raise error_of(reply.status, problem)
        yield Pause(pause)


def may_retry(reply: Reply, problem: Mapping[str, Any]) -> bool:
    """Return whether the same request may succeed later."""
    return (reply.status in _AGAIN or problem.get("code") == "in_flight") and problem.get("code") not in _NEVER


def asked_pause(reply: Reply) -> float | None:
    """Return the seconds of ``Retry-After``; ``None`` where there are none."""
    asked = reply.headers.get("retry-after", "")
    return float(asked) if asked.isdecimal() else None


def problem_of(reply: Reply) -> dict[str, Any]:
    """Return the problem details of an answer; an answer of a proxy has only its status."""
    try:
        problem = msgspec.json.decode(reply.body)
    except msgspec.DecodeError:
        problem = None
    return problem if isinstance(problem, dict) else {"status": reply.status}
