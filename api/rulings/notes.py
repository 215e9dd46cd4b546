"""What people said about a game: notes, and the claims and reasons of everything else. Told to officials, erased by directors."""

import asyncio
from uuid import UUID

from litestar.params import FromPath
from msgspec import Struct

from api.common.reading import mark, tagged
from api.http.guards import admitting
from api.http.operations import (
    JSON,
    Content,
    Operation,
    reads,
    writes,
)
from api.http.query import Nothing, query
from api.http.response import (
    Answer,
    Asked,
    encoded,
    house_of,
)
from api.rulings.responses import Notes
from api.rulings.texts import erased_at, said_in


class WordsErased(Struct, frozen=True, kw_only=True):
    """``erased`` is false where the words had been erased before."""

    game: UUID
    position: int
    erased: bool


@reads(
    "/v1/games/{game:uuid}/notes",
    Operation(
        id="list_notes",
        tag="Rulings",
        summary="What was said: notes, claims and reasons, oldest first",
        answers={200: Content("the words, with the events that they belong to", {JSON: Notes}, headers=("ETag",))},
        refuses=(404,),
        headers=("If-None-Match",),
        role="official",
    ),
    admit=admitting("official"),
)
async def list_notes(request: Asked, game: FromPath[UUID]) -> Answer:
    query(request, Nothing)
    now = await house_of(request).journal.held(game)
    notes = await asyncio.to_thread(said_in, request, game, now.position)
    told = encoded(Notes(game=game, position=now.position, notes=notes))
    return tagged(request, f"{now.position}.{mark(told)}.notes.json", lambda: told)


@writes(
    "/v1/games/{game:uuid}/notes/{position:int}/erasure",
    Operation(
        id="erase_words",
        tag="Rulings",
        summary="Erase what was said at a position, for good",
        description=(
            "The words of a note, a claim or a reason go; the event, what it decided and the digest in it stay. Full records that were "
            "exported with texts hold the words still. Asked again, it answers `erased: false`."
        ),
        answers={200: Content("whether there were words to erase", {JSON: WordsErased})},
        refuses=(404,),
        role="director",
    ),
    status_code=200,
)
async def erase_words(request: Asked, game: FromPath[UUID], position: FromPath[int]) -> Answer:
    query(request, Nothing)
    now = await house_of(request).journal.held(game)
    erased = await asyncio.to_thread(erased_at, request, now.id, position)
    return Answer(encoded(WordsErased(game=game, position=position, erased=erased)), headers=(("cache-control", "no-store"),))
