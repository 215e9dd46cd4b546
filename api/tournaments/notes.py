"""The free texts of a tournament: its title, and reasons. Officials read them, directors erase them."""

import asyncio
from functools import partial

from litestar.params import FromPath
from msgspec import Struct

from api.common.commands import erase_once
from api.common.texts import NoteView, erase_text_at, notes_of
from api.http.operations import Content, Operation, reads, writes
from api.http.request import Request
from api.http.response import Response, encode
from api.tournaments.reading import current_tournament, tournament_response


class TournamentNotesView(Struct, frozen=True, kw_only=True):
    tournament: str
    position: int
    notes: list[NoteView]


class TournamentTextErased(Struct, frozen=True, kw_only=True):
    """The result of an erasure. ``erased`` is false if the text had been erased before."""

    tournament: str
    position: int
    erased: bool


@reads(
    "/v1/tournaments/{tournament:str}/notes",
    Operation(
        id="list_tournament_notes",
        summary="List a tournament's title and reasons, oldest first",
        responses={200: Content("the words, with the events that they belong to", TournamentNotesView, headers=("ETag",))},
        role="official",
    ),
)
async def list_tournament_notes(request: Request, tournament: FromPath[str]) -> Response:
    now = await current_tournament(request, tournament)
    notes = await asyncio.to_thread(notes_of, request, now.id, now.position)
    return tournament_response(
        request, now, encode(TournamentNotesView(tournament=now.plan.tournament, position=now.position, notes=notes))
    )


@writes(
    "/v1/tournaments/{tournament:str}/notes/{position:int}/erasure",
    Operation(
        id="erase_tournament_words",
        summary="Erase a tournament's title, or the reason at a position, permanently",
        description="The words are erased, with their salt; the event and its decision stay. A repetition answers `erased: false`.",
        responses={200: Content("whether there were words to erase", TournamentTextErased)},
        role="director",
    ),
)
async def erase_tournament_words(request: Request, tournament: FromPath[str], position: FromPath[int]) -> Response:
    now = await current_tournament(request, tournament)
    erase = partial(erase_text_at, request, now.id, position)
    told = partial(TournamentTextErased, tournament=tournament, position=position)
    return await erase_once(request, erase, lambda erased: told(erased=erased))
