"""What is printed of a checkpoint: the note as a QR code, and its root as people compare it."""

import asyncio

from msgspec import Struct

from api.common.pages.qr import qr_code
from api.http.request import Request, services_of
from domain.texts import catalogue, words_of
from replay.proof.checkpoints import read_checkpoint, signed_by_name
from replay.proof.words import digits_of
from replay.proof.words import words_of as words_of_hash

_LARGEST = 900
"""Bytes in a code that is read from a card of some centimetres."""


class PrintedCheckpoint(Struct, frozen=True):
    """``lead`` and ``advice`` are sentences. ``qr`` is SVG."""

    lead: str
    words: str
    digits: str
    advice: str
    qr: str


def printed_checkpoint(note: str, language: str) -> PrintedCheckpoint:
    """Of a note with so many witnesses that it would make no code, only the signature of the log is in it."""
    said, checkpoint = words_of(catalogue(__package__), language), read_checkpoint(note)
    return PrintedCheckpoint(
        lead=said["lead"].format(origin=checkpoint.origin, size=checkpoint.size),
        words=words_of_hash(checkpoint.root),
        digits=digits_of(checkpoint.root),
        advice=said["advice"],
        qr=qr_code(note if len(note.encode()) <= _LARGEST else signed_by_name(note), fitting=True),
    )


async def newest_printed(request: Request, language: str, *, wanted: bool) -> PrintedCheckpoint | None:
    """``None`` where it is not wanted, or no log is kept, or nothing is signed yet."""
    log = services_of(request).log
    if not wanted or log is None:
        return None
    head = await asyncio.to_thread(log.tree.head)
    return await asyncio.to_thread(printed_checkpoint, head.note, language) if head and head.note else None
