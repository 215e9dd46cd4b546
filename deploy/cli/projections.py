"""`kiebitz projections`."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click
from rich.box import SIMPLE
from rich.markup import escape
from rich.table import Table

from api.services import Services
from deploy.cli.console import print_line, progress, show
from deploy.cli.options import STORE, setting_options, settings_of
from deploy.compose import PROJECTIONS, open_services, settle_epoch
from deploy.failures import Failure
from projections.engine.comparing import Comparison
from projections.engine.differences import TableDifference
from projections.engine.filling import NotRebuilt
from projections.engine.rebuilding import EventsMissing
from projections.engine.status import ProjectionStatus
from projections.engine.wholeness import Missing

_NAMES = tuple(projection.name for projection in PROJECTIONS)
_NAMED = 3  # of what may be many, so many are told
_FIRST_KEEP = (
    "The tables may be all that tells of them, so keep everything first: `kiebitz backup FILE` and a copy of projections.db, or pg_dump.",
    "Then `kiebitz audit --all`: it says which games, tournaments and players are damaged.",
)
_THEN_ACCEPT = "With --accept-missing-events the tables are then rebuilt from what is there."
_named = click.argument("names", nargs=-1, type=click.Choice(_NAMES), metavar="[NAME…]")


@click.group("projections")
def projections_command() -> None:
    """See how far the projections are, check them against the events, or rebuild them.

    A projection holds nothing of its own: it can be rebuilt at any time, also while a server runs.

    \b
    Examples:
      kiebitz projections status
      kiebitz projections verify
      kiebitz projections rebuild score_sheets
    """


@projections_command.command("status")
@click.option("--hash", "hashed", is_flag=True, help="Also a number for what the tables hold, the same for the same rows in any database.")
@setting_options(*STORE)
def status_command(hashed: bool, **flags: Any) -> None:
    """How far each projection is behind the newest event, and why one stopped. Changes nothing."""
    with open_services(settings_of(flags), look=True) as services:
        services.projector.follow()
        statuses = services.projector.status()
        contents = services.projector.contents() if hashed else {}
    table = Table("projection", "position", "newest", "behind", "state", box=SIMPLE)
    for status in statuses:
        table.add_row(escape(status.name), str(status.position), str(status.head), str(status.lag), escape(_state(status)))
    show(table)
    for name, (position, content) in contents.items():
        print_line(f"{name} {position} {content}")


def _state(status: ProjectionStatus) -> str:
    if status.error:
        return status.error if status.failed_at is None else f"stopped at sequence {status.failed_at}: {status.error}"
    if status.percent == 100:
        return ""
    return f"being built, {status.percent} %{f': {status.reason}' if status.reason else ''}"


@projections_command.command("rebuild")
@_named
@click.option("--accept-missing-events", "accept_missing", is_flag=True, help="Also where events are gone that the tables know.")
@setting_options(*STORE)
def rebuild_command(names: tuple[str, ...], accept_missing: bool, **flags: Any) -> None:
    """Fill projections anew from the events, beside the running ones; all of them, if none is named.

    Readers see the old rows until all is done, also those of a running server. What breaks off leaves everything as it was. The old
    tables are kept beside the new ones, until the next rebuilding.
    """
    settings = settings_of(flags)
    with open_services(settings, create=False) as services, _rebuilding(services, "rebuilding") as advance:
        if accept_missing:  # afterwards nothing would show any more that the journal is an older copy
            settle_epoch(services, settings, accept_older_copy=True)
        sequence = services.projector.rebuild(*names, progress=advance, accept_missing=accept_missing)
        kept = services.projector.laid_aside(*names)
    for name in names or _NAMES:
        print_line(f"{name}: rebuilt up to sequence {sequence}")
    if kept:
        print_line(f"The old tables are kept until the next rebuilding: {', '.join(kept)}")


@projections_command.command("verify")
@_named
@setting_options(*STORE)
def verify_command(names: tuple[str, ...], **flags: Any) -> None:
    """Rebuild projections beside the running ones only to compare. Changes nothing.

    Exit code 1 if a table does not hold what the events say, or knows events that are gone.
    """
    with open_services(settings_of(flags), look=True) as services, _rebuilding(services, "rebuilding to compare") as advance:
        verdicts = services.projector.verify(*names, progress=advance)
    for verdict in verdicts:
        for line in _in_words(verdict):
            print_line(line)
    if any(verdict.missing for verdict in verdicts):
        raise Failure("Events are missing that the projections know.", *_FIRST_KEEP)
    if not all(verdict.same for verdict in verdicts):
        raise Failure(
            "Tables differ from what the events say. As far as the tables know the events, these are all there.",
            "`kiebitz audit --all` says whether they are sound. If they are, `kiebitz projections rebuild` puts them right.",
        )


def _in_words(verdict: Comparison) -> Iterator[str]:
    if verdict.same:
        yield f"{verdict.name}: as rebuilt, up to sequence {verdict.position}, {verdict.running}"
    else:
        yield f"{verdict.name}: differs at sequence {verdict.position}, {verdict.running}; rebuilt {verdict.rebuilt}"
    yield from (f"  {_difference(found)}" for found in verdict.differences)
    yield from (f"  {line}" for line in _missing(verdict.missing))


def _difference(found: TableDifference) -> str:
    counts = [f"rows that the events do not tell: {found.beyond}"] if found.beyond else []
    counts += [f"rows that they tell and that are not there: {found.lacking}"] if found.lacking else []
    return f"{found.table}: {', '.join(counts)}; for example of {found.key} {', '.join(found.examples)}"


def _missing(missing: Missing) -> Iterator[str]:
    if missing.set_back:
        yield f"the event at sequence {missing.position}, the last one in these tables, is gone or another one by now"
    for lack in missing.lacks[:_NAMED]:
        yield f"{lack.stream} is known up to position {lack.known}, but its events are there only up to position {lack.held}"
    if len(missing.lacks) > _NAMED:
        yield f"and so are {len(missing.lacks) - _NAMED} more"


@contextmanager
def _rebuilding(services: Services, text: str) -> Iterator[Callable[[int], None]]:
    # Events refer to no one that refers to them: looking for cycles among them takes a fifth of the time and finds none.
    gc.disable()
    try:
        with progress(text, services.journal.head()) as advance:
            yield advance
    except NotRebuilt as error:
        raise Failure(f"Nothing was changed: {error}", "The others can be rebuilt by their names.") from error
    except EventsMissing as error:
        raise Failure(f"Nothing was changed: {error}.", *_told(error), *_FIRST_KEEP, _THEN_ACCEPT) from error
    finally:
        gc.enable()


def _told(error: EventsMissing) -> Iterator[str]:
    """Each stream once, although several projections know it."""
    yield from dict.fromkeys(line for missing in error.missing.values() for line in _missing(missing))
