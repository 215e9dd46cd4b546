"""The id of a request: the caller's own, so that he finds it again here, or one that is made. Answers, problems and the log name it."""

import re
from contextvars import ContextVar
from random import Random, SystemRandom

from litestar.types import Scope

from api.http.headers import headers_of

_FORM = re.compile(rb"[A-Za-z0-9._~:@/+=-]{1,128}")
"""Nothing that could forge a line of a log; and of two, which would be one list, nobody could say which counts."""
_STATE = "request_id"
_IDS = Random(SystemRandom().getrandbits(256))
"""Nobody is kept from guessing them. To ask the system for each lets the other threads go first, on a busy server for milliseconds."""
_CURRENT: ContextVar[str | None] = ContextVar("request_id", default=None)
"""Goes with a task to the threads and tasks that it begins."""


def note_request(id: str | None) -> None:
    """From now on this task, or thread, is about that request; ``None``: a task that one began, and that goes on for others."""
    _CURRENT.set(id)


def current_request_id() -> str | None:
    """For the log: who writes there need not know what he is asked for."""
    return _CURRENT.get()


def request_id_of(scope: Scope) -> str:
    """The same for as long as the request lasts."""
    state = scope["state"]
    if _STATE not in state:
        given = headers_of(scope).get(b"request-id")
        state[_STATE] = given.decode() if given and _FORM.fullmatch(given) else f"{_IDS.getrandbits(128):032x}"
    id: str = state[_STATE]
    return id
