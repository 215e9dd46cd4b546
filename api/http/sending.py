"""The headers that every answer has: steps, each of which may change those of an answer, whoever made it."""

import asyncio
import gzip
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from random import Random, SystemRandom
from typing import TypeAlias, cast

from litestar.types import HTTPResponseStartEvent, Message, Scope

from api.http.errors import Whose
from api.http.negotiation import takes_gzip
from api.http.request import headers_of

# Headers of answers as they go over the line: pairs of bytes.


Raw: TypeAlias = Sequence[tuple[bytes, bytes]]
Growing: TypeAlias = list[tuple[bytes, bytes]]
"""Those of an answer that is on its way."""


def varying(headers: Raw, by: bytes) -> list[tuple[bytes, bytes]]:
    """The same, varying by one more header of the request."""
    before = [value for name, value in headers if name == b"vary"]
    if any(by in value for value in before):
        return list(headers)
    return [*(pair for pair in headers if pair[0] != b"vary"), (b"vary", b", ".join([*before, by]))]


# How long an answer may be kept that everybody may read: for a second, by whoever stands between. What takes a token stays private.


_NO_CACHE = (b"cache-control", b"no-cache")
_FOR_ALL = (b"cache-control", b"public, max-age=1")
"""Five hundred phones that ask through one proxy ask once a second."""
_IS_FOR_ALL = "for_all"
_READ = (200, 304)


def note_for_all(scope: Scope) -> None:
    """Nobody in particular asks: whatever he is told is for everybody."""
    scope["state"][_IS_FOR_ALL] = True


def let_keep(status: int, headers: Growing, scope: Scope) -> None:
    """One of the steps of ``Completing``."""
    if status not in _READ or not scope["state"].get(_IS_FOR_ALL):
        return
    if scope["method"] in ("GET", "HEAD") and _NO_CACHE in headers:  # type: ignore[typeddict-item]
        headers[:] = varying([_FOR_ALL if pair == _NO_CACHE else pair for pair in headers], b"cookie")


# Pages of elsewhere that a browser may let read answers (CORS): those whose origins are set. Nothing is sent where none is.
#
# Not Litestar's own middleware: it sets ``Vary`` anew, so that caches forget that an answer depends on the token, answers every OPTIONS
# with an origin itself, and refuses in plain text. Pages of elsewhere show a token; credentials of browsers are for our own pages, so
# they are never allowed.


ALLOWED = (
    "Accept-Language",
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Kiebitz-Epoch",
    "Last-Event-ID",
    "Request-Id",
)
"""Headers of requests besides those that need no leave."""
EXPOSED = (
    "Allow",
    "Content-Disposition",
    "Content-Location",
    "ETag",
    "Idempotent-Replayed",
    "Kiebitz-As-Of",
    "Kiebitz-Behind",
    "Kiebitz-Epoch",
    "Link",
    "Location",
    "RateLimit",
    "RateLimit-Policy",
    "Request-Id",
    "Retry-After",
    "WWW-Authenticate",
)
"""Headers of answers besides those that every page may read."""
_METHODS = b"GET, HEAD, POST, PUT"
_KEPT = b"600"  # seconds for which a browser need not ask again


class Origins:
    """``*`` among them is any."""

    def __init__(self, allowed: Sequence[str]) -> None:
        self._any = "*" in allowed
        self._allowed = frozenset(origin.encode("latin-1") for origin in allowed)
        self.vary = bool(allowed) and not self._any
        """Whether an answer is another one for pages of elsewhere."""

    def headers(self, scope: Scope) -> Iterable[tuple[bytes, bytes]]:
        """What an answer says about who may read it, besides what it varies by."""
        return self._told(scope) if self._allowed else ()

    def _told(self, scope: Scope) -> Iterator[tuple[bytes, bytes]]:
        sent = dict(scope["headers"])
        origin = sent.get(b"origin", b"")
        if self._any or origin in self._allowed:
            yield b"access-control-allow-origin", b"*" if self._any else origin
            yield b"access-control-expose-headers", ", ".join(EXPOSED).encode()
            if scope["method"] == "OPTIONS" and b"access-control-request-method" in sent:  # type: ignore[typeddict-item]
                yield b"access-control-allow-methods", _METHODS
                yield b"access-control-allow-headers", ", ".join(ALLOWED).encode()
                yield b"access-control-max-age", _KEPT


# Whole answers in gzip, for those who take it and where it is worth it.
#
# Not Litestar's own middleware: it leaves two bodies with one strong ETag, packs what comes in pieces, and takes ``gzip;q=0`` for a yes.


SMALLEST = 1024
"""Bytes; what is shorter goes over the line in one packet anyway."""
_LARGE = 64 * 1024  # bytes: packing them takes a millisecond or more
_LEVEL = 5
_KINDS = (b"application/json", b"application/problem+json", b"application/schema+json", b"text/")


async def packed(scope: Scope, body: bytes, headers: Raw) -> tuple[bytes, Raw]:
    """Body and headers as the caller takes them."""
    said = dict(headers)
    if b"content-encoding" in said or not said.get(b"content-type", b"").startswith(_KINDS):
        return body, headers
    headers = varying(headers, b"accept-encoding")
    if not takes_gzip(headers_of(scope).get(b"accept-encoding", b"").decode("latin-1")):
        return body, headers
    small = _packed(body) if len(body) < _LARGE else await asyncio.to_thread(_packed, body)
    changed = {b"content-length": b"%d" % len(small)}
    if b"etag" in said and scope["method"] in ("GET", "HEAD"):  # type: ignore[typeddict-item]
        changed[b"etag"] = packed_tag(said[b"etag"].decode()).encode()
    return small, [*((name, changed.get(name, value)) for name, value in headers), (b"content-encoding", b"gzip")]


def packed_tag(etag: str) -> str:
    """The ETag of the same answer when it is packed: those are other bytes, so it has a tag of its own."""
    return f'{etag[:-1]}.gzip"'


def _packed(body: bytes) -> bytes:
    return gzip.compress(body, _LEVEL, mtime=0)


# What is left of a limit, for the answer to whoever has one (draft-ietf-httpapi-ratelimit-headers).


Quota: TypeAlias = tuple[tuple[bytes, bytes], ...]
"""Two headers; none where there is no limit."""
_QUOTA = "quota"


def quota(whose: Whose, limit: int, left: int, wait: int | None = None) -> Quota:
    """``left`` of ``limit`` requests in a row, and the seconds to wait where there is none left."""
    reset = b"" if wait is None else b";t=%d" % wait
    name = b'"%b"' % whose.encode()
    return (b"ratelimit", b"%b;r=%d" % (name, left) + reset), (b"ratelimit-policy", b"%b;q=%d" % (name, limit))


def note_quota(scope: Scope, told: Quota) -> None:
    scope["state"][_QUOTA] = told


def quota_of(scope: Scope) -> Quota:
    noted: Quota = scope["state"].get(_QUOTA, ())
    return noted


# The id of a request: the caller's own, so that he finds it again here, or one that is made. Answers, problems and the log name it.


_FORM = re.compile(rb"[A-Za-z0-9._~:@/+=-]{1,128}")
"""Nothing that could forge a line of a log; and of two, which would be one list, nobody could say which counts."""
_REQUEST_ID = "request_id"
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
    if _REQUEST_ID not in state:
        given = headers_of(scope).get(b"request-id")
        state[_REQUEST_ID] = given.decode() if given and _FORM.fullmatch(given) else f"{_IDS.getrandbits(128):032x}"
    id: str = state[_REQUEST_ID]
    return id


Step: TypeAlias = Callable[[int, Growing, Scope], None]
"""By the status of the answer, its headers so far, and the request."""


class Completing:
    """The steps in their order, and after them what goes with every answer."""

    def __init__(self, origins: Origins, *steps: Step) -> None:
        self._origins = origins
        self._steps = steps

    def complete(self, start: HTTPResponseStartEvent, scope: Scope) -> None:
        headers = list(start["headers"])
        for step in self._steps:
            step(start["status"], headers, scope)
        headers += (b"request-id", request_id_of(scope).encode()), *quota_of(scope), *self._origins.headers(scope)
        for name, value in headers:
            if name == b"vary" and b"authorization" in value:
                headers = varying(headers, b"cookie")  # who sends no token may be known by his cookie
                break
        start["headers"] = varying(headers, b"origin") if self._origins.vary else headers


async def complete(message: Message, scope: Scope) -> None:
    """Litestar calls it before each message that is sent."""
    if message["type"] == "http.response.start":
        cast(Completing, scope["litestar_app"].state["completing"]).complete(message, scope)
