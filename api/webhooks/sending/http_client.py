"""HTTP client for webhooks: one attempt is a POST and its outcome.

It follows no redirect, uses no proxy of the environment, and reads little of the response.
"""

import asyncio
import ssl
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from ipaddress import ip_address
from socket import SOCK_STREAM, gaierror
from typing import Any, TypeAlias

import httpcore
from msgspec import Struct

from api.services import Network
from api.webhooks.sending.addresses import Address, may_go_to

# A name is resolved once, its addresses are checked, and the connection goes to one of the checked addresses. If the HTTP library resolved
# it again, a second answer of the DNS could lead to an internal address (DNS rebinding).


Lookup: TypeAlias = Callable[[str, int], Awaitable[list[Address]]]
"""Resolves a name to addresses, for connections to a port. Raises OSError."""

_TRIED = 3  # addresses of a name that are tried


class NotAllowed(Exception):
    """None of the addresses of the name is allowed."""

    def __init__(self, host: str, address: Address, *, public: bool) -> None:
        super().__init__(host)
        self.address = address
        self.public = public


class NoSuchName(Exception):
    """The name resolves to no address."""


async def resolve_host(host: str, port: int) -> list[Address]:
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=SOCK_STREAM)
    return list(dict.fromkeys(ip_address(place[0]) for *_, place in found))


class CheckedNetwork(httpcore.AsyncNetworkBackend):
    """A network backend that connects only to allowed addresses. ``plain``: for connections without TLS."""

    def __init__(self, allowed: Collection[Network], lookup: Lookup, *, plain: bool) -> None:
        self._allowed = allowed
        self._lookup = lookup
        self._plain = plain
        self._network: httpcore.AsyncNetworkBackend = httpcore.AnyIOBackend()  # pyrefly: ignore[bad-assignment]

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the first allowed address that answers. Raises ``NotAllowed`` and ``NoSuchName``."""
        failed: httpcore.ConnectError | httpcore.ConnectTimeout | None = None
        for address in (await self._addresses(host, port))[:_TRIED]:
            try:
                return await self._network.connect_tcp(str(address), port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failed = error
        assert failed is not None
        raise failed

    async def sleep(self, seconds: float) -> None:
        await self._network.sleep(seconds)

    async def _addresses(self, host: str, port: int) -> list[Address]:
        try:
            found = await self._lookup(host, port)
        except (gaierror, UnicodeError, ValueError) as error:
            raise NoSuchName(host) from error
        good = [address for address in found if may_go_to(address, self._allowed, plain=self._plain)]
        if not found:
            raise NoSuchName(host)
        if not good:
            raise NotAllowed(host, found[0], public=may_go_to(found[0], self._allowed))
        return good


ANSWER = 20.0
"""Seconds in all for the connection, the message and the status of the response."""
_CONNECT = 10.0
# The content of the response is not needed, but only a connection with a fully read response can be reused.
_READ = 4096  # bytes of the response at most
_REST = 2.0  # seconds for reading them
_KEPT = 4.0  # seconds that an idle connection is kept
_HEADERS = {"content-type": "application/json", "user-agent": "Kiebitz-Webhooks/1", "accept-encoding": "identity"}


class DeliveryResult(Struct, frozen=True):
    """The outcome of an attempt. ``problem`` is a key of the texts, ``None`` on success; ``retry_after`` in seconds."""

    status: int | None = None
    problem: str | None = None
    detail: str = ""
    retry_after: float | None = None


class WebhookClient:
    """The HTTP client. Used from one event loop. ``allowed``: networks of the operator; ``lookup``: resolves names."""

    def __init__(self, allowed: Collection[Network], lookup: Lookup = resolve_host, *, answer: float = ANSWER) -> None:
        self._allowed = allowed
        self._lookup = lookup
        self._answer = answer
        self._pools: dict[bool, httpcore.AsyncConnectionPool] = {}

    async def close(self) -> None:
        for pool in self._pools.values():
            await pool.aclose()

    async def send(self, url: str, body: bytes, headers: Mapping[str, str], now: datetime) -> DeliveryResult:
        """Send a message. Raises nothing: every error is an outcome."""
        try:
            async with asyncio.timeout(self._answer):
                return await self._send(url, body, headers, now)
        except NoSuchName as error:
            return DeliveryResult(problem="name", detail=str(error))
        except NotAllowed as error:
            return DeliveryResult(problem="plain" if error.public else "address", detail=str(error.address))
        except (TimeoutError, httpcore.TimeoutException):
            return DeliveryResult(problem="timeout")
        except httpcore.ConnectError as error:
            return _result_of_error(error)
        except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.UnsupportedProtocol, OSError):
            return DeliveryResult(problem="broken")

    async def _send(self, url: str, body: bytes, headers: Mapping[str, str], now: datetime) -> DeliveryResult:
        pool = await self._pool(plain=url.startswith("http:"))
        limits = {"connect": _CONNECT, "read": self._answer, "write": self._answer, "pool": self._answer}
        given = [(name.encode(), value.encode()) for name, value in {**_HEADERS, **headers}.items()]
        async with pool.stream("POST", url, headers=given, content=body, extensions={"timeout": limits}) as response:
            outcome = _result_of_response(response, now)
            await _drain_response(response)
            return outcome

    async def _pool(self, *, plain: bool) -> httpcore.AsyncConnectionPool:
        if plain not in self._pools:
            context = await asyncio.to_thread(_tls)
            network = CheckedNetwork(self._allowed, self._lookup, plain=plain)
            self._pools.setdefault(
                plain, httpcore.AsyncConnectionPool(context, max_connections=None, keepalive_expiry=_KEPT, network_backend=network)
            )
        return self._pools[plain]


@cache
def _tls() -> ssl.SSLContext:
    return httpcore.default_ssl_context()


async def _drain_response(response: httpcore.Response) -> None:
    read = 0
    with suppress(TimeoutError, httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError):
        async with asyncio.timeout(_REST):
            async for part in response.aiter_stream():
                read += len(part)
                if read > _READ:
                    return


def _result_of_error(error: httpcore.ConnectError) -> DeliveryResult:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLError):
            return DeliveryResult(problem="tls", detail=getattr(cause, "verify_message", "") or cause.reason or "TLS")
        cause = cause.__cause__ or cause.__context__
    return DeliveryResult(problem="connect")


def _result_of_response(response: httpcore.Response, now: datetime) -> DeliveryResult:
    status = response.status
    if 200 <= status < 300:
        return DeliveryResult(status)
    problem = "redirect" if 300 <= status < 400 else "gone" if status == 410 else "status"
    return DeliveryResult(status, problem, str(status), _retry_after(response, now))


def _retry_after(response: httpcore.Response, now: datetime) -> float | None:
    """Return the ``Retry-After`` of a response in seconds, given as a number or a date (RFC 9110); ``None`` for anything else."""
    said = next((value.decode("latin-1").strip() for name, value in response.headers if name.lower() == b"retry-after"), "")
    if said.isascii() and said.isdigit():
        return float(said[:9])
    try:
        moment = parsedate_to_datetime(said)
    except ValueError:
        return None
    return max(0.0, (moment.replace(tzinfo=moment.tzinfo or UTC) - now).total_seconds())
