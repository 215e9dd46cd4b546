"""Whether a transfer may begin: what has to be there, what must not be there, and who must not be at work."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import NamedTuple

from deploy.compose import open_services, require_here, settle_epoch
from deploy.failures import Failure
from deploy.language import say
from deploy.serve_lock import lock_data_folder
from deploy.settings import Settings, existing_journal
from deploy.stores.migrating import is_new, migrate, pending, unknown
from deploy.stores.opening import open_end
from deploy.stores.transferring.copying import begin
from deploy.stores.transferring.ends import Disturbed, End
from deploy.stores.transferring.tables import EPOCHS, EVENTS, REGISTERS

_WHICH = say("transfer_which")


class Ends(NamedTuple):
    source: End
    target: End


@contextmanager
def open_ends(source: Settings, target: Settings) -> Iterator[Ends]:
    """Both, with nobody else at work there, and the target begun. Raises ``Failure`` that says what stands in the way."""
    _require_store(source)
    if source.journal_url == target.journal_url:
        raise Failure(say("transfer_same", store=source.store), _WHICH)
    with lock_data_folder(source, "transfer"), lock_data_folder(target, "transfer"):
        with closing(open_end(source.journal_url)) as there, undisturbed(source):
            there.require_alone()
        _require_no_newer(target)
        begun = _begun(target)
        epoch = _epoch_of(source, target, begun)
        _bring_up_to_date(target)
        with closing(open_end(source.journal_url)) as there, closing(open_end(target.journal_url)) as here:
            with undisturbed(target):
                here.claim()
            if begun is None:
                _require_empty(target)  # still, now that nobody else can fill it
                begin(here, epoch)
            yield Ends(there, here)


@contextmanager
def undisturbed(settings: Settings) -> Iterator[None]:
    """Puts into words that somebody else is at work there."""
    try:
        yield
    except Disturbed as error:
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


def _begun(target: Settings) -> str | None:
    """The epoch of which the target has a part already."""
    if target.embedded and not target.journal_file.exists():
        return None
    with closing(open_end(target.journal_url)) as end:
        return end.begun()


def _require_empty(target: Settings) -> None:
    if target.embedded and not target.journal_file.exists():
        found = [target.projections_file.name] if target.projections_file.exists() else []
    else:
        with closing(open_end(target.journal_url)) as end:
            found = end.strangers() or [name for name in (EVENTS, *REGISTERS) if name != EPOCHS and name in end.names() and end.count(name)]
    if found:
        raise Failure(say("transfer_holds", store=target.store, what=tuple(found)), say("transfer_empty"), _WHICH)


def _epoch_of(source: Settings, target: Settings, begun: str | None) -> str:
    """The one that goes on in the target; it begins now if the source is a copy, as whenever somebody records there."""
    with open_services(source, create=False) as services:
        store = services.journal.store
        if begun is None:
            require_here(source, store)
            _require_empty(target)
        if begun != store.epoch.id or store.epochs()[-1].left_for is None:  # else it broke off between leaving there and arriving here
            settle_epoch(services, source)
        epoch = store.epoch.id
    if begun not in (None, epoch):
        raise Failure(say("transfer_of_another", store=source.store), say("transfer_anew"))
    return epoch


def _bring_up_to_date(target: Settings) -> None:
    """A PostgreSQL database without tables gets them. One with older tables does not, as nowhere else."""
    missing = pending(target.journal_url)
    if missing and (target.embedded or is_new(target.journal_url)):
        migrate(target.journal_url)
    elif missing:
        raise Failure(say("not_up_to_date", store=target.store, missing=tuple(missing)), say("migrate_once"))
