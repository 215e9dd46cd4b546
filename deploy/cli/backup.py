"""`kiebitz backup`."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from deploy.cli.console import print_line
from deploy.cli.hints import command
from deploy.cli.options import STORE, setting_options, settings_of
from deploy.failures import Failure
from deploy.language import lang_option, say, sentence
from deploy.private import private_file
from deploy.settings import Settings, existing_journal
from deploy.stores.sqlite.backup import Damaged, NotCopied, back_up


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
@lang_option
@setting_options(*STORE)
def backup_command(file: Path, language: str, **flags: Any) -> None:
    """Copy the embedded database to a new FILE, also while a server writes to it. It holds everything: cards, names, words.

    To restore it, lay it into a new folder as journal.db. PostgreSQL is backed up by its own pg_dump.

    \b
    Example:
      kiebitz backup /backup/kiebitz-$(date +%F).db --data /var/lib/kiebitz
    """
    journal = _embedded(settings_of(flags))
    with _new_file(file) as partial:
        sequence = _copy(journal, partial, file)
    print_line(sentence("backed_up", language, file=file, sequence=sequence, size=f"{file.stat().st_size / 1e6:.1f}"))


def _embedded(settings: Settings) -> Path:
    if not settings.embedded:
        raise Failure(say("backup_postgres", store=settings.store), "pg_dump --format=custom --file=FILE URL")
    return existing_journal(settings)


def _copy(journal: Path, partial: Path, file: Path) -> int:
    try:
        return back_up(journal, partial)
    except Damaged as error:
        raise Failure(say("backup_damaged", journal=journal, problem=error), say("audit_tells", command=command("audit --all"))) from error
    except NotCopied as error:
        raise Failure(say("backup_not_copied", journal=journal, file=file, problem=error), say("is_it_full", folder=file.parent)) from error


@contextmanager
def _new_file(file: Path) -> Iterator[Path]:
    """Where to write what appears as this file once it is complete; for its owner only. Never over another: it may be the last good one."""
    if file.exists():
        raise Failure(say("backup_there", file=file), say("backup_new_name"))
    partial = file.with_name(f".{file.name}.partial")
    try:
        partial.unlink(missing_ok=True)
        private_file(partial)
        yield partial
        partial.replace(file)
        _sync_folder(file.parent)
    finally:
        partial.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """So that the file still has its name after a power cut."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
