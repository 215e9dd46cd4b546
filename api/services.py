"""Dependencies of the API, which ``deploy/compose.py`` builds; nothing here knows which database lies underneath."""

import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from ipaddress import IPv4Network, IPv6Network
from typing import Literal, NamedTuple, Protocol, TypeAlias
from uuid import UUID

from msgspec import Struct

from domain.cards import Card
from domain.journal.application import Journal
from domain.journal.log import LogEpoch, LogRegister
from domain.journal.registers import Registers
from domain.journal.store import Pool
from domain.rules import Rulesets
from domain.time_zones import UTC_ZONE
from projections.engine.projector import Projector
from projections.engine.store import Store
from replay.editions import Editions
from replay.proof.checkpoints import Signer
from replay.proof.log import LogTree
from replay.proof.making import receipt_key_name
from replay.proof.witnesses import Standing, TrustedCheckpoints

Network: TypeAlias = IPv4Network | IPv6Network
BackupError: TypeAlias = Literal["failed", "overdue"]
"""The last attempt to write a backup failed, or the folder cannot be read; or the newest is older than twice the interval."""


@dataclass(frozen=True, slots=True)
class Bound:
    """The most at a time in all, and for one principal."""

    most: int
    each: int


@dataclass(frozen=True, slots=True)
class Rate:
    """``burst`` requests in a row, then ``per_second`` steadily; ``None``: no limit."""

    per_second: float | None
    burst: int


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of requests and of long responses.

    ``burst`` requests of a viewer in a row, then ``per_second`` steadily; ``None``: no limit. Officials have none. ``by_address``: of all
    together who ask without a token from one address, which may be that of a whole hall. ``streams``: responses that are sent in pieces.
    ``followers``: streams without an end. ``exports``: those of which a file is made first, waiting ones included. ``reads``: of each kind
    of read that uses the processor for long, likewise. ``answer``: seconds until a response begins, for every caller; after that it is 503.
    """

    per_second: float | None = 50.0
    burst: int = 200
    by_address: Rate = Rate(200.0, 6000)
    streams: Bound = Bound(200, 50)
    followers: Bound = Bound(2500, 500)
    exports: Bound = Bound(32, 8)
    reads: Bound = Bound(16, 4)
    answer: float = 12.0


@dataclass(slots=True)
class Connections:
    """The connections of clients by their state, ``busy`` or ``idle``; ``None`` where the server does not count them."""

    count: Callable[[], Mapping[str, int]] | None = None


class Sources(NamedTuple):
    """The stores that an export reads."""

    registers: Registers
    store: Store
    journal: Journal

    @property
    def clock(self) -> Callable[[], datetime]:
        return self.journal.clock


class Job(Struct, frozen=True, kw_only=True, tag=True):
    """The base of work for another process, because it uses the processor for long. It is passed on as JSON."""

    @property
    def queue_name(self) -> str:
        """The queue of the job: jobs of one lane wait for each other, and for no others."""
        raise NotImplementedError


class Export(Job, frozen=True, kw_only=True):
    """The base of jobs whose result is kept as a file."""


class Exports(Protocol):
    """The process that makes exports. Used from one event loop; neither method waits for it."""

    def begin(self, file: int) -> socket.socket:
        """Pass an open file and one end of a socket pair to the process, and return the other end.

        ``api/common/exporting.py`` describes the protocol. Starts the process where there is none. Raises OSError where none can be
        started.
        """

    def stop(self) -> None:
        """Kill the process, whatever it does; the next ``begin`` starts a new one."""


@dataclass(frozen=True, slots=True)
class StoreLog:
    """The log of the store, kept here or by another service.

    ``told`` returns the secret of the key that signs views. ``open``: whether the tree can be read without a token. ``failure``: why
    nothing is signed, if that is so. ``behind``: the seconds for which something has been seen unsigned. ``start`` and ``stop`` are those
    of its writer.
    """

    register: LogRegister
    tree: LogTree
    kept: TrustedCheckpoints
    told: Callable[[], bytes]
    open: bool
    failure: Callable[[], str | None]
    behind: Callable[[], float]
    start: Callable[[], None]
    stop: Callable[[], None]
    standings: Callable[[], Sequence[Standing]] = tuple
    """The state of each witness that is asked. Raises ``Unavailable``."""

    def epoch(self) -> LogEpoch:
        """Return the present epoch."""
        return self.register.log_epochs()[-1]

    def signer(self, origin: str) -> Signer:
        """Return the signer of receipts."""
        return Signer(receipt_key_name(origin), self.told())

    def keys(self) -> list[str]:
        """Return every verifier key by which anything was ever signed, as text."""
        return self.register.log_keys()


@dataclass(frozen=True, slots=True)
class BackupStatus:
    """The backups of the embedded store.

    ``newest``: when the newest was begun, ``age``: seconds since then; ``None`` where there is none. ``every``: minutes between two;
    ``None`` where the service writes none.
    """

    newest: datetime | None
    age: int | None
    every: int | None
    error: BackupError | None


@dataclass(frozen=True, slots=True)
class Services:
    """The parts of one running service. Time, ids and chance come from here."""

    journal: Journal
    rulesets: Rulesets
    store: Store
    projector: Projector
    registers: Registers
    clock: Callable[[], datetime]
    new_id: Callable[[], UUID]
    new_salt: Callable[[], bytes]
    shuffle: Callable[[Sequence[Card]], tuple[Card, ...]]
    editions: Editions
    exports: Exports
    readers: Exports
    """Runs jobs that take long and are no export."""
    limits: Limits = Limits()
    origins: tuple[str, ...] = ()
    """Origins of cross-origin pages that browsers may let read responses."""
    pools: Callable[[], Mapping[str, Pool]] = dict
    """Database pools by their purpose; none for an embedded database."""
    webhook_networks: tuple[Network, ...] = ()
    """Private networks that webhooks may lead to, also without https."""
    public_url: str | None = None
    """The address by which the service names itself; ``None``: the one that the browser used."""
    network_hosts: Callable[[], Sequence[str]] = tuple
    """Hosts at which other devices reach the service, the best one first; none where it listens on this machine alone."""
    worker: int = 1
    """The number of this process among those that serve at one address."""
    log: StoreLog | None = None
    """``None`` where none is kept."""
    backups: Callable[[], BackupStatus | None] = lambda: None
    """``None`` where no folder of backups is set."""
    time_zone: str = UTC_ZONE
    """The IANA zone of the house: of new tournaments, and of games that belong to none."""
    fast_path: bool = True
    """Whether the most frequent requests take the fast path."""

    @property
    def sources(self) -> Sources:
        return Sources(self.registers, self.store, self.journal)
