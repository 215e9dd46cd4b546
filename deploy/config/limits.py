"""What callers may take of the service before they have said what they want."""

from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import TypeAlias

from msgspec import Struct

Network: TypeAlias = IPv4Network | IPv6Network

LOOPBACK: tuple[Network, ...] = (ip_network("127.0.0.0/8"), ip_network("::1"))


class ConnectionLimits(Struct, frozen=True):
    """What callers may take before they have said what they want.

    ``header_seconds`` for a whole header; ``body_seconds`` without another kilobyte of a body. What comes from the ``trusted`` proxies is
    counted by the addresses that they name.
    """

    connections: int = 2000
    per_address: int = 1000
    header_seconds: float = 10.0
    body_seconds: float = 20.0
    trusted: tuple[Network, ...] = LOOPBACK


USUAL = ConnectionLimits()
