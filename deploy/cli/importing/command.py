"""`kiebitz import`: records into the journal, one at a time."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import click

from deploy.cli.client import Remote, connect
from deploy.cli.console import print_line, progress
from deploy.cli.files import FileEntry, records_in, total_size
from deploy.cli.importing.report import Header, Line, Report, open_report
from deploy.cli.importing.results import is_list_of_results, results_in
from deploy.cli.journal import CALL, read_journal
from deploy.cli.options import SERVER, STORE, setting_options, settings_of
from deploy.compose import is_up_to_date, open_services, settle_epoch
from deploy.failures import Failure, explained
from deploy.imports import Door, Imported, Outcome, Recording, Trial, import_through, ref_of
from deploy.language import lang_option, say, sentence
from deploy.outcomes import refusal_in_words
from deploy.serve_lock import lock_data_folder
from deploy.settings import Settings
from domain.journal.archive import Archive
from domain.journal.refs import Copies

Import: TypeAlias = Callable[[FileEntry, Copies], Imported]
"""Imports one record of a file whose equal records are counted."""


class Importer(NamedTuple):
    """Where records go, and the epoch of that store; ``None`` where there is no store yet."""

    store: str | None
    take: Import


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@click.option("--dry-run", is_flag=True, help="Say what would be recorded, and record nothing.")
@click.option("--report", "report_file", type=click.Path(path_type=Path, dir_okay=False), help="Write what becomes of each record here.")
@lang_option
@setting_options(*STORE, *SERVER)
def import_command(files: tuple[Path, ...], dry_run: bool, report_file: Path | None, language: str, **flags: Any) -> None:
    """Record games from files: one JSON record each, or NDJSON (a record on each line); - is standard input. A file whose name ends in
    .csv is a list of results: the columns ruleset, players and points, and if you like date, tournament, round, table, ref and options.

    Every record is recorded whole or not at all, and reported. A file that is imported again adds nothing: its games are known by their
    ref, or by what was played. With --report an import that was broken off goes on where it was. Exit code 1 if a record was refused.

    \b
    Examples:
      kiebitz import --dry-run games.ndjson
      kiebitz import games.ndjson --url http://127.0.0.1:8000 --token kb_…
      kiebitz import --report season.report season-2024.csv
    """
    counts: Counter[Outcome] = Counter()
    with _importer(settings_of(flags), dry_run, language) as importer:
        header = Header(store=importer.store, dry_run=dry_run, files=tuple(map(str, files)))
        with (
            open_report(report_file, header) if report_file else nullcontext() as report,
            progress(sentence("importing", language), total_size(files)) as advance,
        ):
            for read, entry, copies in _counted(files):
                with _stopping_at(entry, counts.total()):
                    outcome = _known(report, entry, copies) or _imported(importer.take, report, entry, copies, language)
                counts[outcome] += 1
                advance(read)
            if report:
                report.close(counts)
    print_line(_summary(counts, dry_run, language))
    raise click.exceptions.Exit(int(counts["refused"] > 0))


def _known(report: Report | None, entry: FileEntry, copies: Copies) -> Outcome | None:
    """What became of it before the import broke off."""
    line: Line | None = report.done(entry) if report else None
    if line and line.content:
        copies.next(line.content)
    return line.outcome if line else None


def _imported(take: Import, report: Report | None, entry: FileEntry, copies: Copies, language: str) -> Outcome:
    """Beside a report only what was refused is printed."""
    imported = take(entry, copies)
    if report:
        report.write(entry, imported)
    if imported.error or not report:
        print_line(imported.in_words(entry.name or entry.place, language), "red" if imported.error else None)
    return imported.outcome


def _counted(files: tuple[Path, ...]) -> Iterator[tuple[int, FileEntry, Copies]]:
    """All entries with the bytes read by then. Equal records are counted in each file anew."""
    before = 0
    for file in files:
        copies = Copies()
        for entry in results_in(file) if is_list_of_results(file) else records_in(file):
            yield before + entry.end, entry, copies
        before += total_size([file])


def _summary(counts: Counter[Outcome], dry_run: bool, language: str) -> str:
    told = sentence("recordable" if dry_run else "recorded", language, done=counts["recorded"], all=counts.total())
    return f"{told} {sentence('recorded_before', language, count=counts['already'])}" if counts["already"] else told


@contextmanager
def _stopping_at(entry: FileEntry, count: int) -> Iterator[None]:
    """Whatever stops the import is told with the place."""
    try:
        yield
    except Exception as error:
        failure = explained(error)
        if failure is None:
            raise
        raise Failure(say("stopped_at", place=entry.place, count=count, problem=failure.problem), *failure.advice) from error


@contextmanager
def _importer(settings: Settings, dry_run: bool, language: str) -> Iterator[Importer]:
    if settings.url:
        with connect(settings, language) as remote:
            yield Importer(remote.epoch(), lambda entry, copies: _import_remotely(remote, entry, copies, dry_run, language))
    elif dry_run:
        with _looking(settings) as archive:
            yield Importer(None, lambda entry, copies: _import_here(Trial(archive), entry, copies, language))
    else:
        # A server keeps games in memory and does not look whether somebody else wrote: hence the lock.
        with (
            lock_data_folder(settings, "import"),
            open_services(settings, alone=settings.embedded) as services,
        ):
            settle_epoch(services, settings)
            door = Recording(services.journal, CALL)
            yield Importer(services.journal.store.epoch.id, lambda entry, copies: _import_here(door, entry, copies, language))


@contextmanager
def _looking(settings: Settings) -> Iterator[Archive | None]:
    """What is here already; nothing where there is no store yet, or one of before games were known again."""
    if is_up_to_date(settings):
        with read_journal(settings) as journal:
            yield journal
    else:
        yield None


def _import_here(door: Door, entry: FileEntry, copies: Copies, language: str) -> Imported:
    if entry.problem:
        return Imported(error=f"{entry.problem.code}: {entry.problem.in_words(language)}")
    return import_through(door, entry.record, copies, language)


def _import_remotely(remote: Remote, entry: FileEntry, copies: Copies, dry_run: bool, language: str) -> Imported:
    if entry.problem:
        return Imported(error=f"{entry.problem.code}: {entry.problem.in_words(language)}")
    ref = ref_of(entry.record, copies)
    record = remote.import_record(entry.record, ref.copy if ref else 1, dry_run=dry_run)
    if error := record.error:
        return Imported(error=refusal_in_words(error.hand, error.index, error.code, error.rules, error.message, language))
    return Imported(record.game, record.position, already=record.already, content=ref.digest if ref else None)
