"""The newest checkpoint of the log as an event names it, and as it is kept for good wherever it is told."""

import asyncio

from msgspec import UNSET

from api.http.request import Request, services_of
from api.services import KeptLog, Services
from domain.errors import Unavailable
from domain.events.tournament import Naming
from replay.proof.checkpoints import named_checkpoint, read_checkpoint, signed_by_name
from replay.proof.log import Head


async def newest_named(request: Request, *, dry_run: bool) -> Naming:
    """For an event; what is only tried keeps nothing.

    ``UNSET`` where no log is kept or it stands still, and where nothing is signed yet or can be kept now: nobody waits for it.
    """
    services = services_of(request)
    if services.log is None:
        return UNSET
    try:
        return await asyncio.to_thread(_named, services, services.log, dry_run=dry_run)
    except Unavailable:
        return UNSET


def keep(log: KeptLog, head: Head, note: str) -> None:
    """For good, before it is told where it lasts. Raises ``Unavailable``."""
    log.kept.keep(head.epoch, head.signed, signed_by_name(note))


def _named(services: Services, log: KeptLog, *, dry_run: bool) -> Naming:
    head = log.tree.head()
    if head is None or head.note is None or not _is_of_store(services, log, head):
        return UNSET
    if not dry_run:
        keep(log, head, head.note)
    return named_checkpoint(read_checkpoint(head.note))


def _is_of_store(services: Services, log: KeptLog, head: Head) -> bool:
    """Not so where the store was set back, and the tree knows of events that are gone."""
    epoch, store = log.epoch(), services.journal.store
    goes_on = (head.epoch, epoch.store, head.failure) == (epoch.number, store.epoch.id, None)
    return goes_on and head.sequence <= store.head()
