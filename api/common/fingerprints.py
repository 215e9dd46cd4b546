"""Fingerprints of requests, by which one that comes again under its Idempotency-Key is told from another."""

import asyncio
import re
from hashlib import sha256

from api.http.decoding import canonical_json
from api.http.request import Request, body_of

_PLAIN = re.compile(r"/v1/[A-Za-z0-9/-]*")
_LONG = 64 * 1024  # bytes: reading them again takes a millisecond


def fingerprints(request: Request, body: bytes) -> tuple[str, str]:
    """Digests of all that has to be equal for a request to count as a repetition of another: as it is kept, and as it was made when
    bodies were compared byte for byte.
    """
    request_line = f"{request.method}\n{_path(request)}\n".encode() + _query(request) + b"\n"
    return sha256(request_line + canonical_json(body)).hexdigest(), sha256(request_line + body).hexdigest()


def _path(request: Request) -> str:
    """As Litestar would tell it, who takes a whole URL apart for it: fingerprints of before hold that."""
    path: str = request.scope["path"]
    return path if _PLAIN.fullmatch(path) else request.url.path


def _query(request: Request) -> bytes:
    """A dry run asks what the request without it would be answered, so it is told from others as that one."""
    return b"&".join(part for part in request.scope["query_string"].split(b"&") if part != b"dry_run=true")


async def fingerprints_of(request: Request) -> tuple[str, str]:
    """Those of the whole request."""
    body = await body_of(request)
    return await asyncio.to_thread(fingerprints, request, body) if len(body) > _LONG else fingerprints(request, body)
