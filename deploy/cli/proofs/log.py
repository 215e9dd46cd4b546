"""Command `kiebitz log`: shows the log's status and verifier keys, adopts a moved log, forks it, rotates its keys."""

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import click

from deploy.cli.console import STORE, setting_options, settings_of
from deploy.compose import open_event_store
from deploy.config.failures import Failure, lang_option, say, sentence
from deploy.config.settings import Settings
from deploy.log.writer.compose import open_tree
from deploy.log.writer.epochs import IncompleteTreeError, bind_store, change_key, fork, require_moved, rotate
from deploy.log.writer.key_files import log_files, make_next_key, open_signed_file, replace_key, seeds, signer_at, with_key_folder
from deploy.system.clock import now
from domain.journal.log import LogEpoch
from domain.journal.store import EventStore
from replay.proof.checkpoints import Signer, VerificationError
from replay.proof.log import LogTree
from replay.proof.making import receipt_key_name


@click.group("log")
def log_command() -> None:
    """See how the log stands, which keys verify it, replace them, and begin another log where this one can go on no more.

    \b Examples:
      kiebitz log status --data /var/lib/kiebitz
      kiebitz log keys > keys.txt
      kiebitz log rotate log
    """


@log_command.command("status")
@lang_option
@setting_options(*STORE)
def status_command(language: str, **flags: Any) -> None:
    """Show the size of the log, and what was signed last."""
    with _open_log(settings_of(flags)) as (settings, events, tree, epoch):
        head = tree.head()
        here = head is not None and head.epoch == epoch.number
        size, signed = (head.size, head.signed) if head is not None and here else (0, 0)
        click.echo(sentence("log_status", language, origin=epoch.origin, size=size, signed=signed, head=events.head()))
        click.echo(sentence("log_key_file", language, key=log_files(settings).key, signed=log_files(settings).signed))
        if epoch.store != events.epochs()[-1].id:
            click.echo(sentence("log_stopped", language))


@log_command.command("keys")
@lang_option
@setting_options(*STORE)
def keys_command(language: str, **flags: Any) -> None:
    """Print the verifier keys of all that was ever signed, one on each line, for `kiebitz verify --key`."""
    with _open_log(settings_of(flags)) as (_, events, _, _):
        for key in events.log_keys():
            click.echo(key)


@log_command.command("adopt")
@click.option("--old-one-is-gone", "gone", is_flag=True, help="Do not ask: confirm that the old store is never served again.")
@lang_option
@setting_options(*STORE)
def take_over_command(gone: bool, language: str, **flags: Any) -> None:
    """Continue the log in a store that was moved: a copied folder, or a restored backup with the keys.

    Every event that was signed has to be here, and the key. Asks whether the old store is gone: two that sign are two histories, which
    witnesses and everybody with a proof would see.

    \b Examples:
      kiebitz log adopt --data /srv/evening
      kiebitz log adopt --data /srv/evening --old-one-is-gone
    """
    with _open_log(settings_of(flags)) as (settings, events, _, _):
        events.check_epoch()
        try:
            epoch = require_moved(settings, events)
        except (OSError, VerificationError) as error:
            raise Failure(say("log_signed_damaged", file=log_files(settings).signed, problem=error)) from error
        if not gone and not (sys.stdin.isatty() and click.confirm(sentence("log_adopt_ask", language, origin=epoch.origin))):
            raise Failure(say("log_adopt_not_gone", origin=epoch.origin), say("log_adopt_gone"))
        bind_store(events, epoch)
        click.echo(sentence("log_adopted", language, origin=epoch.origin))


@log_command.command("fork")
@lang_option
@setting_options(*STORE)
def fork_command(language: str, **flags: Any) -> None:
    """Begin the next log if the present one can sign no more: its events are gone, its store is another one, or its key is lost.

    The first entry of the next log names the last checkpoint of this one. Existing proofs stay valid.
    """
    with _open_log(settings_of(flags)) as (settings, events, tree, before):
        keys = seeds(settings)
        events.check_epoch()
        try:
            signed = open_signed_file(settings).note()
            epoch = fork(events, tree, keys, signed, now())
        except (OSError, VerificationError) as error:
            raise Failure(say("log_signed_damaged", file=log_files(settings).signed, problem=error)) from error
        click.echo(sentence("log_forked", language, before=before.origin, origin=epoch.origin))


@log_command.command("rotate")
@click.argument("which", type=click.Choice(("log", "told", "blinding")))
@lang_option
@setting_options(*STORE)
def rotate_command(which: str, language: str, **flags: Any) -> None:
    """Replace a key of the log by a new one: `log` signs checkpoints, `told` what views are told, `blinding` hides what is committed to.

    The log continues. If the key signs, the old and the new key sign an entry about the change, and the old one is deleted. A running
    server uses the new key automatically. If a key was stolen, move it away and begin another log instead.

    \b Examples:
      kiebitz log rotate log
      kiebitz log rotate blinding --data /var/lib/kiebitz
    """
    with _open_log(settings_of(flags)) as (settings, events, tree, epoch):
        try:
            if which == "blinding":
                leaf = change_key(events, tree, open_signed_file(settings))
                click.echo(sentence("log_blinded", language, leaf=str(leaf)))
            else:
                _rotate(settings, events, tree, epoch, which)
                click.echo(sentence("log_rotated", language, origin=epoch.origin))
        except IncompleteTreeError:
            raise Failure(say("log_not_whole", origin=epoch.origin), say("log_not_whole_wait")) from None


def _rotate(settings: Settings, events: EventStore, tree: LogTree, epoch: LogEpoch, which: str) -> None:
    files = log_files(settings)
    if signer_at(files.key, epoch) is None:
        raise Failure(say("log_key_elsewhere", origin=epoch.origin, file=files.key), say("log_key_anew"))
    keys = seeds(settings)
    file, name, seed = (files.key, epoch.origin, keys.log) if which == "log" else (files.told, receipt_key_name(epoch.origin), keys.told)
    rotate(events, tree, open_signed_file(settings), Signer(name, seed), make_next_key(file, name), now())
    replace_key(file)


@contextmanager
def _open_log(settings: Settings) -> Iterator[tuple[Settings, EventStore, LogTree, LogEpoch]]:
    """Yield the settings as ``with_key_folder`` returns them, and the log. Raises ``Failure`` if there is none yet."""
    with open_event_store(settings, create=False) as events, closing(open_tree(settings, read_only=False)) as tree:
        epochs = events.log_epochs()
        if not epochs:
            raise Failure(say("log_none"), say("log_begins"))
        yield with_key_folder(settings, events), events, tree, epochs[-1]
