"""Headers of all responses: cache control, CORS, compression, remaining requests and the request id, added by steps.

Each step may change the headers of any response, including those of the framework.
"""

import asyncio
import gzip
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from functools import lru_cache
from random import Random, SystemRandom
from tempfile import TemporaryFile
from typing import BinaryIO, TypeAlias

from litestar.types import HTTPResponseStartEvent, Message, Scope

from api.http.errors import Whose
from api.http.request import headers_of, part_of, takes_gzip

# Headers of responses as ASGI has them: pairs of bytes.


Raw: TypeAlias = Sequence[tuple[bytes, bytes]]
Growing: TypeAlias = list[tuple[bytes, bytes]]
"""The headers of a response that is about to be sent."""


def with_variant_header(headers: Raw, by: bytes) -> list[tuple[bytes, bytes]]:
    """Return the headers with one more request header in ``Vary``."""
    before = [value for name, value in headers if name == b"vary"]
    if any(by in value for value in before):
        return list(headers)
    return [*(pair for pair in headers if pair[0] != b"vary"), (b"vary", b", ".join([*before, by]))]


# Shared caches may keep public responses for a second. Responses to a token stay private.


_NO_CACHE = (b"cache-control", b"no-cache")
_FOR_ALL = (b"cache-control", b"public, max-age=1")
"""Five hundred phones behind one caching proxy ask once a second."""
_IS_FOR_ALL = "for_all"
_READ = (200, 304)


def note_for_all(scope: Scope) -> None:
    """Note that the caller has no token: the response is public."""
    scope["state"][_IS_FOR_ALL] = True


def add_cache_control(status: int, headers: Growing, scope: Scope) -> None:
    """Let shared caches keep a public response. A step of ``ResponseFinalizer``."""
    if status not in _READ or not scope["state"].get(_IS_FOR_ALL):
        return
    if scope.get("method") in ("GET", "HEAD") and _NO_CACHE in headers:
        headers[:] = with_variant_header([_FOR_ALL if pair == _NO_CACHE else pair for pair in headers], b"cookie")


# Cross-origin pages that may read responses (CORS): those of the configured origins. Without any, no header is sent. Litestar's own
# middleware is not used: it replaces ``Vary``, so that caches forget that a response depends on the token; it answers every OPTIONS with an
# origin itself, and it refuses in plain text. Cross-origin pages use a token; the cookies of browsers are for our own pages, so credentials
# are never allowed.


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
"""Request headers besides those that need no permission."""
EXPOSED = (
    "Allow",
    "Content-Disposition",
    "Content-Location",
    "Deprecation",
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
    "Sunset",
    "WWW-Authenticate",
)
"""Response headers besides those that every page may read."""
_METHODS = b"GET, HEAD, POST, PUT, PATCH, DELETE"
_KEPT = b"600"  # seconds for which a browser caches the preflight


class Origins:
    """The configured origins; ``*`` among them is any."""

    def __init__(self, allowed: Sequence[str]) -> None:
        self._any = "*" in allowed
        self._allowed = frozenset(origin.encode("latin-1") for origin in allowed)
        self.vary = bool(allowed) and not self._any
        """True if a response differs for cross-origin pages."""

    def headers(self, scope: Scope) -> Iterable[tuple[bytes, bytes]]:
        """Return the CORS headers of a response, besides ``Vary``."""
        return self._cors_headers(scope) if self._allowed else ()

    def _cors_headers(self, scope: Scope) -> Iterator[tuple[bytes, bytes]]:
        sent = dict(scope["headers"])
        origin = sent.get(b"origin", b"")
        if self._any or origin in self._allowed:
            yield b"access-control-allow-origin", b"*" if self._any else origin
            yield b"access-control-expose-headers", ", ".join(EXPOSED).encode()
            if scope.get("method") == "OPTIONS" and b"access-control-request-method" in sent:
                yield b"access-control-allow-methods", _METHODS
                yield b"access-control-allow-headers", ", ".join(ALLOWED).encode()
                yield b"access-control-max-age", _KEPT


# Compression of whole responses with gzip, for clients that accept it. Litestar's own middleware is not used: it leaves two bodies with one
# strong ETag, compresses streams, and takes ``gzip;q=0`` for a yes.


SMALLEST = 1024
"""Bytes; a shorter body fits in one packet anyway."""
_LARGE = 64 * 1024  # bytes: compressing them takes a millisecond or more
_HUGE = 1024 * 1024  # bytes: too large to be kept
_LEVEL = 5
_GZIP = 31  # the wbits of zlib for gzip
_KINDS = (b"application/json", b"application/problem+json", b"application/schema+json", b"text/")


async def compress_response(scope: Scope, body: bytes, headers: Raw) -> tuple[bytes, Raw]:
    """Return body and headers, compressed if the client accepts that."""
    said = dict(headers)
    if b"content-encoding" in said or not said.get(b"content-type", b"").startswith(_KINDS):
        return body, headers
    headers = with_variant_header(headers, b"accept-encoding")
    if not takes_gzip(headers_of(scope).get(b"accept-encoding", b"").decode("latin-1")):
        return body, headers
    small = _compress(body) if len(body) < _LARGE else await asyncio.to_thread(_compress if len(body) > _HUGE else _compress_shared, body)
    changed = {b"content-length": b"%d" % len(small)}
    if b"etag" in said and scope.get("method") in ("GET", "HEAD"):
        changed[b"etag"] = tag_of_compressed(said[b"etag"].decode()).encode()
    return small, [*((name, changed.get(name, value)) for name, value in headers), (b"content-encoding", b"gzip")]


def tag_of_compressed(etag: str) -> str:
    """Return the ETag of the compressed response: its bytes differ, so it has a tag of its own."""
    return f'{etag[:-1]}.gzip"'


def _compress(body: bytes) -> bytes:
    return gzip.compress(body, _LEVEL, mtime=0)


def compress_file(file: BinaryIO) -> BinaryIO:
    """Return a file with the bytes that ``compress_response`` would make of the rest of this one."""
    compressed = TemporaryFile(prefix="kiebitz-")  # noqa: SIM115
    gzipped = zlib.compressobj(_LEVEL, wbits=_GZIP)
    while piece := file.read(_LARGE):
        compressed.write(gzipped.compress(piece))
    compressed.write(gzipped.flush())
    return compressed


_compress_shared = lru_cache(8)(_compress)
"""Many read the same standings."""


# Headers with the remaining requests of a caller (draft-ietf-httpapi-ratelimit-headers).


Quota: TypeAlias = tuple[tuple[bytes, bytes], ...]
"""Two headers; none where there is no limit."""
_QUOTA = "quota"


def quota(whose: Whose, limit: int, left: int, wait: int | None = None) -> Quota:
    """Return the headers: ``left`` of ``limit`` requests in a row, and the seconds to wait where none is left."""
    reset = b"" if wait is None else b";t=%d" % wait
    name = b'"%b"' % whose.encode()
    return (b"ratelimit", b"%b;r=%d" % (name, left) + reset), (b"ratelimit-policy", b"%b;q=%d" % (name, limit))


def note_quota(scope: Scope, told: Quota) -> None:
    scope["state"][_QUOTA] = told


def quota_of(scope: Scope) -> Quota:
    noted: Quota = scope["state"].get(_QUOTA, ())
    return noted


# The id of a request: the caller's own, so that they find it again here, or a new one. Responses, problems and the log name it.


_FORM = re.compile(rb"[A-Za-z0-9._~:@/+=-]{1,128}")
"""Excludes characters that could forge a line of a log, and two ids in one header, of which nobody could say which counts."""
_REQUEST_ID = "request_id"
_IDS = Random(SystemRandom().getrandbits(256))
"""The ids need not be unguessable. A system call for each id would release the interpreter lock, on a busy server for milliseconds."""
_CURRENT: ContextVar[str | None] = ContextVar("request_id", default=None)
"""Copied with the context to threads and tasks that a task starts."""


def note_request(id: str | None) -> None:
    """Set the current request of this task or thread; ``None`` for a task that a request started and that serves others too."""
    _CURRENT.set(id)


def current_request_id() -> str | None:
    """Return the id of the current request, for the log."""
    return _CURRENT.get()


def request_id_of(scope: Scope) -> str:
    """Return the id of the request; the same for as long as the request lasts."""
    state = scope["state"]
    if _REQUEST_ID not in state:
        given = headers_of(scope).get(b"request-id")
        state[_REQUEST_ID] = given.decode() if given and _FORM.fullmatch(given) else f"{_IDS.getrandbits(128):032x}"
    id: str = state[_REQUEST_ID]
    return id


Step: TypeAlias = Callable[[int, Growing, Scope], None]
"""A step gets the status of the response, its headers so far, and the request."""


class ResponseFinalizer:
    """The steps in their order, and the headers of every response."""

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
                headers = with_variant_header(headers, b"cookie")  # without a token the cookie identifies the caller
                break
        start["headers"] = with_variant_header(headers, b"origin") if self._origins.vary else headers


async def complete(message: Message, scope: Scope) -> None:
    """Complete the headers. Litestar calls it before each message that is sent."""
    if message["type"] == "http.response.start":
        part_of(scope["litestar_app"], ResponseFinalizer).complete(message, scope)
