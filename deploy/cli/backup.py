"""Commands `kiebitz backup` and `kiebitz restore` for the embedded database."""

import os
import shutil
from pathlib import Path
from typing import Any

import click

from deploy.cli.console import STORE, command, print_line, setting_options, settings_of
from deploy.config.failures import Failure, lang_option, say, sentence
from deploy.log.writer.key_files import log_files
from deploy.processes.journal_file import lock_data_folder, write_atomic, write_backup
from deploy.stores.migrating import require_readable
from deploy.stores.sqlite.backup import BackupIntegrityError, check_copy
from deploy.system.clock import now
from deploy.system.private import BESIDE, FOLDER

REPLACED = ("journal.db", "projections.db")
"""Files that a restored backup replaces. The log's keys and what it signed last stay: they reveal that the store was set back."""


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
@lang_option
@setting_options(*STORE)
def backup_command(file: Path, language: str, **flags: Any) -> None:
    """Copy the embedded database to a new FILE, also while a server writes to it. It holds everything: cards, names, words.

    `kiebitz restore` puts it back. PostgreSQL is backed up by its own pg_dump.

    \b Example:
      kiebitz backup /backup/kiebitz-$(date +%F).db --data /var/lib/kiebitz
    """
    settings = settings_of(flags)
    if not settings.embedded:
        raise Failure(say("backup_postgres", store=settings.store), "pg_dump --format=custom --file=FILE URL")
    sequence = write_backup(settings, file)
    print_line(sentence("backed_up", language, file=file, sequence=sequence, size=f"{file.stat().st_size / 1e6:.1f}"))


@click.command("restore")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@lang_option
@setting_options(*STORE)
def restore_command(file: Path, language: str, **flags: Any) -> None:
    """Check the backup FILE and replace the embedded database by it. No service may be running there.

    The replaced files are moved into a folder beside it; nothing is deleted.

    \b Example:
      kiebitz restore /backup/kiebitz-2026-11-21.db --data /var/lib/kiebitz
    """
    settings = settings_of(flags)
    if not settings.embedded:
        raise Failure(say("restore_postgres", store=settings.store), "pg_restore --no-owner --dbname=URL FILE")
    sequence = _check_backup(file)
    with lock_data_folder(settings, "restore"), write_atomic(settings.journal_file) as partial:
        shutil.copyfile(file, partial)
        if os.geteuid() == 0:  # the serving account has to be able to write to it
            shutil.chown(partial, settings.data.stat().st_uid, settings.data.stat().st_gid)
        aside = _move_replaced(settings.data)
    print_line(sentence("restored", language, file=file, journal=settings.journal_file, sequence=sequence))
    if aside is not None:
        print_line(sentence("restored_aside", language, folder=aside))
    print_line(sentence("restored_next", language, audit=command("audit --all", flags), serve=command("serve", flags)))
    if log_files(settings).signed.exists():
        print_line(sentence("restored_log", language, fork=command("log fork", flags)))


def _check_backup(file: Path) -> int:
    """Check a backup; return its newest sequence. Raise ``Failure`` if it is damaged, ``StoreBlockedError`` if it is of a newer version."""
    try:
        sequence = check_copy(file)
    except BackupIntegrityError as error:
        raise Failure(say("restore_damaged", file=file, problem=error), say("restore_another")) from error
    require_readable(f"sqlite:///{file.absolute()}")
    return sequence


def _move_replaced(data: Path) -> Path | None:
    """Move the files that the backup replaces, with SQLite's files beside them, into a new folder."""
    found = [path for name in REPLACED for beside in BESIDE if (path := data / f"{name}{beside}").exists()]
    if not found:
        return None
    folder = data / f"before-restore-{now():%Y-%m-%d-%H%M%S}"
    folder.mkdir(mode=FOLDER)
    for path in found:
        path.rename(folder / path.name)
    return folder
