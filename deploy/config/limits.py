"""Connection limits and read timeouts for clients, by address and in total."""

from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import TypeAlias

from msgspec import Struct

Network: TypeAlias = IPv4Network | IPv6Network

LOOPBACK: tuple[Network, ...] = (ip_network("127.0.0.0/8"), ip_network("::1"))


class ConnectionLimits(Struct, frozen=True):
    """Limits for a client before its request is complete.

    ``header_seconds``: for a whole header. ``body_seconds``: without another kilobyte of a body. Connections from ``trusted`` proxies are
    counted by the addresses that the proxies forward.
    """

    connections: int = 2000
    per_address: int = 1000
    header_seconds: float = 10.0
    body_seconds: float = 20.0
    trusted: tuple[Network, ...] = LOOPBACK


USUAL = ConnectionLimits()
