"""Command `kiebitz transfer`: moves a whole store from SQLite to PostgreSQL, or back."""

from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec

from deploy.cli.bulk import jobs_option
from deploy.cli.console import STORE, command, flags_of, print_line, progress, setting_options, settings_of
from deploy.cli.proofs.audits import KINDS, audit_store, kind_of, summary
from deploy.compose import check_epoch, is_up_to_date, open_event_store, open_services, require_present
from deploy.config.failures import Failure, lang_option, say, sentence
from deploy.config.key_files import take_snapshot_key
from deploy.config.settings import Settings, existing_journal
from deploy.log.writer.key_files import require_no_other_keys, take_log_files, with_key_folder
from deploy.processes.journal_file import lock_data_folder
from deploy.stores import store_transfer
from deploy.stores.migrating import is_new, migrate, pending, unknown
from deploy.stores.opening import open_end
from domain.journal.epochs import place_left_for

# Preconditions of a transfer: an existing source, an empty target, and no running service.


_WHICH = say("transfer_which")


class Ends(NamedTuple):
    source: store_transfer.End
    target: store_transfer.End


@contextmanager
def open_ends(source: Settings, target: Settings) -> Iterator[Ends]:
    """Open both ends exclusively, with the transfer begun in the target. Raises ``Failure`` that names the obstacle."""
    _require_store(source)
    if source.journal_url == target.journal_url:
        raise Failure(say("transfer_same", store=source.store), _WHICH)
    with lock_data_folder(source, "transfer"), lock_data_folder(target, "transfer"):
        with closing(open_end(source.journal_url)) as there, explain_conflict(source):
            there.require_exclusive()
        _require_no_newer(target)
        begun = _read_source_epoch(target)
        epoch = _epoch_of(source, target, begun)
        _upgrade_tables(target)
        with closing(open_end(source.journal_url)) as there, closing(open_end(target.journal_url)) as here:
            with explain_conflict(target):
                here.claim()
            if begun is None:
                _require_empty(target)  # again, now that no other process can fill it
                store_transfer.begin(here, epoch)
            yield Ends(there, here)


@contextmanager
def explain_conflict(settings: Settings) -> Iterator[None]:
    """Translate ``TransferConflictError``, that another process is at work there, into a ``Failure``."""
    try:
        yield
    except store_transfer.TransferConflictError as error:
        raise Failure(say("transfer_disturbed", store=settings.store), say("transfer_stop_it")) from error


def _require_store(source: Settings) -> None:
    try:
        if source.embedded:
            existing_journal(source)
    except Failure as error:
        raise Failure(error.problem, _WHICH) from error
    if not source.embedded and is_new(source.journal_url):
        raise Failure(say("transfer_nothing", store=source.store), _WHICH)
    _require_no_newer(source)


def _require_no_newer(settings: Settings) -> None:
    if newer := unknown(settings.journal_url):
        raise Failure(say("store_newer", store=settings.store, more=tuple(newer)), say("store_newer_program"))


def _read_source_epoch(target: Settings) -> str | None:
    """Return the epoch of which the target has a part already."""
    if target.embedded and not target.journal_file.exists():
        return None
    with closing(open_end(target.journal_url)) as end:
        return end.read_source_epoch()


def _require_empty(target: Settings) -> None:
    if target.embedded and not target.journal_file.exists():
        found = [target.projections_file.name] if target.projections_file.exists() else []
    else:
        with closing(open_end(target.journal_url)) as end:
            found = end.list_foreign_tables() or [
                name
                for name in (store_transfer.EVENTS, *store_transfer.REGISTERS)
                if name != store_transfer.EPOCHS and name in end.names() and end.count(name)
            ]
    if found:
        raise Failure(say("transfer_holds", store=target.store, what=tuple(found)), say("transfer_empty"), _WHICH)


def _epoch_of(source: Settings, target: Settings, begun: str | None) -> str:
    """Return the epoch that continues in the target. If the source is a copy, it begins now, as with any write there."""
    with open_services(source, create=False) as services:
        store = services.journal.store
        if begun is None:
            require_present(source, store)
            _require_empty(target)
        # Otherwise the transfer was interrupted between leaving the source and arriving here.
        if begun != store.epoch.id or store.epochs()[-1].left_for is None:
            check_epoch(services, source)
        epoch = store.epoch.id
    if begun not in (None, epoch):
        raise Failure(say("transfer_of_another", store=source.store), say("transfer_anew"))
    return epoch


def _upgrade_tables(target: Settings) -> None:
    """Create the tables of an empty PostgreSQL database. One with older tables is refused, as elsewhere."""
    missing = pending(target.journal_url)
    if missing and (target.embedded or is_new(target.journal_url)):
        migrate(target.journal_url)
    elif missing:
        raise Failure(say("not_up_to_date", store=target.store, missing=tuple(missing)), say("migrate_once"))


_NAMED = 3  # maximum number of differences that are listed


@click.command("transfer")
@click.option(
    "--to", required=True, metavar="URL|FOLDER", help="The store to fill: postgresql://user@host/name, or a folder for an embedded one."
)
@click.option("--audit/--no-audit", "audited", default=True, show_default=True, help="Audit every event of the filled store by the rules.")
@jobs_option
@lang_option
@setting_options(*STORE)
def transfer_command(to: str, audited: bool, jobs: int, language: str, **flags: Any) -> None:
    """Bring the whole store to another database, from SQLite to PostgreSQL or back: events, tokens, names, words, keys, all of it.

    The store continues there, with the same ids, sequences and epoch; the old one is kept and not served any more. No service may run
    meanwhile. After an interruption, call it again: it continues. For a rehearsal, use a backup as the source.

    \b Exit code: 0 all is there and sound, 1 not so. \b Examples:
      kiebitz transfer --data /var/lib/kiebitz --to postgresql://kiebitz@db/kiebitz
      kiebitz transfer --database-url postgresql://kiebitz@db/kiebitz --to /var/lib/kiebitz-2
    """
    source = settings_of(flags)
    target = _target(source, to)
    _transfer(source, target, language)
    sound = not audited or _is_consistent(target, jobs, language)
    print_line(sentence("transferred_next", language, command=command("serve", flags_of(target))))
    print_line(sentence("transferred_left", language, source=source.store))
    raise click.exceptions.Exit(int(not sound))


def _target(source: Settings, to: str) -> Settings:
    """Return the target with all other settings of the source."""
    if to.startswith(("postgresql://", "postgres://")):
        return msgspec.structs.replace(source, database_url=to)
    if "://" in to:
        raise Failure(say("transfer_no_target", given=to.partition("://")[0]))
    return msgspec.structs.replace(source, database_url=None, data=Path(to).expanduser().absolute())


def _transfer(source: Settings, target: Settings, language: str) -> None:
    keys = _add_key_folders(source, target)
    require_no_other_keys(*keys)
    with open_ends(source, target) as (there, here):
        with explain_conflict(source), there.lock():
            with _rows(sentence("transferring", language), there) as tell:
                store_transfer.copy(there, here, tell)
            with _rows(sentence("comparing", language), there, here) as tell:
                held = _compare_ends(there, here, tell)
            take_snapshot_key(source, target)
            take_log_files(*keys)
            there.leave(place_left_for(target.store))
        store_transfer.finish(here)
        events, rows = here.count(store_transfer.EVENTS), sum(map(here.count, store_transfer.REGISTERS))
    found = {"events": events, "streams": len(held.streams), "rows": rows, "digest": held.digest}
    print_line(sentence("transferred", language, source=source.store, target=target.store, **found))


def _add_key_folders(source: Settings, target: Settings) -> tuple[Settings, Settings]:
    """Return both with the folders of the log's keys; unchanged if the source cannot be transferred."""
    if not is_up_to_date(source):
        return source, target
    with open_event_store(source, create=False, look=True) as events:
        return with_key_folder(source, events), with_key_folder(target, events)


@contextmanager
def _rows(text: str, *ends: store_transfer.End) -> Iterator[store_transfer.Tell]:
    """Show a progress bar over the rows of these ends."""
    done = 0

    def tell(rows: int) -> None:
        nonlocal done
        done += rows
        advance(done)

    with progress(text, sum(end.count(name) for end in ends for name in (store_transfer.EVENTS, *store_transfer.REGISTERS))) as advance:
        yield tell


def _compare_ends(there: store_transfer.End, here: store_transfer.End, tell: store_transfer.Tell) -> store_transfer.Contents:
    try:
        return store_transfer.compare(there, here, tell)
    except store_transfer.ContentMismatchError as error:
        more = ("…",) if len(error.names) > _NAMED else ()
        raise Failure(say("transfer_differs", names=(*error.names[:_NAMED], *more)), say("transfer_anew")) from error


def _is_consistent(target: Settings, jobs: int, language: str) -> bool:
    sound, counts = Counter[str](), Counter[str]()
    with open_event_store(target, create=False) as store:
        total, audits = audit_store(target, store, (), None, jobs)
        with progress(sentence("auditing", language), total) as advance:
            for done, found in enumerate(audits, 1):
                counts[kind_of(found)] += 1
                sound[kind_of(found)] += found.verdict == "sound"
                advance(done)
    shown = [kind for kind in KINDS if kind != "ratings" or counts[kind]]
    print_line(summary({kind: (sound[kind], counts[kind]) for kind in shown}, language))
    if sound != counts:
        print_line(sentence("transferred_unsound", language, command=command("audit --all", flags_of(target))))
    return sound == counts
