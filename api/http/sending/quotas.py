"""What is left of a limit, for the answer to whoever has one (draft-ietf-httpapi-ratelimit-headers)."""

from typing import TypeAlias

from litestar.types import Scope

Quota: TypeAlias = tuple[tuple[bytes, bytes], ...]
"""Two headers; none where there is no limit."""
_STATE = "quota"


def quota(limit: int, left: int, wait: int | None = None) -> Quota:
    """``left`` of ``limit`` requests in a row, and the seconds to wait where there is none left."""
    reset = b"" if wait is None else b";t=%d" % wait
    return (b"ratelimit", b'"viewer";r=%d' % left + reset), (b"ratelimit-policy", b'"viewer";q=%d' % limit)


def note_quota(scope: Scope, told: Quota) -> None:
    scope["state"][_STATE] = told


def quota_of(scope: Scope) -> Quota:
    noted: Quota = scope["state"].get(_STATE, ())
    return noted
