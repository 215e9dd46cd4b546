"""What is left of a limit, for the answer to whoever has one (draft-ietf-httpapi-ratelimit-headers)."""

from typing import TypeAlias

from litestar.types import Scope

from api.http.errors import Whose

Quota: TypeAlias = tuple[tuple[bytes, bytes], ...]
"""Two headers; none where there is no limit."""
_STATE = "quota"


def quota(whose: Whose, limit: int, left: int, wait: int | None = None) -> Quota:
    """``left`` of ``limit`` requests in a row, and the seconds to wait where there is none left."""
    reset = b"" if wait is None else b";t=%d" % wait
    name = b'"%b"' % whose.encode()
    return (b"ratelimit", b"%b;r=%d" % (name, left) + reset), (b"ratelimit-policy", b"%b;q=%d" % (name, limit))


def note_quota(scope: Scope, told: Quota) -> None:
    scope["state"][_STATE] = told


def quota_of(scope: Scope) -> Quota:
    noted: Quota = scope["state"].get(_STATE, ())
    return noted
