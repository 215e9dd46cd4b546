"""`kiebitz migrate`."""

from typing import Any

import click

from deploy.cli.options import STORE, setting_options, settings_of
from deploy.settings import prepared_folder
from deploy.stores.migrating import migrate, pending


@click.command("migrate")
@setting_options(*STORE)
@click.option("--dry-run", is_flag=True, help="Only say what would be done; exit code 1 if anything would.")
def migrate_command(dry_run: bool, **flags: Any) -> None:
    """Bring the database to this version. Embedded databases do so by themselves when they are opened.

    \b
    Example:
      kiebitz migrate --database-url postgresql://kiebitz@db/kiebitz
    """
    settings = settings_of(flags)
    if settings.embedded:
        prepared_folder(settings.data)
    if dry_run:
        missing = pending(settings.journal_url)
        click.echo("\n".join(missing) if missing else f"{settings.store} is up to date.")
        raise click.exceptions.Exit(1 if missing else 0)
    for name in migrate(settings.journal_url):
        click.echo(f"done: {name}")
    click.echo(f"{settings.store} is up to date.")
