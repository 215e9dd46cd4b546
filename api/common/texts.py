"""Free texts of people: read them from the register for a response, and erase them there."""

import asyncio
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import Annotated, TypeVar
from uuid import UUID

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from api.common.commands import erase_once
from api.common.reading import read_openness_context
from api.http.decoding import ResponseModel
from api.http.places import tournament_at
from api.http.request import Request, services_of
from api.http.response import Response
from domain.errors import Unknown
from domain.events import Recorded
from domain.events.base import TextRef, text_ref_of
from domain.game import Game
from domain.journal.commits import RegisteredText, note
from domain.name_validation import normalize_name
from domain.score import Adjustment, Sheet

A = TypeVar("A", bound=Adjustment)


class NoteView(ResponseModel, frozen=True, kw_only=True):
    """``about`` is the position that a note or a dispute is about; ``text`` is null if it was erased."""

    position: int
    name: Annotated[str, Meta(examples=["note.added/1"])]
    at: datetime
    by: str
    about: int | None
    text: str | None


def note_text(request: Request, text: str | None) -> RegisteredText | None:
    """Return the text with a new id and a new salt, to be stored in the register."""
    services = services_of(request)
    return None if text is None else note(str(services.new_id()), text, services.new_salt())


def note_title(request: Request, title: str | UnsetType | None) -> RegisteredText | None:
    """Return the title as it is registered. Raises ``InvalidFormatError`` for signs that no name has."""
    return note_text(request, normalize_name(title, "title")) if isinstance(title, str) else None


async def with_reasons(request: Request, id: UUID, sheet: Sheet, own: Mapping[str, str] | None = None) -> Sheet:
    """Return the sheet of a game with the reasons of its adjustments; null for one that is erased or that the caller may not read (yet).

    ``own``: texts that are not in the register yet.
    """
    if sheet.adjustments is UNSET and sheet.lifted is UNSET:
        return sheet
    game = await services_of(request).journal.current(id)

    def add_reasons(adjustments: tuple[A, ...]) -> tuple[A, ...]:
        return tuple(replace(one, reason=_reason(request, game, one, own or {})) for one in adjustments)

    def both() -> Sheet:
        return replace(sheet, adjustments=add_reasons(sheet.adjustments or ()) or UNSET, lifted=add_reasons(sheet.lifted or ()) or UNSET)

    return await asyncio.to_thread(both)


def _reason(request: Request, game: Game, one: Adjustment, own: Mapping[str, str]) -> str | None:
    return own.get(one.reason or "") or reason_of(request, game, one.reason, one.position)


def reason_of(request: Request, game: Game, ref: TextRef | str | None, position: int) -> str | None:
    """Return the text of an act at a position, if the caller may read it: it may name hidden cards. Call it in a thread."""
    id = ref.id if isinstance(ref, TextRef) else ref
    if request.user.has_full_view or game.tells(id, position, read_openness_context(services_of(request), game)):
        return text_by_id(request, id)
    return None


def text_by_id(request: Request, ref: TextRef | str | None) -> str | None:
    """Return the text from the register. Call it in a thread."""
    id = ref.id if isinstance(ref, TextRef) else ref
    return services_of(request).registers.text(id) if id is not None else None


async def tournament_title(request: Request, id: str) -> str | None:
    """Return the title of a tournament.

    ``None`` where the tournament has no title, was never announced here or cannot be read: its games go by its id then.
    """
    found = await tournament_at(request, id)
    return None if found is None else await asyncio.to_thread(text_by_id, request, found.plan.title)


def notes_of(request: Request, stream: UUID, upto: int) -> list[NoteView]:
    """Return the free texts of a game or a tournament, with the events that they belong to. Call it in a thread."""
    history = services_of(request).journal.history(stream, limit=upto)
    said = ((recorded, text_ref_of(recorded.event)) for recorded in history)
    return [_note(request, recorded, ref) for recorded, ref in said if ref]


def _note(request: Request, recorded: Recorded, ref: TextRef) -> NoteView:
    about = getattr(recorded.event, "position", None)
    at, by = recorded.stamp.at, recorded.stamp.by
    return NoteView(position=recorded.position, name=recorded.name, at=at, by=by, about=about, text=text_by_id(request, ref))


async def erase_text_at(request: Request, stream: UUID, position: int, told: Callable[[bool], object]) -> Response:
    """Erase the free text of an event permanently, with its salt and the fingerprint of the command that brought it.

    ``told``: the response, by whether it was still there. Raises ``Unknown`` for an event without a text.
    """
    services = services_of(request)

    def find() -> str:
        said = [text_ref_of(one.event) for one in services.journal.history(stream, position - 1, 1) if one.position == position]
        if not said or said[0] is None:
            raise Unknown("note", position)
        return said[0].id

    id, registers = await asyncio.to_thread(find), services.registers
    return await erase_once(request, lambda: registers.text(id) is not None, partial(registers.erase_text, id, stream, position), told)
