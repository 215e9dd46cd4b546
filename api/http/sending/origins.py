"""Pages of elsewhere that a browser may let read answers (CORS): those whose origins are set. Nothing is sent where none is.

Not Litestar's own middleware: it sets ``Vary`` anew, so that caches forget that an answer depends on the token, answers every OPTIONS with
an origin itself, and refuses in plain text. Pages of elsewhere show a token; credentials of browsers are for our own pages, so they are
never allowed.
"""

from collections.abc import Iterable, Iterator, Sequence

from litestar.types import Scope

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
