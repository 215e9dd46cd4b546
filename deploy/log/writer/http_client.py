"""HTTP client for witnesses: follows no redirects and limits time and size of a response."""

import asyncio
from hashlib import sha256
from typing import NamedTuple

import httpcore

from replay.proof.witness_protocol import LARGEST

ANSWER = 5.0
"""Seconds for request and response together."""
_FAILURES = (TimeoutError, OSError, httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError, httpcore.UnsupportedProtocol)
_HEADERS = ((b"user-agent", b"Kiebitz-Log/1"), (b"accept-encoding", b"identity"))


class NoResponseError(Exception):
    """Raised when no response came in time, or none that could be understood."""


class HttpResponse(NamedTuple):
    status: int
    kind: str
    body: bytes


class HttpClient:
    """Client with a pool of connections, used from one event loop."""

    def __init__(self, answer: float = ANSWER) -> None:
        self._answer = answer
        self._pool = httpcore.AsyncConnectionPool(max_connections=None, keepalive_expiry=30)

    async def close(self) -> None:
        await self._pool.aclose()

    async def add_checkpoint(self, url: str, body: bytes) -> HttpResponse:
        """Send a checkpoint to a witness; return its response. Raises ``NoResponseError``."""
        return await self._request("POST", f"{url}/add-checkpoint", body)

    async def last_checkpoint(self, url: str, origin: str) -> HttpResponse:
        """Return the response with the checkpoint of this log that the witness signed last. Raises ``NoResponseError``."""
        return await self._request("GET", f"{url}/{sha256(origin.encode()).hexdigest()}/checkpoint", None)

    async def _request(self, method: str, url: str, body: bytes | None) -> HttpResponse:
        try:
            async with asyncio.timeout(self._answer), self._pool.stream(method, url, headers=_HEADERS, content=body) as response:
                read = b""
                async for part in response.aiter_stream():
                    read += part
                    if len(read) > LARGEST:
                        raise NoResponseError
                kind = next((value.decode("latin-1") for name, value in response.headers if name.lower() == b"content-type"), "")
                return HttpResponse(response.status, kind, read)
        except _FAILURES:
            raise NoResponseError from None
