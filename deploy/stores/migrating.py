"""Schema migration of the events and registers: applies the scripts that a database lacks.

It runs once, before a server or its workers start.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from yoyo import read_migrations

from deploy.stores.epochs import ADD_UPGRADE, UPGRADES, Upgrade, check_readable, has_breaking_upgrade, next_upgrade
from deploy.stores.sqlite import migrating as sqlite
from deploy.stores.store_transfer import MARK
from domain.version import VERSION

_TABLE = "_yoyo_migration"


class MigrationRequiredError(Exception):
    """Raised when the database lacks tables that this version needs."""


class _Found(NamedTuple):
    """Migration state of a store: the names of the scripts that were run, and its upgrades."""

    scripts: set[str]
    upgrades: list[Upgrade]


class _Address(NamedTuple):
    """Database address in the form that the migrating library expects."""

    url: str
    database: str


def migrate(url: str, keep: Callable[[], object] | None = None) -> list[str]:
    """Bring the tables up to date; return the names of the scripts that were run.

    Of several processes one works and the others wait. ``keep`` is called before anything is changed in a store that has tables. A role
    that serves beside the owner gets its rights on new tables. Raises ``StoreBlockedError`` for a store of a newer version.
    """
    require_readable(url)
    with _kind(url).migration_lock(url):
        # Checked first: a role that only serves may call this where nothing is to be done.
        due = pending(url)
        if due and keep is not None and not is_new(url):
            keep()
        done = _apply(url) if due else []
        if added := next_upgrade(upgrades(url)):
            _kind(url).run(url, ADD_UPGRADE, added)
    if done:
        grant_serving_role(url)
    return done


def _apply(url: str) -> list[str]:
    with _backend(url) as backend:
        backend.break_lock()  # left by a process that was killed: our own lock excludes others
        missing = backend.to_apply(_read(_scripts(url)))
        with redirect_stdout(StringIO()):  # yoyo prints rows that statements return; SQLite 3.46 returns some for ALTER TABLE
            backend.apply_migrations(missing)
        return [migration.id for migration in missing]


@cache
def _read(scripts: Path) -> Any:
    """Read the scripts, once per process: parsing them is half of the work."""
    return read_migrations(str(scripts))


def upgrades(url: str) -> list[Upgrade]:
    """Return the upgrades of this store, the last one last; none for a store of a version that left no row."""
    return _found(url).upgrades


def require_readable(url: str) -> None:
    """Raise ``StoreUpgradedError`` or ``StoreUnknownError`` if the store is of a newer version and this version can no longer use it."""
    _check_readable(url, _found(url))


def _check_readable(url: str, found: _Found) -> None:
    check_readable(found.upgrades, _unknown(url, found.scripts))


def is_noted(url: str) -> bool:
    """Return whether this version or a newer one left its row in the store."""
    return next_upgrade(upgrades(url)) is None


def grant_serving_role(url: str, role: str | None = None) -> list[str]:
    """Let a PostgreSQL role serve that does not own the tables; without a role, renew the rights of the one that serves, if any.

    Return the names of the roles. Raises ``GrantError``, and ``ValueError`` for a role of an embedded database.
    """
    names: list[str] = _kind(url).grant_serving_role(url, role)
    return names


def is_guarded(url: str) -> bool:
    """Return whether the database refuses to change and remove events, as the migrations set it up."""
    guarded: bool = _kind(url).has_guards(url)
    return guarded


def guard_script(url: str) -> Path:
    """Return the script that makes the database refuse this."""
    return _scripts(url) / "journal-0005-append-only.sql"


def pending(url: str) -> list[str]:
    """Return the scripts that were not yet run on this database; all of them if there is no database.

    If no script is missing, but the upgrade to this version would leave the store to newer versions than before, return a name for the
    upgrade. It is an explicit step, too.
    """
    return _pending(url, _found(url))


def _pending(url: str, found: _Found) -> list[str]:
    missing = [name for name in _list_scripts(url) if name not in found.scripts]
    return missing or ([f"version-{VERSION}"] if has_breaking_upgrade(found.upgrades) else [])


def is_new(url: str) -> bool:
    """Return whether no script was run yet."""
    return not _found(url).scripts


def unknown(url: str) -> list[str]:
    """Return the scripts that were run on this database and that this version does not have: the database is of a newer version."""
    return _unknown(url, _found(url).scripts)


def is_being_filled(url: str) -> bool:
    """Return whether a transfer began to fill this store and is not complete."""
    being_filled: bool = _kind(url).has(url, MARK)
    return being_filled


def _list_scripts(url: str) -> list[str]:
    return sorted(path.stem for path in _scripts(url).glob("*.sql"))


def _unknown(url: str, scripts: set[str]) -> list[str]:
    return sorted(scripts - set(_list_scripts(url)))


def _found(url: str) -> _Found:
    # Read without the migrating library, which would create its own tables.
    scripts, upgrades = _kind(url).rows(url, f"SELECT migration_id FROM {_TABLE}", UPGRADES)
    return _Found({name for (name,) in scripts}, [Upgrade(*row) for row in upgrades])


def require_migrated(url: str) -> None:
    """Raise ``MigrationRequiredError`` if a script is missing, and ``StoreBlockedError`` for a store of a newer version."""
    found = _found(url)
    _check_readable(url, found)
    if missing := _pending(url, found):
        raise MigrationRequiredError(f"the database lacks {', '.join(missing)}: run kiebitz migrate")


def is_sqlite(url: str) -> bool:
    """Return whether a URL names an SQLite file. Raises ValueError for a URL of neither database."""
    scheme = url.partition(":")[0]
    if scheme not in ("sqlite", "postgresql", "postgres"):
        raise ValueError(f"neither sqlite: nor postgresql: {scheme}:")
    return scheme == "sqlite"


def _kind(url: str) -> Any:
    """Return the module of the database, with ``rows`` of a SELECT, ``run``, the lock ``alone``, and the library's ``Backend``."""
    if is_sqlite(url):
        return sqlite
    from deploy.stores.postgres import migrating as postgres  # see opening.py

    return postgres


def _scripts(url: str) -> Path:
    return Path(_kind(url).__file__).parent / "migrations"


@contextmanager
def _backend(url: str) -> Iterator[Any]:
    """Open the library's backend. Its own URL parsing is bypassed: it knows fewer URLs than the drivers do."""
    with _kind(url).Backend(_Address(url, ""), _TABLE) as opened:
        opened.init_database()
        yield opened
