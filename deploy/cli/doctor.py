"""`kiebitz doctor`: looks at everything in order, and answers on a broken installation, too.

Each check opens what it needs by itself, so that each can be asked alone.
"""

import os
import shutil
import socket
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal, TypeAlias

import click
from msgspec import Struct
from rich.box import SIMPLE
from rich.markup import escape
from rich.table import Table

from deploy.cli.console import show
from deploy.cli.options import STORE, setting_options, settings_of
from deploy.compose import now, open_event_store, open_services
from deploy.failures import explained
from deploy.private import OURS, seen_by_others
from deploy.serve_lock import holder
from deploy.settings import Settings
from deploy.stores.migrating import guard_script, is_guarded, pending
from deploy.stores.postgres.connections import server_time
from projections.engine.fingerprints import SET_BACK

State: TypeAlias = Literal["ok", "look", "wrong"]

_SIGNS: dict[State, str] = {"ok": "[green]✓[/] ok", "look": "[yellow]![/] look", "wrong": "[red]✗[/] wrong"}
_OLDEST, _NEWEST = (3, 11), (3, 13)
_ROOM, _SCARCE = 200_000_000, 2_000_000_000
_OFF = timedelta(seconds=5)
_NEVER = datetime.min.replace(tzinfo=UTC)


class Finding(Struct, frozen=True):
    """``look``: it works, but somebody should have a look. ``advice`` is what to do."""

    state: State
    text: str
    advice: str = ""


@click.command("doctor")
@setting_options(*STORE, "host", "port")
def doctor_command(**flags: Any) -> None:
    """Find out what is wrong, and what to do. Exit code 1 if anything is.

    \b
    Example:
      kiebitz doctor --data ./data
    """
    table = Table("", "", "found", "what to do", box=SIMPLE)
    wrong = False
    for name, finding in findings(settings_of(flags)):
        table.add_row(_SIGNS[finding.state], name, escape(finding.text), escape(finding.advice))
        wrong = wrong or finding.state == "wrong"
    show(table)
    raise click.exceptions.Exit(int(wrong))


def findings(settings: Settings) -> Iterator[tuple[str, Finding]]:
    """One for each check, in order; none for what cannot be looked at because something else is wrong."""
    wrong: set[str | None] = set()
    for name, check, needed in _CHECKS:
        finding = None if needed in wrong else _run(check, settings)
        if finding is None or finding.state == "wrong":
            wrong.add(name)
        if finding is not None:
            yield name, finding


def _run(check: Callable[[Settings], Finding], settings: Settings) -> Finding:
    try:
        return check(settings)
    except Exception as error:
        failure = explained(error)
        if failure is None:
            raise
        return Finding("wrong", failure.problem, " ".join(failure.advice))


def _python(_: Settings) -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    if _OLDEST <= sys.version_info[:2] <= _NEWEST:
        return Finding("ok", version)
    return Finding("wrong", version, f"Kiebitz runs on Python 3.{_OLDEST[1]} to 3.{_NEWEST[1]}.")


def _folder(settings: Settings) -> Finding:
    if not settings.embedded:
        return Finding("ok", "none is needed with PostgreSQL")
    data, there = settings.data, _there(settings)
    if not there.is_dir() or not os.access(there, os.R_OK | os.W_OK | os.X_OK):
        return Finding(
            "wrong", f"{there} cannot be written to", "Name another one with KIEBITZ_DATA (--data), or change its owner or rights."
        )
    if there != data:
        return Finding("ok", f"{data} is not there yet; the first start makes it")
    if seen_by_others([data]):
        return Finding("look", f"{data} can be read by others, hidden cards and all", f"chmod 700 {data}")
    if seen := seen_by_others(file for file in sorted(data.iterdir()) if file.name.startswith(OURS)):
        return Finding("look", f"others may read {', '.join(map(str, seen))}", f"chmod 600 {' '.join(map(str, seen))}")
    return Finding("ok", str(data))


def _there(settings: Settings) -> Path:
    """The data folder, or what is there on the way to it."""
    return next(path for path in (settings.data, *settings.data.parents) if path.exists())


def _room(settings: Settings) -> Finding:
    if not settings.embedded:
        return Finding("ok", "that of the database is not visible from here")
    free = shutil.disk_usage(_there(settings)).free
    found = f"{free / 1e9:.1f} GB free"
    if free >= _SCARCE:
        return Finding("ok", found)
    return Finding("wrong" if free < _ROOM else "look", found, "Make room: without it nothing more can be recorded.")


def _database(settings: Settings) -> Finding:
    if missing := pending(settings.journal_url):
        if settings.embedded:
            return Finding("ok", "the embedded one; it is made or brought up to date when it is opened")
        return Finding("wrong", f"it lacks {', '.join(missing)}", "Run kiebitz migrate.")
    with open_event_store(settings, look=True) as store:
        return Finding("ok", f"{settings.store}, newest sequence {store.head()}")


def _append_only(settings: Settings) -> Finding:
    if pending(settings.journal_url):
        return Finding("ok", "no events yet")
    if is_guarded(settings.journal_url):
        return Finding("ok", "the database refuses to change or remove events")
    advice = f"Somebody took the triggers away. Run kiebitz audit --all; then lay them again: {guard_script(settings.journal_url)}"
    return Finding("wrong", "events could be changed or removed", advice)


def _tokens(settings: Settings) -> Finding:
    if pending(settings.journal_url):
        return Finding("ok", "none yet; the first start issues one")
    with open_event_store(settings, look=True) as store:
        issued = store.list_tokens()
    valid = [token for token in issued if token.revoked_at is None]
    found = f"{len(valid)} valid, {len(issued) - len(valid)} revoked"
    if issued and not any(token.role == "director" for token in valid):
        return Finding("look", f"{found}, none of a director", "Issue one: kiebitz tokens issue --role director")
    return Finding("ok", found if issued else "none yet; the first start issues one")


def _projections(settings: Settings) -> Finding:
    if pending(settings.journal_url):
        return Finding("ok", "nothing to project yet")
    with open_services(settings, look=True) as services:
        services.projector.follow()
        found = services.projector.status()
    stopped = [f"{status.name} stopped at sequence {status.failed_at}" for status in found if status.failed_at is not None]
    if stopped:
        return Finding("wrong", ", ".join(stopped), "`kiebitz projections status` says why; recording goes on meanwhile.")
    if ahead := [status.name for status in found if status.error == SET_BACK]:
        text = f"{', '.join(ahead)} know events that are not there: {SET_BACK}"
        return Finding(
            "wrong", text, "Keep everything first: kiebitz backup, and a copy of projections.db. Then kiebitz projections verify."
        )
    behind = [f"{status.name} is {status.lag} behind{f', {status.reason}' if status.reason else ''}" for status in found if status.lag]
    if not behind:
        return Finding("ok", "up to date")
    return Finding("look", ", ".join(behind), "A running server catches up; or run kiebitz projections rebuild.")


def _port(settings: Settings) -> Finding:
    running = holder(settings.lock_file) if settings.embedded else None
    if running is not None:
        return Finding("ok", f"{running} is running on this data folder")
    try:
        socket.create_server((settings.host, settings.port)).close()
    except OSError as error:
        advice = "Name another one with --port (KIEBITZ_PORT) or --host (KIEBITZ_HOST)."
        return Finding("wrong", f"{settings.host}, port {settings.port}: {os.strerror(error.errno or 0)}", advice)
    return Finding("ok", f"{settings.host}, port {settings.port} is free")


def _clock(settings: Settings) -> Finding:
    """Events carry the time of this machine: it should agree with the database's, and not lie before the newest event."""
    here = now()
    there = _newest_event(settings) if settings.embedded else server_time(settings.journal_url)
    off = there - here if settings.embedded else abs(there - here)
    if here.year < 2025 or off > _OFF:
        return Finding("wrong", f"{here:%Y-%m-%d %H:%M:%S} UTC here, {there:%Y-%m-%d %H:%M:%S} in the store", "Set the clock, best by NTP.")
    return Finding("ok", f"{here:%Y-%m-%d %H:%M:%S} UTC")


def _newest_event(settings: Settings) -> datetime:
    if pending(settings.journal_url):
        return _NEVER
    with open_services(settings, look=True) as services:
        newest = services.journal.feed(services.journal.head() - 1, 1)
    return newest[0][1].stamp.at if newest else _NEVER


_CHECKS: tuple[tuple[str, Callable[[Settings], Finding], str | None], ...] = (
    ("Python", _python, None),
    ("Data folder", _folder, None),
    ("Disk", _room, "Data folder"),
    ("Database", _database, "Data folder"),
    ("Events", _append_only, "Database"),
    ("Tokens", _tokens, "Database"),
    ("Projections", _projections, "Database"),
    ("Port", _port, None),
    ("Clock", _clock, "Database"),
)
"""Each with the one without which it cannot be looked at."""
