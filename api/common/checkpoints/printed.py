"""What is printed of a checkpoint: the note as a QR code, and its root as people compare it."""

import asyncio
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from api.common.checkpoints.naming import keep
from api.common.pages.qr import qr_code
from api.http.request import Request, services_of
from api.services import KeptLog
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


def round_sentence(round: int, origin: str, size: int, digits: str, language: str) -> str:
    """Which checkpoint the closing of a round named."""
    return words_of(catalogue(__package__), language)["round"].format(round=round, origin=origin, size=size, digits=digits)


def round_line(round: Mapping[str, Any] | None, language: str) -> str | None:
    """The same of a round as the API tells it; ``None`` where it names none."""
    told = round.get("checkpoint") if round else None
    return round_sentence(round["round"], told["origin"], told["size"], told["digits"], language) if round and told else None


async def newest_printed(request: Request, language: str, *, wanted: bool) -> PrintedCheckpoint | None:
    """``None`` where it is not wanted, or no log is kept, or nothing is signed yet. Raises ``Unavailable`` where it cannot be kept."""
    log = services_of(request).log
    return await asyncio.to_thread(_newest, log, language) if wanted and log is not None else None


def _newest(log: KeptLog, language: str) -> PrintedCheckpoint | None:
    head = log.tree.head()
    if head is None or head.note is None:
        return None
    keep(log, head, head.note)
    return printed_checkpoint(head.note, language)
