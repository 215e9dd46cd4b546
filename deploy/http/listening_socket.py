"""Listening sockets at the configured address, for one process or several (SO_REUSEPORT)."""

import fcntl
import socket
import struct
from collections.abc import Iterable, Iterator
from contextlib import suppress
from ipaddress import ip_address

from deploy.config.failures import Failure, say, system_problem

_BACKLOG = 2048
_ANYWHERE = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1"}


def listening(host: str, port: int) -> socket.socket:
    """Open a listening socket. Raises ``Failure`` if the port is taken or the address is not this machine's."""
    line = _bound(host, port)
    line.listen(_BACKLOG)
    return line


def address_of(line: socket.socket, scheme: str = "http") -> str:
    """Return the URL of a socket for a browser on this machine."""
    host, port = line.getsockname()[:2]
    host = _ANYWHERE.get(host, host)
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


class ListeningSocket:
    """An address at which several processes listen, each with a socket of its own; the kernel distributes connections among them.

    The socket held here accepts no connections. It reserves the port while there is no other socket. Raises ``Failure`` as ``listening``
    does.
    """

    def __init__(self, host: str, port: int) -> None:
        self._line = _bound(host, port)
        # Set after the bind: set before, it would let a second service bind the port of one that already runs.
        self._line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)

    def address(self, scheme: str) -> str:
        return address_of(self._line, scheme)

    def duplicate(self) -> socket.socket:
        """Return a socket for one more process, which listens on it when it is ready.

        No connection waits at the socket of a process that has ended. Raises OSError.
        """
        line = socket.socket(self._line.family)
        try:
            _prepare(line)
            line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            line.bind(self._line.getsockname())
        except OSError:
            line.close()
            raise
        return line

    def close(self) -> None:
        self._line.close()


def _bound(host: str, port: int) -> socket.socket:
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except socket.gaierror as error:
        raise Failure(say("no_address", host=host, problem=error.strerror), say("other_host")) from error
    line = socket.socket(family)
    try:
        _prepare(line)
        line.bind(address)
    except OSError as error:
        line.close()
        raise Failure(say("port_problem", host=host, port=port, problem=system_problem(error.errno)), say("other_port")) from error
    return line


def _prepare(line: socket.socket) -> None:
    line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # connections of an earlier run in TIME_WAIT must not block the port
    if line.family is socket.AF_INET6:
        line.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)


# IP addresses at which other devices in the local networks reach the service. Nothing is sent to find them.


_SIOCGIFADDR = 0x8915  # Linux: the IPv4 address of an interface
_ANY_V4, _ANY_V6 = ("", "0.0.0.0"), "::"
_ELSEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses for documentation, which stand for the rest of the world (RFC 5737, RFC 3849)."""


def list_network_hosts(listening: str) -> tuple[str, ...]:
    """Return the hosts, as a URL names them, at which a service that listens at ``listening`` is open to other devices.

    The address of the default route comes first. Empty if the service listens on the machine alone, or is in no network.
    """
    if listening in _ANY_V4:
        return _list_hosts([*_of_default_route(socket.AF_INET), *_of_interfaces()])
    if listening == _ANY_V6:
        return _list_hosts(_of_default_route(socket.AF_INET6))
    return _list_hosts([listening])


def _list_hosts(found: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(host for one in found if (host := _host(one))))


def _host(one: str) -> str | None:
    """Return the host as a URL names it; ``None`` for loopback, link-local and unspecified addresses."""
    try:
        address = ip_address(one)
    except ValueError:
        return None if one.lower() == "localhost" else one
    if address.is_loopback or address.is_link_local or address.is_unspecified:
        return None
    return f"[{address}]" if address.version == 6 else str(address)


def _of_default_route(family: socket.AddressFamily) -> Iterator[str]:
    """Yield the source address of the default route: connecting a datagram socket selects it and sends nothing."""
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as line:
        line.connect((_ELSEWHERE[family], 9))
        yield line.getsockname()[0]


def _of_interfaces() -> Iterator[str]:
    """Yield the IPv4 addresses of all interfaces; empty on other systems than Linux.

    A laptop that is its own access point may have no default route.
    """
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        for _, name in socket.if_nameindex():
            with suppress(OSError):
                told = fcntl.ioctl(line.fileno(), _SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
                yield socket.inet_ntoa(told[20:24])
