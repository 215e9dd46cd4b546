"""Command `kiebitz import`: options, progress and summary of an import."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from itertools import chain
from pathlib import Path
from typing import Any

import click

from deploy.cli.bulk import Placed, batch_entries, jobs_for, jobs_option, place_entries
from deploy.cli.console import SERVER, STORE, print_line, progress, setting_options, settings_of
from deploy.cli.files import Entry, raw_records_in, total_size
from deploy.cli.importing.import_targets import CopiesByFile, ImportAbortedError, ImportTarget, LocalTarget, RecordResult, RemoteTarget
from deploy.cli.importing.record_check import Outcome
from deploy.cli.importing.record_targets import DryRunTarget, StoreTarget
from deploy.cli.importing.report import Header, Line, Report, open_report
from deploy.cli.journal import read_journal
from deploy.compose import check_epoch, is_up_to_date, open_services
from deploy.config.failures import Failure, lang_option, say, sentence
from deploy.config.settings import Settings
from deploy.processes.journal_file import lock_data_folder
from domain.journal.archive import Archive


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@click.option("--dry-run", is_flag=True, help="Show what would be recorded, without recording it.")
@click.option(
    "--report", "report_file", type=click.Path(path_type=Path, dir_okay=False), help="Write the outcome of each record to this file."
)
@jobs_option
@lang_option
@setting_options(*STORE, *SERVER)
def import_command(files: tuple[Path, ...], dry_run: bool, report_file: Path | None, jobs: int, language: str, **flags: Any) -> None:
    """Record games from files: one JSON record each, or NDJSON (a record on each line); - is standard input. A file whose name ends in
    .csv is a list of results: the columns ruleset, players and points, and if you like date, tournament, round, table, ref and options.

    Every record is recorded whole or not at all, and reported. Importing a file again adds nothing: games are recognised by their ref, or
    by what was played. With --report an interrupted import continues where it stopped. Exit code 1 if a record was refused.

    \b Examples:
      kiebitz import --dry-run games.ndjson
      kiebitz import games.ndjson --url http://127.0.0.1:8000 --token kb_…
      kiebitz import --report season.report season-2024.csv
    """
    counts: Counter[Outcome] = Counter()
    with _open_target(settings_of(flags), dry_run, jobs_for(files, jobs), language) as way:
        header = Header(store=way.store, dry_run=dry_run, files=tuple(map(str, files)))
        with (
            open_report(report_file, header) if report_file else nullcontext() as report,
            progress(sentence("importing", language), total_size(files)) as advance,
            _add_place(counts),
        ):
            copies = CopiesByFile()
            for outcome, done in _import_entries(way, report, place_entries(files, _entries_of), copies, language):
                counts[outcome] += 1
                advance(done)
            if report:
                report.close(counts)
    print_line(_summary(counts, dry_run, language))
    raise click.exceptions.Exit(int(counts["refused"] > 0))


def _entries_of(file: Path) -> Iterator[Entry]:
    if file.suffix.lower() != ".csv":
        return raw_records_in(file)
    from deploy.cli.importing.results import results_in  # here, because it loads the server's reading of lists

    return results_in(file)


def _import_entries(
    way: ImportTarget, report: Report | None, entries: Iterator[Placed], copies: CopiesByFile, language: str
) -> Iterator[tuple[Outcome, int]]:
    """Yield the outcome of each record, and how many bytes were read by then."""
    ahead: Iterable[Placed] = ()
    if report:
        for one in entries:
            line = report.done(one.entry.decoded)
            if line is None:
                ahead = (one,)
                break
            yield _read_status(line, one, copies), one.done
    for taken in way.take(batch_entries(chain(ahead, entries)), copies, language):
        _tell(taken, report, language)
        yield taken.imported.outcome, taken.done


def _read_status(line: Line, one: Placed, copies: CopiesByFile) -> Outcome:
    """Return the outcome from before the import was interrupted."""
    if line.content:
        copies.of(one.file).next(line.content)
    return line.outcome


def _tell(taken: RecordResult, report: Report | None, language: str) -> None:
    """Write the outcome to the report and print it. With a report, only refusals are printed."""
    if report:
        report.write(taken.subject, taken.imported)
    if taken.imported.error or not report:
        print_line(taken.imported.in_words(taken.subject.title, language), "red" if taken.imported.error else None)


def _summary(counts: Counter[Outcome], dry_run: bool, language: str) -> str:
    told = sentence("recordable" if dry_run else "recorded", language, done=counts["recorded"], all=counts.total())
    return f"{told} {sentence('recorded_before', language, count=counts['already'])}" if counts["already"] else told


@contextmanager
def _add_place(counts: Counter[Outcome]) -> Iterator[None]:
    """Add the place to the error that stops the import."""
    try:
        yield
    except ImportAbortedError as stopped:
        failure = stopped.failure
        told = say("stopped_at", place=stopped.place, count=counts.total(), problem=failure.problem)
        raise Failure(told, *failure.advice) from stopped.__cause__


@contextmanager
def _open_target(settings: Settings, dry_run: bool, jobs: int, language: str) -> Iterator[ImportTarget]:
    if settings.url:
        from deploy.cli.client import connect  # here, because it loads the types of all server responses

        with connect(settings, language) as remote:
            yield RemoteTarget(remote.epoch(), remote, dry_run)
    elif dry_run:
        with _open_archive(settings) as archive:
            yield LocalTarget(None, DryRunTarget(archive), jobs)
    else:
        # A server caches games in memory and does not notice other writers; hence the lock.
        with (
            lock_data_folder(settings, "import"),
            open_services(settings, alone=settings.embedded) as services,
        ):
            check_epoch(services, settings)
            yield LocalTarget(services.journal.store.epoch.id, StoreTarget(services.journal), jobs)


@contextmanager
def _open_archive(settings: Settings) -> Iterator[Archive | None]:
    """Yield the existing games; None if there is no store yet, or one from before games had refs."""
    if is_up_to_date(settings):
        with read_journal(settings) as journal:
            yield journal
    else:
        yield None
