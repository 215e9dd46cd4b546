"""`kiebitz import`: records into the journal, one at a time."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias, cast
from uuid import UUID, uuid4

import click
from msgspec import Struct

from deploy.cli.client import Remote, connect
from deploy.cli.console import print_line, progress
from deploy.cli.files import FileEntry, entries_of, total_size
from deploy.cli.journal import CALL
from deploy.cli.options import SERVER, STORE, setting_options, settings_of
from deploy.compose import open_services, settle_epoch
from deploy.failures import Failure, explained
from deploy.language import lang_option, sentence
from deploy.outcomes import refusal_in_words
from deploy.serve_lock import lock_data_folder
from deploy.settings import Settings
from domain import texts
from domain.errors import Exists, Malformed
from domain.games import EDITIONS, RULESETS
from domain.journal.application import Journal
from replay.history import is_full_record, taken_over
from replay.record import Refusal, events_of, parse


class Imported(Struct, frozen=True):
    """What became of one record. ``game`` is null if it was refused, or in a dry run."""

    game: UUID | None = None
    events: int | None = 0
    error: str | None = None

    def in_words(self, name: str, language: str) -> str:
        if self.error:
            return f"✗ {name}: {self.error}"
        what = sentence("game", language, game=self.game) if self.game else sentence("nothing_recorded", language)
        return f"✓ {name}: {sentence('events', language, events=self.events)}, {what}"


Import: TypeAlias = Callable[[FileEntry], Imported]
"""Imports one record."""


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE…")
@click.option("--dry-run", is_flag=True, help="Say what would be recorded, and record nothing.")
@lang_option
@setting_options(*STORE, *SERVER)
def import_command(files: tuple[Path, ...], dry_run: bool, language: str, **flags: Any) -> None:
    """Record games from files: one JSON record each, or NDJSON (a record on each line); - is standard input.

    Every record is recorded whole or not at all, and reported. Exit code 1 if one of them was refused.

    \b
    Examples:
      kiebitz import --dry-run games.ndjson
      kiebitz import games.ndjson --url http://127.0.0.1:8000 --token kb_…
    """
    count, refused = 0, 0
    with _importer(settings_of(flags), dry_run, language) as import_one, progress("Importing", total_size(files)) as advance:
        for done, entry in entries_of(files):
            with _stopping_at(entry, count):
                imported = import_one(entry)
            name = entry.record.get("name") if isinstance(entry.record, dict) else None
            print_line(imported.in_words(name or entry.place, language), "red" if imported.error else None)
            count += 1
            refused += imported.error is not None
            advance(done)
    print_line(sentence("recordable" if dry_run else "recorded", language, done=count - refused, count=count))
    raise click.exceptions.Exit(int(refused > 0))


@contextmanager
def _stopping_at(entry: FileEntry, count: int) -> Iterator[None]:
    """Whatever stops the import is told with the place."""
    try:
        yield
    except Exception as error:
        failure = explained(error)
        if failure is None:
            raise
        raise Failure(f"Stopped at {entry.place}, after {count} records: {failure.problem}", *failure.advice) from error


@contextmanager
def _importer(settings: Settings, dry_run: bool, language: str) -> Iterator[Import]:
    if settings.url:
        with connect(settings, language) as remote:
            yield lambda entry: _import_remotely(remote, entry, dry_run, language)
    elif dry_run:
        yield lambda entry: _import_here(None, entry, language)
    else:
        # A server keeps games in memory and does not look whether somebody else wrote: hence the lock.
        with (
            lock_data_folder(settings, "import"),
            open_services(settings, alone=settings.embedded) as services,
        ):
            settle_epoch(services, settings)
            yield lambda entry: _import_here(services.journal, entry, language)


def _import_remotely(remote: Remote, entry: FileEntry, dry_run: bool, language: str) -> Imported:
    if entry.problem:
        return Imported(error=entry.problem.in_words(language))
    record = remote.import_record(entry.record, dry_run=dry_run)
    if error := record.error:
        return Imported(error=refusal_in_words(error.hand, error.index, error.code, error.rules, error.message, language))
    return Imported(record.game, record.position)


def _import_here(journal: Journal | None, entry: FileEntry, language: str) -> Imported:
    """One commit: a whole game or nothing, a dry run without a journal. Raises what the store raises; a refusal is an answer."""
    try:
        if entry.problem:
            raise entry.problem
        record = parse(entry.record)
        if is_full_record(entry.record):
            return _take_over(journal, cast("dict[str, Any]", entry.record))
        events = events_of(record, RULESETS)
    except Malformed as malformed:
        return Imported(error=f"{malformed.code}: {malformed.in_words(language)}")
    except Refusal as refusal:
        message = _message(record.ruleset, refusal, language)
        return Imported(error=refusal_in_words(refusal.hand, refusal.index, refusal.code, refusal.rules, message, language))
    game = None if journal is None else journal.open_now(CALL, uuid4(), events).after.id
    return Imported(game, len(events))


def _take_over(journal: Journal | None, record: dict[str, Any]) -> Imported:
    """A full record: its game as it was recorded elsewhere, under its own id. Raises ``Malformed``."""
    whole = taken_over(record, EDITIONS)
    try:
        game = None if journal is None else journal.take_over_now(whole.history, whole.texts).after.id
    except Exists as exists:
        return Imported(error=f"{exists.code}: {exists}")
    return Imported(game, len(whole.history))


def _message(key: str, refusal: Refusal, language: str) -> str:
    ruleset = RULESETS.get(key)
    if ruleset is None:
        return texts.sentence(refusal.code, refusal.detail, language, (texts.COMMON,), refusal.rules)
    return ruleset.sentence(refusal, language)
