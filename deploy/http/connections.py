"""Connection limits: registry of open connections, in total and per client address, with eviction of idle ones."""

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Protocol

from deploy.config.settings import ConnectionLimits

_KNOWN = 4096  # addresses
_SITE = 64  # bits: a client with one IPv6 address usually has the whole network


class Caller(Protocol):
    """A client connection."""

    def evict(self) -> None:
        """End the connection, because there is no room."""


class ConnectionSlots:
    """Limited set of connections. A new one evicts the oldest idle one, that is, one without a complete request under way."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._idle: dict[Caller, None] = {}
        self._busy: set[Caller] = set()

    def __len__(self) -> int:
        return len(self._idle) + self.busy

    @property
    def busy(self) -> int:
        return len(self._busy)

    def enter(self, caller: Caller) -> bool:
        """Add a connection; return False if the limit is reached and all others are busy."""
        while len(self) >= self._size:
            oldest = next(iter(self._idle), None)
            if oldest is None:
                return False
            self.leave(oldest)
            oldest.evict()
        self._idle[caller] = None
        return True

    def leave(self, caller: Caller) -> None:
        self._idle.pop(caller, None)
        self._busy.discard(caller)

    def mark(self, caller: Caller, *, busy: bool) -> None:
        """Mark a connection as busy or idle. No effect on a connection that was evicted or refused."""
        if busy and caller in self._idle:
            del self._idle[caller]
            self._busy.add(caller)
        elif not busy and caller in self._busy:
            self._busy.remove(caller)
            self._idle[caller] = None


class ConnectionRegistry:
    """All connections of a server. Used from one event loop."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self.limits = limits
        self._all = ConnectionSlots(limits.connections)
        self._rooms: dict[str, ConnectionSlots] = {}
        self._addresses: dict[Caller, str] = {}
        self.counted = lru_cache(_KNOWN)(self._address_to_count)
        """The key under which a host is counted; ``None`` for a trusted proxy and for a host without an address, such as a Unix socket."""

    @property
    def busy(self) -> int:
        """Return the number of connections with a complete request under way."""
        return self._all.busy

    @property
    def idle(self) -> int:
        return len(self._all) - self.busy

    def count(self) -> dict[str, int]:
        return {"busy": self.busy, "idle": self.idle}

    def enter(self, caller: Caller, host: str | None) -> bool:
        """Add a connection; return False if there is no room. ``host`` is the other end of the connection."""
        if not self._all.enter(caller):
            return False
        if self.enter_from(caller, self.counted(host)):
            return True
        self._all.leave(caller)
        return False

    def enter_from(self, caller: Caller, address: str | None) -> bool:
        """Count a connection under another address than before; ``None``: under none. Return False if there is no room."""
        if caller in self._addresses:
            self._release_place(caller)
        if address is None:
            return True
        room = self._rooms.setdefault(address, ConnectionSlots(self.limits.per_address))
        self._addresses[caller] = address
        if room.enter(caller):
            return True
        self._release_place(caller)
        return False

    def leave(self, caller: Caller) -> None:
        self._all.leave(caller)
        self._release_place(caller)

    def mark(self, caller: Caller, *, busy: bool) -> None:
        """Mark whether a complete request of this connection is under way."""
        self._all.mark(caller, busy=busy)
        address = self._addresses.get(caller)
        if address is not None:
            self._rooms[address].mark(caller, busy=busy)

    def read_forwarded_address(self, headers: Iterable[tuple[bytes, bytes]]) -> str | None:
        """Return the client for which a trusted proxy calls: the last address in X-Forwarded-For that is not a trusted proxy."""
        given = b",".join([value for name, value in headers if name == b"x-forwarded-for"])
        if not given:
            return None
        named = (self.counted(part.strip().decode("latin-1")) for part in reversed(given.split(b",")))
        return next((address for address in named if address is not None), None)

    def _address_to_count(self, host: str | None) -> str | None:
        try:
            address = ip_address(host or "")
        except ValueError:
            return None
        address = getattr(address, "ipv4_mapped", None) or address
        if any(address in network for network in self.limits.trusted):
            return None
        return _site(address)

    def _release_place(self, caller: Caller) -> None:
        address = self._addresses.pop(caller, None)
        if address is not None:
            self._rooms[address].leave(caller)
            if not self._rooms[address]:
                del self._rooms[address]


def last_header_value(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> bytes:
    """Return the value that the nearest proxy set, the last one; earlier ones may come from anybody."""
    return b",".join([value for known, value in headers if known == name]).rpartition(b",")[2].strip()


def _site(address: IPv4Address | IPv6Address) -> str:
    return str(address) if address.version == 4 else str(ip_network((address, _SITE), strict=False))
