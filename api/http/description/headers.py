"""The headers of answers: what each says, and which a problem may have."""

from collections.abc import Iterable, Mapping
from typing import Any

SAID: Mapping[str, str] = {
    "Location": "where it can be read",
    "Set-Cookie": "the session: HttpOnly, SameSite=Lax; `__Host-kiebitz` and Secure on https, on http `kiebitz-8000` by the port",
    "ETag": "what to send as If-None-Match; of a write the position for the next If-Match",
    "Link": 'rel="next": the next page; rel="prev": the one before, where pages go both ways',
    "Content-Location": "the position and view that are shown",
    "Kiebitz-Behind": "where a projection stands still: so many sequences may be missing here",
    "Retry-After": "seconds until it is worth another try",
    "Kiebitz-As-Of": "the sequence at which this was true",
    "Kiebitz-Epoch": "the epoch of the store in which positions, sequences and cursors of this answer hold",
    "RateLimit": "for viewers: how many requests are left, and the seconds to wait where there is none",
    "RateLimit-Policy": "for viewers: how many requests may come in a row",
    "Request-Id": "the one that was sent, where it has 1 to 128 letters, digits and . _ ~ : @ / + = -, else one that was made",
    "Idempotent-Replayed": "`true` where this was answered before, under the same Idempotency-Key, and is answered again",
    "WWW-Authenticate": "how to show who one is (RFC 6750)",
    "Allow": "the methods that there are here",
}
"""Of each header that an answer may have: what it says."""
_OF_PROBLEMS: Mapping[int, tuple[str, ...]] = {
    401: ("WWW-Authenticate",),
    405: ("Allow",),
    409: ("Retry-After",),
    429: ("Retry-After",),
    503: ("Retry-After",),
}


def headers_told(names: Iterable[str]) -> dict[str, Any]:
    return {name: {"description": SAID[name], "schema": {"type": "string"}} for name in names}


def headers_of_problem(status: int) -> dict[str, Any]:
    return headers_told((*_OF_PROBLEMS.get(status, ()), "RateLimit", "RateLimit-Policy", "Request-Id"))
