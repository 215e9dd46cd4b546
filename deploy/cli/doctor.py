"""`kiebitz doctor`: looks at everything in order, and answers on a broken installation, too.

Each check opens what it needs by itself, so that each can be asked alone.
"""

import os
import shutil
import socket
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal, TypeAlias

import click
from msgspec import Struct
from rich.box import SIMPLE
from rich.markup import escape
from rich.table import Table

from api.http.decoding import stamp
from deploy.cli.console import show
from deploy.cli.options import STORE, setting_options, settings_of
from deploy.clock import now
from deploy.compose import open_event_store, open_services
from deploy.failures import explained, system_problem
from deploy.language import headings, lang_option, say, sentence, told
from deploy.private import OURS, seen_by_others
from deploy.serve_lock import holder
from deploy.settings import Settings
from deploy.stores.migrating import guard_script, is_guarded, pending
from deploy.stores.postgres.connections import server_time
from domain.access.scopes import EVERYTHING
from domain.texts import FALLBACK, Saying
from projections.engine.fingerprints import SET_BACK
from projections.engine.status import ProjectionStatus

State: TypeAlias = Literal["ok", "look", "wrong"]

_SIGNS: dict[State, str] = {"ok": "[green]✓[/]", "look": "[yellow]![/]", "wrong": "[red]✗[/]"}
_OLDEST, _NEWEST = (3, 11), (3, 13)
_ROOM, _SCARCE = 200_000_000, 2_000_000_000
_OFF = timedelta(seconds=5)
_TIME = "%Y-%m-%d %H:%M:%S"
_NEVER = datetime.min.replace(tzinfo=UTC)


class Found(Struct, frozen=True):
    """What a check found. ``look``: it works, but somebody should have a look. ``advice`` is what to do."""

    state: State
    text: Saying
    advice: Saying = ""


class Finding(Struct, frozen=True):
    """The same in words."""

    state: State
    text: str
    advice: str


@click.command("doctor")
@lang_option
@setting_options(*STORE, "host", "port")
def doctor_command(language: str, **flags: Any) -> None:
    """Find out what is wrong, and what to do. Exit code 1 if anything is.

    \b
    Example:
      kiebitz doctor --data ./data
    """
    table = Table("", "", *headings(language, "found", "advice"), box=SIMPLE)
    wrong = False
    for name, finding in findings(settings_of(flags), language):
        sign = f"{_SIGNS[finding.state]} {sentence(f'doctor_{finding.state}', language)}"
        table.add_row(sign, name, escape(finding.text), escape(finding.advice))
        wrong = wrong or finding.state == "wrong"
    show(table)
    raise click.exceptions.Exit(int(wrong))


def findings(settings: Settings, language: str = FALLBACK) -> Iterator[tuple[str, Finding]]:
    """One for each check, in order and in words; none for what cannot be looked at because something else is wrong."""
    wrong: set[str | None] = set()
    for name, check, needed in _CHECKS:
        finding = None if needed in wrong else _run(check, settings)
        if finding is None or finding.state == "wrong":
            wrong.add(name)
        if finding is not None:
            said = Finding(finding.state, told(finding.text, language), told(finding.advice, language))
            yield sentence(f"check.{name}", language), said


def _run(check: Callable[[Settings], Found], settings: Settings) -> Found:
    try:
        return check(settings)
    except Exception as error:
        failure = explained(error)
        if failure is None:
            raise
        return Found("wrong", failure.problem, say("sentences", some=failure.advice) if failure.advice else "")


def _python(_: Settings) -> Found:
    version = ".".join(map(str, sys.version_info[:3]))
    if _OLDEST <= sys.version_info[:2] <= _NEWEST:
        return Found("ok", version)
    return Found("wrong", version, say("python_versions", oldest=_OLDEST[1], newest=_NEWEST[1]))


def _folder(settings: Settings) -> Found:
    if not settings.embedded:
        return Found("ok", say("no_folder_needed"))
    data, there = settings.data, _there(settings)
    if not there.is_dir() or not os.access(there, os.R_OK | os.W_OK | os.X_OK):
        return Found("wrong", say("not_writable", folder=there), say("other_folder"))
    if there != data:
        return Found("ok", say("folder_made", folder=data))
    if seen_by_others([data]):
        return Found("look", say("folder_readable", folder=data), f"chmod 700 {data}")
    if seen := seen_by_others(file for file in sorted(data.iterdir()) if file.name.startswith(OURS)):
        return Found("look", say("files_readable", files=tuple(seen)), f"chmod 600 {' '.join(map(str, seen))}")
    return Found("ok", str(data))


def _there(settings: Settings) -> Path:
    """The data folder, or what is there on the way to it."""
    return next(path for path in (settings.data, *settings.data.parents) if path.exists())


def _room(settings: Settings) -> Found:
    if not settings.embedded:
        return Found("ok", say("no_disk_visible"))
    free = shutil.disk_usage(_there(settings)).free
    found = say("room_free", size=f"{free / 1e9:.1f}")
    if free >= _SCARCE:
        return Found("ok", found)
    return Found("wrong" if free < _ROOM else "look", found, say("make_room"))


def _database(settings: Settings) -> Found:
    if missing := pending(settings.journal_url):
        if settings.embedded:
            return Found("ok", say("embedded_made"))
        return Found("wrong", say("database_lacks", missing=tuple(missing)), say("run_migrate"))
    with open_event_store(settings, look=True) as store:
        if (elsewhere := store.epochs()[-1].left_for) is not None:
            return Found("look", say("store_left", store=settings.store, to=elsewhere), say("store_left_there"))
        return Found("ok", say("newest_sequence", store=settings.store, sequence=store.head()))


def _append_only(settings: Settings) -> Found:
    if pending(settings.journal_url):
        return Found("ok", say("no_events_yet"))
    if is_guarded(settings.journal_url):
        return Found("ok", say("guarded"))
    return Found("wrong", say("unguarded"), say("triggers_gone", script=guard_script(settings.journal_url)))


def _tokens(settings: Settings) -> Found:
    if pending(settings.journal_url):
        return Found("ok", say("no_tokens_yet"))
    with open_event_store(settings, look=True) as store:
        issued = store.list_tokens()
    at = stamp(now())
    valid = [token for token in issued if not token.is_over(at)]
    directors = [token.expires_at for token in valid if token.role == "director" and token.grant.scope == EVERYTHING]
    found = say("tokens_counted", valid=len(valid), revoked=len(issued) - len(valid))
    if issued and not directors:
        return Found("look", say("no_director_token", counted=found), say("issue_one"))
    if directors and None not in directors:
        return Found("look", say("last_director_ends", counted=found, at=max(filter(None, directors))), say("issue_one"))
    return Found("ok", found if issued else say("no_tokens_yet"))


def _webhooks(settings: Settings) -> Found:
    if pending(settings.journal_url):
        return Found("ok", say("no_webhooks"))
    with open_event_store(settings, look=True) as store:
        known = store.list_webhooks()
    at = stamp(now())
    counted = Counter(one.status(at) for one in known)
    given_up = sum(one.disabled_why in ("failing", "gone") for one in known)
    found = say("webhooks_counted", active=counted["active"], failing=counted["failing"], disabled=counted["disabled"], given_up=given_up)
    if counted["failing"] or given_up:
        return Found("look", found, say("webhooks_log"))
    return Found("ok", found if known else say("no_webhooks"))


def _projections(settings: Settings) -> Found:
    if pending(settings.journal_url):
        return Found("ok", say("nothing_to_project"))
    with open_services(settings, look=True) as services:
        services.projector.follow()
        found = services.projector.status()
    stopped = tuple(say("one_stopped", name=one.name, sequence=one.failed_at) for one in found if one.failed_at is not None)
    if stopped:
        return Found("wrong", say("list", some=stopped), say("status_tells"))
    if ahead := tuple(status.name for status in found if status.error == SET_BACK):
        return Found("wrong", say("know_what_is_gone", names=ahead, problem=say("set_back")), say("verify_advice"))
    behind = tuple(_behind(status) for status in found if status.lag)
    if not behind:
        return Found("ok", say("up_to_date"))
    return Found("look", say("list", some=behind), say("catches_up"))


def _behind(status: ProjectionStatus) -> Saying:
    because = say("set_back") if status.reason == SET_BACK else status.reason
    return say("one_behind_because" if because else "one_behind", name=status.name, lag=status.lag, problem=because)


def _port(settings: Settings) -> Found:
    running = holder(settings.lock_file) if settings.embedded else None
    if running is not None:
        return Found("ok", say("running_here", holder=running.says))
    try:
        socket.create_server((settings.host, settings.port)).close()
    except OSError as error:
        problem = say("port_taken", host=settings.host, port=settings.port, problem=system_problem(error.errno))
        return Found("wrong", problem, say("other_port_or_host"))
    return Found("ok", say("port_free", host=settings.host, port=settings.port))


def _clock(settings: Settings) -> Found:
    """Events carry the time of this machine: it should agree with the database's, and not lie before the newest event."""
    here = now()
    there = _newest_event(settings) if settings.embedded else server_time(settings.journal_url)
    off = there - here if settings.embedded else abs(there - here)
    if here.year < 2025 or off > _OFF:
        return Found("wrong", say("clock_differs", here=f"{here:{_TIME}}", there=f"{there:{_TIME}}"), say("set_clock"))
    return Found("ok", say("clock_now", here=f"{here:{_TIME}}"))


def _newest_event(settings: Settings) -> datetime:
    if pending(settings.journal_url):
        return _NEVER
    with open_services(settings, look=True) as services:
        newest = services.journal.feed(services.journal.head() - 1, 1)
    return newest[0][1].stamp.at if newest else _NEVER


_CHECKS: tuple[tuple[str, Callable[[Settings], Found], str | None], ...] = (
    ("python", _python, None),
    ("folder", _folder, None),
    ("disk", _room, "folder"),
    ("database", _database, "folder"),
    ("events", _append_only, "database"),
    ("tokens", _tokens, "database"),
    ("webhooks", _webhooks, "database"),
    ("projections", _projections, "database"),
    ("port", _port, None),
    ("clock", _clock, "database"),
)
"""Each with the one without which it cannot be looked at. Their names stand in the catalogue."""
