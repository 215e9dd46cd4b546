"""The single checks of `kiebitz doctor`. Each opens what it needs by itself, so that each can be asked alone."""

import os
import shutil
import socket
import sys
from datetime import UTC, datetime, timedelta
from typing import Literal, TypeAlias

import psycopg
from msgspec import Struct

from deploy.compose import now, open_services
from deploy.failures import Failure
from deploy.serve_lock import holder
from deploy.settings import Settings, prepared_folder
from domain.journal.migrate import pending
from domain.journal.storage import open_recorder
from projections.fingerprints import SET_BACK

State: TypeAlias = Literal["ok", "look", "wrong"]

_OLDEST, _NEWEST = (3, 11), (3, 13)
_ROOM, _SCARCE = 200_000_000, 2_000_000_000
_OFF = timedelta(seconds=5)


class Finding(Struct, frozen=True):
    """``look``: it works, but somebody should have a look. ``advice`` is what to do."""

    what: str
    state: State
    found: str
    advice: str = ""


def python(_: Settings) -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    if _OLDEST <= sys.version_info[:2] <= _NEWEST:
        return Finding("Python", "ok", version)
    return Finding("Python", "wrong", version, f"Kiebitz runs on Python 3.{_OLDEST[1]} to 3.{_NEWEST[1]}.")


def folder(settings: Settings) -> Finding:
    if not settings.embedded:
        return Finding("Data folder", "ok", "none is needed with PostgreSQL")
    data = prepared_folder(settings.data)
    if data.stat().st_mode & 0o077:
        return Finding("Data folder", "look", f"{data} can be read by others, hidden cards and all", f"chmod 700 {data}")
    return Finding("Data folder", "ok", str(data))


def room(settings: Settings) -> Finding:
    if not settings.embedded:
        return Finding("Disk", "ok", "that of the database is not visible from here")
    free = shutil.disk_usage(settings.data).free
    found = f"{free / 1e9:.1f} GB free"
    if free >= _SCARCE:
        return Finding("Disk", "ok", found)
    return Finding("Disk", "wrong" if free < _ROOM else "look", found, "Make room: without it nothing more can be recorded.")


def database(settings: Settings) -> Finding:
    if missing := pending(settings.journal_url):
        if settings.embedded:
            return Finding("Database", "ok", "the embedded one; it is made or brought up to date when it is opened")
        return Finding("Database", "wrong", f"it lacks {', '.join(missing)}", "Run kiebitz migrate.")
    recorder = open_recorder(settings.journal_url)
    try:
        return Finding("Database", "ok", f"{settings.store}, newest sequence {recorder.max_notification_id() or 0}")
    finally:
        recorder.close()


def tokens(settings: Settings) -> Finding:
    if pending(settings.journal_url):
        return Finding("Tokens", "ok", "none yet; the first start issues one")
    recorder = open_recorder(settings.journal_url)
    try:
        issued = recorder.list_tokens()
    finally:
        recorder.close()
    valid = [token for token in issued if token.revoked_at is None]
    found = f"{len(valid)} valid, {len(issued) - len(valid)} revoked"
    if issued and not any(token.role == "director" for token in valid):
        return Finding("Tokens", "look", f"{found}, none of a director", "Issue one: kiebitz tokens issue --role director")
    return Finding("Tokens", "ok", found if issued else "none yet; the first start issues one")


def projections(settings: Settings) -> Finding:
    if pending(settings.journal_url):
        return Finding("Projections", "ok", "nothing to project yet")
    with open_services(settings) as services:
        services.projector.follow()
        found = services.projector.status()
    stopped = [f"{status.name} stopped at sequence {status.failed_at}" for status in found if status.failed_at is not None]
    if stopped:
        return Finding("Projections", "wrong", ", ".join(stopped), "`kiebitz projections status` says why; recording goes on meanwhile.")
    if ahead := [status.name for status in found if status.error == SET_BACK]:
        text = f"{', '.join(ahead)} know events that are not there: {SET_BACK}"
        return Finding("Projections", "wrong", text, "Start the server anew, which fills them anew; or run kiebitz projections rebuild.")
    behind = [f"{status.name} is {status.lag} behind{f', {status.reason}' if status.reason else ''}" for status in found if status.lag]
    if not behind:
        return Finding("Projections", "ok", "up to date")
    return Finding("Projections", "look", ", ".join(behind), "A running server catches up; or run kiebitz projections rebuild.")


def port(settings: Settings) -> Finding:
    running = holder(settings.lock_file) if settings.embedded else None
    if running is not None:
        return Finding("Port", "ok", f"{running} is running on this data folder")
    try:
        socket.create_server((settings.host, settings.port)).close()
    except OSError as error:
        advice = "Name another one with --port (KIEBITZ_PORT) or --host (KIEBITZ_HOST)."
        return Finding("Port", "wrong", f"{settings.host}, port {settings.port}: {os.strerror(error.errno or 0)}", advice)
    return Finding("Port", "ok", f"{settings.host}, port {settings.port} is free")


def clock(settings: Settings) -> Finding:
    """Events carry the time of this machine: it should agree with the database's, and not lie before the newest event."""
    here = now()
    there = _newest(settings) if settings.embedded else _database_time(settings)
    off = there - here if settings.embedded else abs(there - here)
    if here.year < 2025 or off > _OFF:
        return Finding(
            "Clock", "wrong", f"{here:%Y-%m-%d %H:%M:%S} UTC here, {there:%Y-%m-%d %H:%M:%S} in the store", "Set the clock, best by NTP."
        )
    return Finding("Clock", "ok", f"{here:%Y-%m-%d %H:%M:%S} UTC")


def _newest(settings: Settings) -> datetime:
    if pending(settings.journal_url):
        return datetime.min.replace(tzinfo=UTC)
    with open_services(settings) as services:
        newest = services.journal.feed(services.journal.head() - 1, 1)
    return newest[0][1].stamp.at if newest else datetime.min.replace(tzinfo=UTC)


def _database_time(settings: Settings) -> datetime:
    with psycopg.connect(settings.journal_url, connect_timeout=5) as connection:
        row = connection.execute("SELECT now()").fetchone()
    if row is None:
        raise Failure("The database does not tell its time.")
    at: datetime = row[0]
    return at
