"""The words of people, where they are shown: from the register, in the place of their ids."""

import asyncio
from collections.abc import Mapping

from msgspec import UNSET
from msgspec.structs import replace

from api.http import Asked, house_of
from domain.events import TextRef
from domain.score import Adjustment, Sheet


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
