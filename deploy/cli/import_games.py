"""`kiebitz import` and `kiebitz export`."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import click

from deploy.cli.client import Remote
from deploy.cli.console import line, progress
from deploy.cli.files import Found, counted, total_size, written
from deploy.cli.options import SERVER, STORE, setting_options, settings_of
from deploy.cli.records import Form, Imported, Importer, all_games, chosen, record_of
from deploy.compose import now, opened_recorder
from deploy.failures import Failure, explained
from deploy.language import lang_option, said
from deploy.serve_lock import sole_writer
from deploy.settings import Settings, prepared_folder
from domain.games import RULESETS
from domain.journal.application import Journal

Take = Callable[[Found], Imported]
"""Records one record."""


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
    with _importer(settings_of(flags), dry_run, language) as take, progress("Importing", total_size(files)) as advance:
        for done, found in counted(files):
            imported = _taken(take, found, count)
            line(imported.in_words(language), "red" if imported.error else None)
            count += 1
            refused += imported.error is not None
            advance(done)
    line(said("recordable" if dry_run else "recorded", language, done=count - refused, count=count))
    raise click.exceptions.Exit(int(refused > 0))


def _taken(take: Take, found: Found, count: int) -> Imported:
    try:
        return take(found)
    except Exception as error:
        failure = explained(error)
        if failure is None:
            raise
        raise Failure(f"Stopped at {found.place}, after {count} records: {failure.problem}", *failure.advice) from error


@contextmanager
def _importer(settings: Settings, dry_run: bool, language: str) -> Iterator[Take]:
    if settings.url:
        with Remote(settings.url, settings.token, language) as remote:
            yield lambda found: remote.import_record(found, dry_run=dry_run)
        return
    if dry_run:
        yield Importer(RULESETS, uuid4, language).take
        return
    with ExitStack() as stack:
        if settings.embedded:
            # A server keeps games in memory and does not look whether somebody else wrote.
            stack.enter_context(sole_writer(prepared_folder(settings.data) / settings.lock_file.name, "import"))
        recorder = stack.enter_context(opened_recorder(settings))
        journal = stack.enter_context(closing(Journal(recorder, now, alone=settings.embedded)))
        yield Importer(RULESETS, uuid4, language, journal).take


@click.command("export")
@click.argument("games", nargs=-1, metavar="[GAME…]")
@click.option("--all", "everything", is_flag=True, help="Every game.")
@click.option("--full", "form", flag_value="full", help="With every recorded event, void ones included.")
@click.option("--texts", "form", flag_value="texts", help="The same with claims, reasons and notes: words of people.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write to this file, when all is there.")
@setting_options(*STORE, *SERVER)
def export_command(games: tuple[str, ...], everything: bool, form: Form | None, out: Path | None, **flags: Any) -> None:
    """Write games as records, one on each line (NDJSON). A record tells all cards.

    \b
    Examples:
      kiebitz export --all --out games.ndjson
      kiebitz export 5c0c8f1e-… --full > game.json
    """
    if bool(games) == everything:
        raise click.UsageError("Name games, or say --all.")
    with _source(settings_of(flags), form or "simple") as (every, record):
        ids = list(every()) if everything else chosen(games)
        with written(out) as write, progress("Exporting", len(ids)) as advance:
            for done, id in enumerate(ids, 1):
                write(record(id) + b"\n")
                advance(done)
    click.echo(f"{len(ids)} {'game' if len(ids) == 1 else 'games'} exported{f' to {out}' if out else ''}.", err=True)


@contextmanager
def _source(settings: Settings, form: Form) -> Iterator[tuple[Callable[[], Iterable[UUID]], Callable[[UUID], bytes]]]:
    """All games, and the record of one."""
    if settings.url:
        with Remote(settings.url, settings.token) as remote:
            yield remote.games, lambda game: remote.record_of(game, form)
        return
    with opened_recorder(settings, create=False) as recorder, closing(Journal(recorder, now, alone=False)) as journal:
        yield lambda: all_games(recorder), lambda game: record_of(journal, game, form)
