"""Who is connected, from which address, and who has to go where there is no room."""

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Protocol

from deploy.config.limits import ConnectionLimits

_KNOWN = 4096  # addresses
_SITE = 64  # bits: who has one IPv6 address has all that begin with the same


class Caller(Protocol):
    """A connection."""

    def dismiss(self) -> None:
        """Ends it, because there is no room."""


class Room:
    """Room for so many. For a newcomer goes who has no complete request under way, the one of longest standing first."""

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
        """False if everybody here is busy."""
        while len(self) >= self._size:
            oldest = next(iter(self._idle), None)
            if oldest is None:
                return False
            self.leave(oldest)
            oldest.dismiss()
        self._idle[caller] = None
        return True

    def leave(self, caller: Caller) -> None:
        self._idle.pop(caller, None)
        self._busy.discard(caller)

    def mark(self, caller: Caller, *, busy: bool) -> None:
        """Who is neither here any more nor was refused stays away."""
        if busy and caller in self._idle:
            del self._idle[caller]
            self._busy.add(caller)
        elif not busy and caller in self._busy:
            self._busy.remove(caller)
            self._idle[caller] = None


class Callers:
    """All connections of a server. Used from one loop."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self.limits = limits
        self._all = Room(limits.connections)
        self._rooms: dict[str, Room] = {}
        self._addresses: dict[Caller, str] = {}
        self.counted = lru_cache(_KNOWN)(self._counted)
        """Under what an address is counted; ``None`` for a trusted proxy, and for what is no address, such as a socket of this machine."""

    @property
    def busy(self) -> int:
        """Who has a complete request under way."""
        return self._all.busy

    @property
    def idle(self) -> int:
        return len(self._all) - self.busy

    def enter(self, caller: Caller, host: str | None) -> bool:
        """False if there is no room. ``host`` is the other end of the connection."""
        if not self._all.enter(caller):
            return False
        if self.enter_from(caller, self.counted(host)):
            return True
        self._all.leave(caller)
        return False

    def enter_from(self, caller: Caller, address: str | None) -> bool:
        """Counts a caller under an address instead of the one before. ``None``: under none."""
        if caller in self._addresses:
            self._leave_room(caller)
        if address is None:
            return True
        room = self._rooms.setdefault(address, Room(self.limits.per_address))
        self._addresses[caller] = address
        if room.enter(caller):
            return True
        self._leave_room(caller)
        return False

    def leave(self, caller: Caller) -> None:
        self._all.leave(caller)
        self._leave_room(caller)

    def mark(self, caller: Caller, *, busy: bool) -> None:
        """Whether a complete request of his is under way."""
        self._all.mark(caller, busy=busy)
        address = self._addresses.get(caller)
        if address is not None:
            self._rooms[address].mark(caller, busy=busy)

    def forwarded(self, headers: Iterable[tuple[bytes, bytes]]) -> str | None:
        """For whom a trusted proxy calls: the last address in X-Forwarded-For that is no such proxy's itself."""
        given = b",".join([value for name, value in headers if name == b"x-forwarded-for"])
        if not given:
            return None
        named = (self.counted(part.strip().decode("latin-1")) for part in reversed(given.split(b",")))
        return next((address for address in named if address is not None), None)

    def _counted(self, host: str | None) -> str | None:
        try:
            address = ip_address(host or "")
        except ValueError:
            return None
        address = getattr(address, "ipv4_mapped", None) or address
        if any(address in network for network in self.limits.trusted):
            return None
        return _site(address)

    def _leave_room(self, caller: Caller) -> None:
        address = self._addresses.pop(caller, None)
        if address is not None:
            self._rooms[address].leave(caller)
            if not self._rooms[address]:
                del self._rooms[address]


def said_last(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> bytes:
    """What the proxy that is next to us said; what stands before it may come from anybody."""
    return b",".join([value for known, value in headers if known == name]).rpartition(b",")[2].strip()


def _site(address: IPv4Address | IPv6Address) -> str:
    return str(address) if address.version == 4 else str(ip_network((address, _SITE), strict=False))
