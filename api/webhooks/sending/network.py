"""Connections to receivers: a name is looked up, its addresses are checked, and to exactly one of these the connection goes."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable
from ipaddress import ip_address
from socket import SOCK_STREAM, gaierror
from typing import Any, TypeAlias

import httpcore

from api.services import Network
from api.webhooks.sending.addresses import Address, may_go_to

Lookup: TypeAlias = Callable[[str, int], Awaitable[list[Address]]]
"""The addresses of a name, for connections to a port. Raises OSError."""

_TRIED = 3  # addresses of a name


class NotAllowed(Exception):
    """None of the addresses is one to which something may go."""

    def __init__(self, host: str, address: Address, *, public: bool) -> None:
        super().__init__(host)
        self.address = address
        self.public = public


class NoSuchName(Exception):
    """It leads to no address."""


async def looked_up(host: str, port: int) -> list[Address]:
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=SOCK_STREAM)
    return list(dict.fromkeys(ip_address(place[0]) for *_, place in found))


class CheckedNetwork(httpcore.AsyncNetworkBackend):
    """``plain``: for connections without TLS."""

    def __init__(self, allowed: Collection[Network], lookup: Lookup, *, plain: bool) -> None:
        self._allowed = allowed
        self._lookup = lookup
        self._plain = plain
        self._network = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Raises ``NotAllowed`` and ``NoSuchName``."""
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
