"""`kiebitz import`: records into the journal, one at a time."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import click

from deploy.cli.client import Remote, connect
from deploy.cli.console import print_line, progress
from deploy.cli.files import FileEntry, entries_of, total_size
from deploy.cli.journal import CALL, read_journal
from deploy.cli.options import SERVER, STORE, setting_options, settings_of
from deploy.compose import is_up_to_date, open_services, settle_epoch
from deploy.failures import Failure, explained
from deploy.imports import Door, Imported, Outcome, Recording, Trial, copy_of, import_through
from deploy.language import lang_option, say, sentence
from deploy.outcomes import refusal_in_words
from deploy.serve_lock import lock_data_folder
from deploy.settings import Settings
from domain.journal.archive import Archive
from domain.journal.refs import Copies

Import: TypeAlias = Callable[[FileEntry, Copies], Imported]
"""Imports one record of a file whose equal records are counted."""


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@click.option("--dry-run", is_flag=True, help="Say what would be recorded, and record nothing.")
@lang_option
@setting_options(*STORE, *SERVER)
def import_command(files: tuple[Path, ...], dry_run: bool, language: str, **flags: Any) -> None:
    """Record games from files: one JSON record each, or NDJSON (a record on each line); - is standard input.

    Every record is recorded whole or not at all, and reported. A file that is imported again adds nothing: its games are known by what
    was played. Exit code 1 if a record was refused.

    \b
    Examples:
      kiebitz import --dry-run games.ndjson
      kiebitz import games.ndjson --url http://127.0.0.1:8000 --token kb_…
    """
    counts: Counter[Outcome] = Counter()
    with (
        _importer(settings_of(flags), dry_run, language) as import_one,
        progress(sentence("importing", language), total_size(files)) as advance,
    ):
        for read, entry, copies in _counted(files):
            with _stopping_at(entry, counts.total()):
                imported = import_one(entry, copies)
            print_line(imported.in_words(entry.name or entry.place, language), "red" if imported.error else None)
            counts[imported.outcome] += 1
            advance(read)
    print_line(_summary(counts, dry_run, language))
    raise click.exceptions.Exit(int(counts["refused"] > 0))


def _counted(files: tuple[Path, ...]) -> Iterator[tuple[int, FileEntry, Copies]]:
    """All entries with the bytes read by then. Equal records are counted in each file anew."""
    before = 0
    for file in files:
        copies = Copies()
        for read, entry in entries_of([file]):
            yield before + read, entry, copies
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
def _importer(settings: Settings, dry_run: bool, language: str) -> Iterator[Import]:
    if settings.url:
        with connect(settings, language) as remote:
            yield lambda entry, copies: _import_remotely(remote, entry, copies, dry_run, language)
    elif dry_run:
        with _looking(settings) as archive:
            yield lambda entry, copies: _import_here(Trial(archive), entry, copies, language)
    else:
        # A server keeps games in memory and does not look whether somebody else wrote: hence the lock.
        with (
            lock_data_folder(settings, "import"),
            open_services(settings, alone=settings.embedded) as services,
        ):
            settle_epoch(services, settings)
            yield lambda entry, copies: _import_here(Recording(services.journal, CALL), entry, copies, language)


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
    record = remote.import_record(entry.record, copy_of(entry.record, copies), dry_run=dry_run)
    if error := record.error:
        return Imported(error=refusal_in_words(error.hand, error.index, error.code, error.rules, error.message, language))
    return Imported(record.game, record.position, already=record.already)
