"""Command `kiebitz projections`: shows the progress of projections, verifies and rebuilds them."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click
from rich.box import SIMPLE
from rich.markup import escape
from rich.table import Table

from api.services import Services
from deploy.cli.console import STORE, print_line, progress, setting_options, settings_of, show
from deploy.compose import PROJECTIONS, check_epoch, open_services
from deploy.config.failures import Failure, headings, lang_option, render, say, sentence
from domain.texts import Phrase, Saying
from projections.engine.checkpoints import SET_BACK, Missing
from projections.engine.rebuilding import Comparison, EventsMissing, RebuildFailedError, TableDifference
from projections.engine.status import ProjectionStatus

_NAMES = tuple(projection.name for projection in PROJECTIONS)
_NAMED = 3  # maximum number of details that are listed
_FIRST_KEEP = (say("keep_first"), say("then_audit"))
_named = click.argument("names", nargs=-1, type=click.Choice(_NAMES), metavar="[NAME…]")


@click.group("projections")
def projections_command() -> None:
    """See how far the projections are, check them against the events, or rebuild them.

    A projection holds nothing of its own: it can be rebuilt at any time, also while a server runs.

    \b Examples:
      kiebitz projections status
      kiebitz projections verify
      kiebitz projections rebuild score_sheets
    """


@projections_command.command("status")
@click.option("--hash", "hashed", is_flag=True, help="Also show a checksum of the tables, the same for the same rows in any database.")
@lang_option
@setting_options(*STORE)
def status_command(hashed: bool, language: str, **flags: Any) -> None:
    """Show how far each projection is behind the newest event, and why one stopped. Changes nothing."""
    with open_services(settings_of(flags), look=True) as services:
        services.projector.refresh()
        statuses = services.projector.status()
        contents = services.projector.contents() if hashed else {}
    table = Table(*headings(language, "projection", "position", "newest", "behind", "state"), box=SIMPLE)
    for status in statuses:
        table.add_row(
            escape(status.name), str(status.position), str(status.head), str(status.lag), escape(render(_state(status), language))
        )
    show(table)
    for name, (position, content) in contents.items():
        print_line(f"{name} {position} {content}")


def _state(status: ProjectionStatus) -> Saying:
    if status.error:
        problem = describe_engine_text(status.error)
        return problem if status.failed_at is None else say("projection_stopped", sequence=status.failed_at, problem=problem)
    if status.percent == 100:
        return ""
    because = "projection_built_because" if status.reason else "projection_built"
    return say(because, percent=status.percent, problem=describe_engine_text(status.reason or ""))


def describe_engine_text(text: str) -> Saying:
    """Return a text of the engine: in the words of the catalogue, or the error itself."""
    return say("set_back") if text == SET_BACK else text


@projections_command.command("rebuild")
@_named
@click.option("--accept-missing-events", "accept_missing", is_flag=True, help="Also rebuild if events that the tables know are missing.")
@lang_option
@setting_options(*STORE)
def rebuild_command(names: tuple[str, ...], accept_missing: bool, language: str, **flags: Any) -> None:
    """Fill projections anew from the events, beside the running ones; all of them, if none is named.

    Readers see the old rows until all is done, also those of a running server. An interrupted rebuild changes nothing. The old
    tables are kept beside the new ones until the next rebuild.
    """
    settings = settings_of(flags)
    with open_services(settings, create=False) as services, _rebuilding(services, sentence("rebuilding", language)) as advance:
        if accept_missing:  # after the rebuild nothing would reveal any more that the journal is an older copy
            check_epoch(services, settings, accept_older_copy=True)
        sequence = services.projector.rebuild(*names, progress=advance, accept_missing=accept_missing)
        kept = services.projector.list_old_tables(*names)
    for name in names or _NAMES:
        print_line(sentence("rebuilt", language, name=name, sequence=sequence))
    if kept:
        print_line(sentence("old_tables_kept", language, tables=tuple(kept)))


@projections_command.command("verify")
@_named
@lang_option
@setting_options(*STORE)
def verify_command(names: tuple[str, ...], language: str, **flags: Any) -> None:
    """Rebuild projections beside the running ones only to compare. Changes nothing.

    Exit code 1 if a table does not hold what the events say, or knows events that are gone.
    """
    label = sentence("rebuilding_to_compare", language)
    with open_services(settings_of(flags), look=True) as services, _rebuilding(services, label) as advance:
        verdicts = services.projector.verify(*names, progress=advance)
    for verdict in verdicts:
        for line in _in_words(verdict, language):
            print_line(line)
    if any(verdict.missing for verdict in verdicts):
        raise Failure(say("events_missing"), *_FIRST_KEEP)
    if not all(verdict.same for verdict in verdicts):
        raise Failure(say("tables_differ"), say("tables_differ_advice"))


def _in_words(verdict: Comparison, language: str) -> Iterator[str]:
    found = {"name": verdict.name, "sequence": verdict.position, "content": verdict.running, "rebuilt": verdict.rebuilt}
    yield sentence("verified_same" if verdict.same else "verified_differs", language, **found)
    yield from (f"  {render(_difference(found), language)}" for found in verdict.differences)
    yield from (f"  {render(line, language)}" for line in _missing(verdict.missing))


def _difference(found: TableDifference) -> Phrase:
    counts = (("rows_beyond", found.beyond), ("rows_lacking", found.lacking))
    said = tuple(say(key, count=count) for key, count in counts if count)
    return say("table_differs", table=found.table, counts=said, column=found.key, examples=found.examples)


def _missing(missing: Missing) -> Iterator[Phrase]:
    if missing.set_back:
        yield say("missing_set_back", sequence=missing.position)
    for lack in missing.lacks[:_NAMED]:
        yield say("missing_stream", stream=lack.stream, known=lack.known, held=lack.held)
    if len(missing.lacks) > _NAMED:
        yield say("missing_more", count=len(missing.lacks) - _NAMED)


@contextmanager
def _rebuilding(services: Services, text: str) -> Iterator[Callable[[int], None]]:
    # Events are in no reference cycles: looking for cycles among them takes a fifth of the time and finds none.
    gc.disable()
    try:
        with progress(text, services.journal.head()) as advance:
            yield advance
    except RebuildFailedError as error:
        cause = f"{type(error.__cause__).__name__}: {error.__cause__}"
        problem = say("not_rebuilt", name=error.name, sequence=error.sequence, problem=cause)
        raise Failure(say("nothing_changed", problem=problem), say("rebuild_others")) from error
    except EventsMissing as error:
        problem = say("missing_known_to", names=tuple(error.missing))
        raise Failure(say("nothing_changed", problem=problem), *_describe_missing(error), *_FIRST_KEEP, say("then_accept")) from error
    finally:
        gc.enable()


def _describe_missing(error: EventsMissing) -> Iterator[Phrase]:
    """Yield each stream once, although several projections know it."""
    yield from {render(line): line for missing in error.missing.values() for line in _missing(missing)}.values()
