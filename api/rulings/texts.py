"""The words of people, where they are shown, from the register in the place of their ids; and how they are erased there."""

import asyncio
from collections.abc import Mapping
from uuid import UUID

from msgspec import UNSET
from msgspec.structs import replace

from api.http.response import Asked, house_of
from api.rulings.responses import NoteTold
from domain.errors import Unknown
from domain.events import Recorded, TextRef
from domain.score import Adjustment, Sheet
from replay.texts import words_of


async def worded(asked: Asked, sheet: Sheet, own: Mapping[str, str] | None = None) -> Sheet:
    """The sheet with the reasons of its adjustments; null for a text that was erased. ``own``: texts that are not kept yet."""
    if sheet.adjustments is UNSET:
        return sheet
    adjustments = await asyncio.to_thread(_worded, asked, sheet.adjustments, own or {})
    return replace(sheet, adjustments=adjustments)


def _worded(asked: Asked, adjustments: tuple[Adjustment, ...], own: Mapping[str, str]) -> tuple[Adjustment, ...]:
    return tuple(replace(one, reason=own.get(one.reason or "") or text_of(asked, one.reason)) for one in adjustments)


def text_of(asked: Asked, ref: TextRef | str | None) -> str | None:
    """Reads the register; to be called in a thread."""
    id = ref.id if isinstance(ref, TextRef) else ref
    return house_of(asked).registers.text(id) if id is not None else None


def said_in(asked: Asked, stream: UUID, upto: int) -> list[NoteTold]:
    """All that was said in a game or a tournament, with the events that it belongs to. To be called in a thread."""
    history = house_of(asked).journal.history(stream, limit=upto)
    said = ((recorded, words_of(recorded.event)) for recorded in history)
    return [_note(asked, recorded, ref) for recorded, ref in said if ref]


def _note(asked: Asked, recorded: Recorded, ref: TextRef) -> NoteTold:
    about = getattr(recorded.event, "position", None)
    at, by = recorded.stamp.at, recorded.stamp.by
    return NoteTold(position=recorded.position, name=recorded.name, at=at, by=by, about=about, text=text_of(asked, ref))


def erased_at(asked: Asked, stream: UUID, position: int) -> bool:
    """Erases what was said with an event, for good; false where that was done before. To be called in a thread.

    Raises ``Unknown`` where nothing was said.
    """
    house = house_of(asked)
    said = [words_of(one.event) for one in house.journal.history(stream, position - 1, 1) if one.position == position]
    if not said or said[0] is None:
        raise Unknown("note", position)
    return house.registers.erase_text(said[0].id)
