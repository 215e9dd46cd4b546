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
from deploy.compose import PROJECTIONS, open_services
from deploy.failures import Failure
from projections.engine.rebuilding import Comparison, NotRebuilt
from projections.engine.status import ProjectionStatus

_NAMES = tuple(projection.name for projection in PROJECTIONS)
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
    with open_services(settings_of(flags), create=False) as services:
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
@setting_options(*STORE)
def rebuild_command(names: tuple[str, ...], **flags: Any) -> None:
    """Fill projections anew from the events, beside the running ones; all of them, if none is named.

    Readers see the old rows until all is done, also those of a running server. What breaks off leaves everything as it was.
    """
    with open_services(settings_of(flags), create=False) as services, _rebuilding(services, "rebuilding") as advance:
        sequence = services.projector.rebuild(*names, progress=advance)
    for name in names or _NAMES:
        print_line(f"{name}: rebuilt up to sequence {sequence}")


@projections_command.command("verify")
@_named
@setting_options(*STORE)
def verify_command(names: tuple[str, ...], **flags: Any) -> None:
    """Rebuild projections beside the running ones only to compare. Exit code 1 if a table does not hold what the events say."""
    with open_services(settings_of(flags), create=False) as services, _rebuilding(services, "rebuilding to compare") as advance:
        verdicts = services.projector.verify(*names, progress=advance)
    for verdict in verdicts:
        print_line(_in_words(verdict))
    if not all(verdict.same for verdict in verdicts):
        raise Failure("Tables differ from what the events say.", "`kiebitz projections rebuild` puts them right.")


def _in_words(verdict: Comparison) -> str:
    if verdict.same:
        return f"{verdict.name}: as rebuilt, up to sequence {verdict.position}, {verdict.running}"
    return f"{verdict.name}: differs at sequence {verdict.position}, {verdict.running}; rebuilt {verdict.rebuilt}"


@contextmanager
def _rebuilding(services: Services, text: str) -> Iterator[Callable[[int], None]]:
    # Events refer to no one that refers to them: looking for cycles among them takes a fifth of the time and finds none.
    gc.disable()
    try:
        with progress(text, services.journal.head()) as advance:
            yield advance
    except NotRebuilt as error:
        raise Failure(f"Nothing was changed: {error}", "The others can be rebuilt by their names.") from error
    finally:
        gc.enable()
