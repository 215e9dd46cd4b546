"""The newest signed checkpoint of the log: name it in an event, keep it permanently, and print it."""

import asyncio
from collections.abc import Mapping
from typing import Any

from msgspec import UNSET, Struct

from api.common.pages.shell import draw_code
from api.http.request import Request, services_of
from api.services import Services, StoreLog
from domain.errors import Unavailable
from domain.events.tournament import Naming
from domain.texts import load_catalog, words_of
from replay.proof.checkpoints import digits_of, keep_own_signatures, name_checkpoint, read_checkpoint
from replay.proof.checkpoints import words_of as words_of_hash
from replay.proof.log import Head


async def latest_naming(request: Request, *, dry_run: bool) -> Naming:
    """Return the newest checkpoint in the form that an event carries. A dry run keeps nothing.

    ``UNSET`` where no log is kept, the log has halted, nothing is signed yet, or the checkpoint cannot be kept now: no act waits for it.
    """
    services = services_of(request)
    if services.log is None:
        return UNSET
    try:
        return await asyncio.to_thread(_name_head, services, services.log, dry_run=dry_run)
    except Unavailable:
        return UNSET


def keep(log: StoreLog, head: Head, note: str) -> None:
    """Keep the checkpoint permanently, before it is printed or stored in an event. Raises ``Unavailable``."""
    log.kept.keep(head.epoch, head.signed, keep_own_signatures(note))


def _name_head(services: Services, log: StoreLog, *, dry_run: bool) -> Naming:
    head = log.tree.head()
    if head is None or head.note is None or not _is_of_store(services, log, head):
        return UNSET
    if not dry_run:
        keep(log, head, head.note)
    return name_checkpoint(read_checkpoint(head.note))


def _is_of_store(services: Services, log: StoreLog, head: Head) -> bool:
    """Return whether the tree matches the store. It does not after the store was set back and the tree contains events that are gone."""
    epoch, store = log.epoch(), services.journal.store
    goes_on = (head.epoch, epoch.store, head.failure) == (epoch.number, store.epoch.id, None)
    return goes_on and head.sequence <= store.head()


# The printed form of a checkpoint: the note as a QR code, and its root in words and digits that people can compare.


_LARGEST = 900
"""Most bytes in a QR code that can be scanned from a card of a few centimetres."""


class PrintedCheckpoint(Struct, frozen=True):
    """The printed form of a checkpoint. ``lead`` and ``advice`` are sentences. ``qr`` is SVG."""

    lead: str
    words: str
    digits: str
    advice: str
    qr: str


def print_checkpoint(note: str, language: str) -> PrintedCheckpoint:
    """Return the printed form of a note. If the note has too many witnesses for a QR code, the code has the signature of the log only."""
    said, checkpoint = words_of(load_catalog(__package__), language), read_checkpoint(note)
    return PrintedCheckpoint(
        lead=said["lead"].format(origin=checkpoint.origin, size=checkpoint.size),
        words=words_of_hash(checkpoint.root),
        digits=digits_of(checkpoint.root),
        advice=said["advice"],
        qr=draw_code(note if len(note.encode()) <= _LARGEST else keep_own_signatures(note), fitting=True),
    )


def round_sentence(round: int, origin: str, size: int, digits: str, language: str) -> str:
    """Return the sentence that says which checkpoint the closing of a round named."""
    return words_of(load_catalog(__package__), language)["round"].format(round=round, origin=origin, size=size, digits=digits)


def round_line(round: Mapping[str, Any] | None, language: str) -> str | None:
    """Return the same sentence for a round from the API's JSON; ``None`` where the round names none."""
    told = round.get("checkpoint") if round else None
    return round_sentence(round["round"], told["origin"], told["size"], told["digits"], language) if round and told else None


async def latest_printed(request: Request, language: str, *, wanted: bool) -> PrintedCheckpoint | None:
    """Return the printed form of the newest checkpoint, and keep the checkpoint permanently.

    ``None`` where it is not wanted, no log is kept, or nothing is signed yet. Raises ``Unavailable`` where it cannot be kept.
    """
    log = services_of(request).log
    return await asyncio.to_thread(_latest, log, language) if wanted and log is not None else None


def _latest(log: StoreLog, language: str) -> PrintedCheckpoint | None:
    head = log.tree.head()
    if head is None or head.note is None:
        return None
    keep(log, head, head.note)
    return print_checkpoint(head.note, language)
