"""Compatibility of a store with product versions: which ones upgraded it, and which ones can still use it.

A version that upgrades a store leaves a row there: its own number, the date, and the oldest version that can use the store from then on. An
older version does not start; one that already serves records nothing more as soon as it sees that row.
"""

import re
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from deploy.stores.statements import Statements
from domain.journal.commits import StoreUnknownError, StoreUpgradedError
from domain.version import VERSION

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
