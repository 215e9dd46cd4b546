"""Command `kiebitz serve`: starts the service, and prints its address and first steps."""

import logging
import os
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from api.sessions.codes import sign_in_address
from deploy.cli.console import STORE, command, describe_device_access, setting_options, settings_of
from deploy.config.failures import explain_error, lang_option, sentence
from deploy.config.settings import Settings
from deploy.config.tokens import First, first_token
from deploy.log.writer.key_files import list_key_files, log_files, signer_at, with_key_folder
from deploy.server.serve import serve
from deploy.server.worker_parent import serve_by_workers
from deploy.system.clock import now
from domain.journal.store import EventStore

_LOG = logging.getLogger("kiebitz.serve")
_TRY_IT = """  curl -X POST {address}/v1/games -H "Authorization: Bearer {token}" \\
    -H "Content-Type: application/json" -d '{{"ruleset": "casino", "seats": 2}}'"""


@click.command("serve")
@setting_options(*STORE, "host", "port", "workers", "worker_port", "tls_cert", "tls_key", "public_url", "time_zone")
@setting_options("backup_every", "backup_folder")
@click.option("--migrate", "migrate_too", is_flag=True, help="Upgrade a PostgreSQL database first.")
@click.option(
    "--accept-older-copy", is_flag=True, help="Continue with a journal that lacks events which the projections know; these stay lost."
)
@lang_option
def serve_command(migrate_too: bool, accept_older_copy: bool, language: str, **flags: Any) -> None:
    """Start the service; it ends with Ctrl-C or SIGTERM.

    \b Examples:
      kiebitz serve
      kiebitz serve --data ./data --port 8080
      kiebitz serve --host 0.0.0.0
      kiebitz serve --backup-every 15 --backup-folder /mnt/backups
      kiebitz serve --public-url https://club.example
      kiebitz serve --database-url postgresql://kiebitz@db/kiebitz --host 0.0.0.0
      kiebitz serve --database-url postgresql://kiebitz@db/kiebitz --workers 4
      kiebitz serve --host 0.0.0.0 --port 443 --tls-cert hall.crt --tls-key hall.key
    """
    settings = settings_of(flags)
    before = list_key_files(settings)

    def announce(store: EventStore, address: str, alone: Sequence[str] = ()) -> None:
        said = "listening" if settings.workers == 1 else "workers_listening"
        _say(f"{sentence(said, language, address=address, store=settings.store, count=settings.workers)}\n")
        if alone:
            _say(sentence("workers_alone", language, addresses=tuple(alone)))
        _say(sentence("listening_docs", language, address=settings.public_url or address))
        if settings.log != "off":
            _tell_of_log(with_key_folder(settings, store), store, before, flags, language)
        _print_start_help(first_token(store, now), settings, address, flags, language)

    try:
        if settings.workers > 1:
            serve_by_workers(settings, flags, migrate_too=migrate_too, accept_older_copy=accept_older_copy, started=announce)
        else:
            serve(settings, migrate_too=migrate_too, accept_older_copy=accept_older_copy, started=announce)
    except Exception as error:
        if settings.log_format == "text":
            raise  # reported on the terminal
        failure = explain_error(error)
        _LOG.critical("%s", failure or error, exc_info=None if failure else error)
        raise click.exceptions.Exit(failure.exit_code if failure else 1) from error


def _tell_of_log(settings: Settings, store: EventStore, before: Collection[Path], flags: dict[str, Any], language: str) -> None:
    """Print that a log begins, or why nothing is signed here. ``before``: key files that existed before."""
    epoch, file = store.log_epochs()[-1], log_files(settings).key
    if signer_at(file, epoch) is None:
        _say(f"\n{sentence('log_not_signed_here', language, origin=epoch.origin, folder=settings.log_keys)}")
    elif epoch.store != store.epoch.id:
        _say(f"\n{sentence('log_moved', language, origin=epoch.origin, adopt=command('log adopt', flags))}")
    elif file not in before:
        _say(f"\n{sentence('log_begun', language, folder=settings.log_keys)}")


def _print_start_help(first: First | None, settings: Settings, address: str, flags: dict[str, Any], language: str) -> None:
    """Print what to do next. Only a token that was issued just now can be shown."""
    secret = first and first.secret
    issue = command("tokens issue --role recorder --label 'Table 1'", flags)
    if first:
        _say(f"\n{sentence('first_secret', language)}\n  {first.secret}\n{sentence('more_tokens', language, command=issue)}")
        _say(f"\n{sentence('first_link', language)}\n  {sign_in_address(settings.public_url or address, first.code)}")
        _say(f"\n{sentence('demo_hint', language, command=command('demo'))}")
    elif "KIEBITZ_TOKEN" not in os.environ:
        _say(f"\n{sentence('new_token', language, command=issue)}\nexport KIEBITZ_TOKEN=…")
    _say(f"\n{describe_device_access(settings, address, 'serve', flags, language)}")
    _say(f"\n{sentence('first_game', language)}")
    _say(_TRY_IT.format(address=address, token=secret or "$KIEBITZ_TOKEN"))


def _say(text: str) -> None:
    with suppress(BrokenPipeError):  # the reader of the output is gone; the service continues
        click.echo(text)
