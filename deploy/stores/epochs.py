"""Epochs of a store, and detection of a copied or restored database; SQL shared by both databases."""

import logging
import re
from abc import abstractmethod
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from functools import cached_property
from secrets import token_hex
from threading import Lock
from typing import Any, NamedTuple, TypeAlias

from deploy.stores.statements import Statements
from domain.journal.commits import StoredEvent, StoreUnknownError, StoreUpgradedError
from domain.journal.epochs import Epoch, Line
from domain.version import VERSION

# Compatibility of a store with product versions: which ones upgraded it, and which ones can still use it.


READABLE_FROM = "0.2.0"
"""The oldest version that can use a store after an upgrade to this one. Raise it to the current version with anything that older versions
would not understand or would write wrongly: a table, an event with a new version, an edition of a ruleset.
"""
TABLE = "product_versions"
UPGRADES = f"SELECT number, version, upgraded_at, readable_from FROM {TABLE} ORDER BY number"
ADD_UPGRADE = f"INSERT INTO {TABLE} (number, version, upgraded_at, readable_from) VALUES (?, ?, ?, ?)"
COUNT = f"(SELECT max(number) FROM {TABLE})"
"""SQL of a number that changes with every upgrade."""


class Upgrade(NamedTuple):
    """A row of the table. ``upgraded_at`` is in UTC, as RFC 3339 writes it."""

    number: int
    version: str
    upgraded_at: str
    readable_from: str


def is_older(version: str, other: str) -> bool:
    """Compare two versions by their numbers."""
    return _numbers(version) < _numbers(other)


def check_readable(upgrades: Sequence[Upgrade], unknown: Collection[str] = (), own: str = VERSION) -> None:
    """Check that version ``own`` can use the store.

    Raises ``StoreUpgradedError`` if the last upgrade left the store to newer versions than ``own``. Raises ``StoreUnknownError`` if it has
    scripts that are ``unknown`` here, and no newer version states that ``own`` can use it all the same.
    """
    last = upgrades[-1] if upgrades else None
    if last is not None and is_older(own, last.readable_from):
        raise StoreUpgradedError(own, last.version, last.upgraded_at[:10], last.readable_from)
    if unknown and not (last is not None and is_older(own, last.version)):
        raise StoreUnknownError(own, sorted(unknown))


def has_breaking_upgrade(upgrades: Sequence[Upgrade]) -> bool:
    """Return whether an upgrade to this version would leave the store to newer versions than the last one did."""
    return bool(upgrades) and is_older(upgrades[-1].readable_from, READABLE_FROM)


def next_upgrade(upgrades: Sequence[Upgrade]) -> Upgrade | None:
    """Return the row that this version has to add; ``None`` if this version or a newer one has already added one."""
    if upgrades and not is_older(upgrades[-1].version, VERSION):
        return None
    now = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    return Upgrade(len(upgrades) + 1, VERSION, now, READABLE_FROM)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:3])


class VersionsSql(Statements):
    """Detects that a newer version upgrades the store while this process has it open."""

    _upgrades_seen: Any = None
    _outgrown: StoreUpgradedError | None = None

    def check_upgrades(self, count: object) -> None:
        """Check the upgrades if ``count``, the store's present number of them, has changed."""
        if count != self._upgrades_seen:
            try:
                check_readable([Upgrade(*row) for row in self.query(UPGRADES)])
                self._outgrown = None
            except StoreUpgradedError as error:
                self._outgrown = error
            self._upgrades_seen = count

    def require_usable(self) -> None:
        """Raise ``StoreUpgradedError`` if a newer version was seen to leave the store to newer ones only."""
        if self._outgrown is not None:
            raise self._outgrown.with_traceback(None)


_LOG = logging.getLogger("kiebitz.journal")

_EPOCHS = "SELECT number, id, common, place FROM epochs ORDER BY number"
_HEAD = "SELECT (SELECT max(sequence) FROM events), (SELECT id FROM epochs ORDER BY number DESC LIMIT 1)"
_LOOK = f"{_HEAD}, {COUNT}"
_EVENT = "SELECT originator_id, originator_version, topic, state FROM events WHERE sequence = ?"
_BEGIN = "INSERT INTO epochs (number, id, common, place, began_at) VALUES (?, ?, ?, ?, ?)"
_SETTLE = "UPDATE epochs SET place = ? WHERE number = ? AND place IS NULL"

Run: TypeAlias = Callable[[str, Sequence[Any]], list[tuple[Any, ...]]]


class Session(NamedTuple):
    """Access to one connection: ``run`` statements, an ``appending`` transaction that excludes other writers, and the ``place`` it leads
    to.
    """

    run: Run
    appending: Callable[[], AbstractContextManager[object]]
    place: str | None


class EpochsSql(VersionsSql):
    """Epochs part of ``EventStore``."""

    def __init__(self) -> None:
        self._line: Line | None = None
        self._settled = False
        self._looking = Lock()

    @abstractmethod
    def session(self) -> AbstractContextManager[Session]:
        """Open a connection for checking the identity of the store."""

    @abstractmethod
    def reset_heads(self) -> None:
        """Discard announced sequences: they belong to another epoch."""

    @property
    def line(self) -> Line:
        """Return the present epoch, as far as this process knows."""
        if self._line is None:
            self.read_epoch()
        assert self._line is not None
        return self._line

    @cached_property
    def epoch(self) -> Epoch:
        # Every command asks for it. So it is an attribute, which ``_track`` sets with the line.
        return self.line.epoch

    def epochs(self) -> list[Epoch]:
        return [Epoch(*row) for row in self.query(_EPOCHS)]

    def head(self) -> int:
        line = self._line
        known = line.latest if line else 0  # read before the query: others may record during it
        [(found, epoch, upgrades)] = self.query(_LOOK)
        newest = int(found or 0)
        self.check_upgrades(upgrades)
        if line is not None and (epoch != line.epoch.id or newest < known):
            self.read_epoch()
        return newest

    def check_epoch(self) -> None:
        self._settled = True
        self.read_epoch()

    def read_epoch(self) -> None:
        with self.session() as session:
            self.check_identity(session)

    def begin_epoch(self, common: int | None) -> None:
        with self.session() as session, self._looking:
            with session.appending():
                [*_, present] = _all(session.run)
                begun = _begin_epoch(session, present, common)
            self._track(begun)  # only after the commit

    def check_identity(self, session: Session) -> None:
        """Check that this is the store that the process knows.

        If not, follow the epoch that another process began, or begin one. A process that only reads begins none.
        """
        with self._looking:
            if self._is_known(session):
                return
            if self._settled:
                with session.appending():
                    found = self._found(session)
            else:  # a process that only reads begins no epoch
                [*_, found] = _all(session.run)
            self._track(found)

    def _is_known(self, session: Session) -> bool:
        [*_, present] = _all(session.run)
        line = self._line
        same = line is not None and line.epoch.id == present.id and self._has_last_event(session, line)
        return same and not self._is_moved(present, session)

    def _is_moved(self, present: Epoch, session: Session) -> bool:
        return self._settled and session.place is not None and session.place != present.place

    def _found(self, session: Session) -> Epoch:
        epochs, line = _all(session.run), self._line
        present = epochs[-1]
        if self._is_moved(present, session):
            if present.place is None:
                session.run(_SETTLE, (session.place, present.number))
            else:  # no process records here before this check, so all events here are of earlier epochs
                [(newest, _)] = session.run(_HEAD, ())
                return _begin_epoch(session, present, int(newest or 0))
        if line is None or line.epoch.id == present.id:
            return (
                present
                if line is None or self._has_last_event(session, line)
                else _begin_epoch(session, present, self._common(session, line))
            )
        return present if line.epoch.id in {epoch.id for epoch in epochs} else _begin_epoch(session, present, None)

    def _has_last_event(self, session: Session, line: Line) -> bool:
        """Return whether the newest event that this process saw still exists."""
        return all(self._has_event(session, *seen) for seen in line.list_latest_events()[:1])

    def _common(self, session: Session, line: Line) -> int | None:
        return next((sequence for sequence, event in line.list_latest_events() if self._has_event(session, sequence, event)), None)

    def _has_event(self, session: Session, sequence: int, event: StoredEvent) -> bool:
        rows = session.run(_EVENT, (sequence,))
        return [StoredEvent(self.from_column(id), position, name, state) for id, position, name, state in rows] == [event]

    def _track(self, epoch: Epoch) -> None:
        if not self._settled or self._line is None or self._line.epoch.id != epoch.id:
            self._line, self.epoch = Line(epoch), epoch
            self.reset_heads()


def _all(run: Run) -> list[Epoch]:
    return [Epoch(*row) for row in run(_EPOCHS, ())]


def _begin_epoch(session: Session, present: Epoch, common: int | None) -> Epoch:
    begun = Epoch(present.number + 1, token_hex(8), common, session.place)
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    session.run(_BEGIN, (begun.number, begun.id, begun.common, begun.place, now))
    upto = "nobody knows up to where" if common is None else f"up to sequence {common}"
    _LOG.warning("this store may be a copy of the one that was known; epoch %s begins, the same as before %s", begun.id, upto)
    return begun
