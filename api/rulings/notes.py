"""The free texts of a game: notes, claims and reasons. Officials read them, directors erase them."""

import asyncio
from functools import partial
from uuid import UUID

from litestar.params import FromPath
from msgspec import Struct

from api.common.commands import erase_once
from api.common.reading import check_full_view
from api.common.texts import erase_text_at, notes_of
from api.http.operations import Content, Operation, ends, reads
from api.http.request import Request, services_of
from api.http.response import Response, build_etag_response, content_hash, encode
from api.rulings.responses import NotesView


class TextErased(Struct, frozen=True, kw_only=True):
    """The result of an erasure. ``erased`` is false if the text had been erased before."""

    game: UUID
    position: int
    erased: bool


@reads(
    "/v1/games/{game:uuid}/notes",
    Operation(
        id="list_notes",
        tag="Rulings",
        summary="List the notes, claims and reasons of a game, oldest first",
        responses={200: Content("the words, with the events that they belong to", NotesView, headers=("ETag",))},
        role="official",
    ),
)
async def list_notes(request: Request, game: FromPath[UUID]) -> Response:
    check_full_view(request)  # texts may name any card
    now = await services_of(request).journal.current(game)
    notes = await asyncio.to_thread(notes_of, request, game, now.position)
    body = encode(NotesView(game=game, position=now.position, notes=notes))
    return build_etag_response(request, f"{now.position}.{content_hash(body)}.notes.json", lambda: body)


@ends(
    "/v1/games/{game:uuid}/notes/{position:int}",
    Operation(
        id="erase_words",
        tag="Rulings",
        summary="Erase the text recorded at a position, permanently",
        description=(
            "The words of a note, a claim or a reason are erased, with their salt. The event and its decision stay, and so "
            "does the digest in it, which no longer leads to words. The key of the request that brought them stays taken. Full "
            "records that were exported with texts still hold the words. A repetition answers `erased: false`."
        ),
        responses={200: Content("whether there were words to erase", TextErased)},
        role="director",
    ),
)
async def erase_words(request: Request, game: FromPath[UUID], position: FromPath[int]) -> Response:
    now = await services_of(request).journal.current(game)
    erase = partial(erase_text_at, request, now.id, position)
    return await erase_once(request, erase, lambda erased: TextErased(game=game, position=position, erased=erased))
