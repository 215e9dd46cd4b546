"""IP addresses at which other devices in the local networks reach the service. Nothing is sent to find them."""

import fcntl
import socket
import struct
from collections.abc import Iterable, Iterator
from contextlib import suppress
from ipaddress import ip_address

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
