"""Command `kiebitz migrate`: applies pending schema scripts to the database and grants the serving role."""

from typing import Any

import click

from deploy.cli.console import STORE, setting_options, settings_of
from deploy.config.failures import Failure, lang_option, say, sentence
from deploy.config.settings import Settings, prepare_folder
from deploy.processes.journal_file import check_journal_file, upgrade
from deploy.stores.migrating import grant_serving_role, pending, require_readable


@click.command("migrate")
@setting_options(*STORE)
@click.option("--dry-run", is_flag=True, help="Only show what would be done; exit code 1 if anything is to do.")
@click.option("--serving-role", metavar="NAME", help="Let this role of PostgreSQL serve: it appends events, and cannot change them.")
@click.option("--no-backup", is_flag=True, help="Upgrade an embedded database without a copy of it beside it.")
@lang_option
def migrate_command(dry_run: bool, serving_role: str | None, no_backup: bool, language: str, **flags: Any) -> None:
    """Bring the database to this version. Embedded databases do so by themselves when they are opened.

    Before that the embedded database is copied to a file beside it. Back up PostgreSQL first, by its own pg_dump.

    \b Examples:
      kiebitz migrate --database-url postgresql://kiebitz@db/kiebitz
      kiebitz migrate --database-url postgresql://kiebitz_owner@db/kiebitz --serving-role kiebitz
    """
    settings = settings_of(flags)
    check_journal_file(settings)
    require_readable(settings.journal_url)
    if dry_run:
        missing = pending(settings.journal_url)
        click.echo("\n".join(missing) if missing else sentence("database_up_to_date", language, store=settings.store))
        raise click.exceptions.Exit(1 if missing else 0)
    if settings.embedded:
        prepare_folder(settings.data)
    scripts, backup = upgrade(settings, backup=not no_backup)
    if backup is not None:
        click.echo(sentence("upgrade_kept", language, file=backup))
    for name in scripts:
        click.echo(sentence("migrated", language, name=name))
    click.echo(sentence("database_up_to_date", language, store=settings.store))
    if serving_role:
        _grant_rights(settings, serving_role)
        click.echo(sentence("role_may_serve", language, role=serving_role))


def _grant_rights(settings: Settings, role: str) -> None:
    if settings.embedded:
        raise Failure(say("embedded_no_roles"), say("roles_postgres"))
    grant_serving_role(settings.journal_url, role)
