"""Whole answers in gzip, for those who take it and where it is worth it.

Not Litestar's own middleware: it leaves two bodies with one strong ETag, packs what comes in pieces, and takes ``gzip;q=0`` for a yes.
"""

import asyncio
import gzip

from litestar.types import Scope

from api.http.headers import headers_of
from api.http.negotiation import takes_gzip
from api.http.sending.headers import Raw, varying

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
