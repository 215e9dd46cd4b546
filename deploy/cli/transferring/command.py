"""`kiebitz transfer`: a whole store from SQLite to PostgreSQL, or back."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec

from deploy.cli.bulk.processes import jobs_option
from deploy.cli.console import print_line, progress
from deploy.cli.hints import command, flags_of
from deploy.cli.options import STORE, setting_options, settings_of
from deploy.cli.proofs.audits import KINDS, audits_here, kind_of, summary
from deploy.cli.transferring.ready import open_ends, undisturbed
from deploy.compose import is_up_to_date, open_event_store
from deploy.failures import Failure
from deploy.language import lang_option, say, sentence
from deploy.log.keeper.key_files import require_no_other_keys, take_log_files, with_key_folder
from deploy.settings import Settings
from deploy.snapshot_key import take_snapshot_key
from deploy.stores.transferring.copying import Differs, compare, copy, finish
from deploy.stores.transferring.digests import Contents
from deploy.stores.transferring.ends import End, Tell
from deploy.stores.transferring.tables import EVENTS, REGISTERS
from domain.journal.epochs import place_left_for

_NAMED = 3  # of what differs, so many are told


@click.command("transfer")
@click.option(
    "--to", required=True, metavar="URL|FOLDER", help="The store to fill: postgresql://user@host/name, or a folder for an embedded one."
)
@click.option("--audit/--no-audit", "audited", default=True, show_default=True, help="Judge every event of the filled store by the rules.")
@jobs_option
@lang_option
@setting_options(*STORE)
def transfer_command(to: str, audited: bool, jobs: int, language: str, **flags: Any) -> None:
    """Bring the whole store to another database, from SQLite to PostgreSQL or back: events, tokens, names, words, keys, all of it.

    The store goes on there, with the same ids, sequences and epoch; where it was, it is kept and not served any more. No service may run
    meanwhile. What breaks off is called again, and goes on where it was. A rehearsal takes a backup as its source.

    \b
    Exit code: 0 all is there and sound, 1 not so.
    \b
    Examples:
      kiebitz transfer --data /var/lib/kiebitz --to postgresql://kiebitz@db/kiebitz
      kiebitz transfer --database-url postgresql://kiebitz@db/kiebitz --to /var/lib/kiebitz-2
    """
    source = settings_of(flags)
    target = _target(source, to)
    _transfer(source, target, language)
    sound = not audited or _is_sound(target, jobs, language)
    print_line(sentence("transferred_next", language, command=command("serve", flags_of(target))))
    print_line(sentence("transferred_left", language, source=source.store))
    raise click.exceptions.Exit(int(not sound))


def _target(source: Settings, to: str) -> Settings:
    """With all other settings of the source."""
    if to.startswith(("postgresql://", "postgres://")):
        return msgspec.structs.replace(source, database_url=to)
    if "://" in to:
        raise Failure(say("transfer_no_target", given=to.partition("://")[0]))
    return msgspec.structs.replace(source, database_url=None, data=Path(to).expanduser().absolute())


def _transfer(source: Settings, target: Settings, language: str) -> None:
    keys = _placed(source, target)
    require_no_other_keys(*keys)
    with open_ends(source, target) as (there, here):
        with undisturbed(source), there.held():
            with _rows(sentence("transferring", language), there) as tell:
                copy(there, here, tell)
            with _rows(sentence("comparing", language), there, here) as tell:
                held = _compared(there, here, tell)
            take_snapshot_key(source, target)
            take_log_files(*keys)
            there.leave(place_left_for(target.store))
        finish(here)
        events, rows = here.count(EVENTS), sum(map(here.count, REGISTERS))
    found = {"events": events, "streams": len(held.streams), "rows": rows, "digest": held.digest}
    print_line(sentence("transferred", language, source=source.store, target=target.store, **found))


def _placed(source: Settings, target: Settings) -> tuple[Settings, Settings]:
    """Both with the folders of the keys of this log; as they are, where the source is none that could be transferred."""
    if not is_up_to_date(source):
        return source, target
    with open_event_store(source, create=False, look=True) as events:
        return with_key_folder(source, events), with_key_folder(target, events)


@contextmanager
def _rows(text: str, *ends: End) -> Iterator[Tell]:
    """A bar for as many rows as these have."""
    done = 0

    def tell(rows: int) -> None:
        nonlocal done
        done += rows
        advance(done)

    with progress(text, sum(end.count(name) for end in ends for name in (EVENTS, *REGISTERS))) as advance:
        yield tell


def _compared(there: End, here: End, tell: Tell) -> Contents:
    try:
        return compare(there, here, tell)
    except Differs as error:
        more = ("…",) if len(error.names) > _NAMED else ()
        raise Failure(say("transfer_differs", names=(*error.names[:_NAMED], *more)), say("transfer_anew")) from error


def _is_sound(target: Settings, jobs: int, language: str) -> bool:
    sound, counts = Counter[str](), Counter[str]()
    with open_event_store(target, create=False) as store:
        total, audits = audits_here(target, store, (), None, jobs)
        with progress(sentence("auditing", language), total) as advance:
            for done, found in enumerate(audits, 1):
                counts[kind_of(found)] += 1
                sound[kind_of(found)] += found.verdict == "sound"
                advance(done)
    print_line(summary({kind: (sound[kind], counts[kind]) for kind in KINDS}, language))
    if sound != counts:
        print_line(sentence("transferred_unsound", language, command=command("audit --all", flags_of(target))))
    return sound == counts
