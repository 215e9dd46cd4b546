"""What people said about a tournament: its title and the reasons of what was done. Told to officials, erased by directors."""

import asyncio

from litestar.params import FromPath
from msgspec import Struct

from api.http.guards import admitting
from api.http.operations import (
    JSON,
    Content,
    Operation,
    reads,
    writes,
)
from api.http.query import Nothing, query
from api.http.response import Answer, Asked, encoded
from api.rulings.responses import NoteTold
from api.rulings.texts import erased_at, said_in
from api.tournaments.reading import answered, held


class TournamentNotes(Struct, frozen=True, kw_only=True):
    tournament: str
    position: int
    notes: list[NoteTold]


class TournamentWordsErased(Struct, frozen=True, kw_only=True):
    """``erased`` is false where the words had been erased before."""

    tournament: str
    position: int
    erased: bool


@reads(
    "/v1/tournaments/{tournament:str}/notes",
    Operation(
        id="list_tournament_notes",
        tag="Tournaments",
        summary="What was said: the title and the reasons of what was done, oldest first",
        answers={200: Content("the words, with the events that they belong to", {JSON: TournamentNotes}, headers=("ETag",))},
        refuses=(404,),
        headers=("If-None-Match",),
        role="official",
    ),
    admit=admitting("official"),
)
async def list_tournament_notes(request: Asked, tournament: FromPath[str]) -> Answer:
    query(request, Nothing)
    now = await held(request, tournament)
    notes = await asyncio.to_thread(said_in, request, now.id, now.position)
    return answered(request, now, encoded(TournamentNotes(tournament=now.plan.tournament, position=now.position, notes=notes)))


@writes(
    "/v1/tournaments/{tournament:str}/notes/{position:int}/erasure",
    Operation(
        id="erase_tournament_words",
        tag="Tournaments",
        summary="Erase the title, or the reason that was given at a position, for good",
        description="The event, what it decided and the digest in it stay. Asked again, it answers `erased: false`.",
        answers={200: Content("whether there were words to erase", {JSON: TournamentWordsErased})},
        refuses=(404,),
        role="director",
    ),
    status_code=200,
)
async def erase_tournament_words(request: Asked, tournament: FromPath[str], position: FromPath[int]) -> Answer:
    query(request, Nothing)
    now = await held(request, tournament)
    erased = await asyncio.to_thread(erased_at, request, now.id, position)
    body = TournamentWordsErased(tournament=tournament, position=position, erased=erased)
    return Answer(encoded(body), headers=(("cache-control", "no-store"),))
