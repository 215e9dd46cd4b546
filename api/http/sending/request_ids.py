"""The id of a request: the caller's own, so that he finds it again here, or one that is made. Answers, problems and the log name it."""

import re
from uuid import uuid4

from litestar.types import Scope

_FORM = re.compile(rb"[A-Za-z0-9._~:@/+=-]{1,128}")
"""Nothing that could forge a line of a log."""
_STATE = "request_id"


def request_id_of(scope: Scope) -> str:
    """The same for as long as the request lasts."""
    state = scope["state"]
    if _STATE not in state:
        state[_STATE] = _sent(scope) or uuid4().hex
    id: str = state[_STATE]
    return id


def _sent(scope: Scope) -> str | None:
    """Two are none: nobody could say which of them counts."""
    given = [value for name, value in scope["headers"] if name == b"request-id"]
    return given[0].decode() if len(given) == 1 and _FORM.fullmatch(given[0]) else None
