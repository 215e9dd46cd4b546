"""Routes to the free texts of a tournament or a series, its title and reasons: officials read them, directors erase them."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Literal
from uuid import UUID

from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from msgspec import Struct

from api.common.texts import NoteView, erase_text_at, notes_of
from api.http.decoding import DryRun
from api.http.operations import Content, ends, reads
from api.http.request import Request, services_of
from api.http.response import Response, build_etag_response, content_hash, encode
from domain.errors import Unknown
from domain.events import A, AggregateType
from domain.series.series import SERIES, series_stream
from domain.tournament.tournament import TOURNAMENT, tournament_stream


class TournamentNotesView(Struct, frozen=True, kw_only=True):
    tournament: str
    position: int
    notes: list[NoteView]


class SeriesNotesView(Struct, frozen=True, kw_only=True):
    series: str
    position: int
    notes: list[NoteView]


class TournamentTextErased(Struct, frozen=True, kw_only=True):
    """The result of an erasure. ``erased`` is false if the text had been erased before."""

    tournament: str
    position: int
    erased: bool


class SeriesTextErased(Struct, frozen=True, kw_only=True):
    """The result of an erasure. ``erased`` is false if the text had been erased before."""

    series: str
    position: int
    erased: bool


def _notes_routes(
    kind: Literal["tournament", "series"],
    aggregate: AggregateType[A],
    stream: Callable[[str], UUID],
    view: type[Struct],
    erasure: type[Struct],
) -> tuple[HTTPRouteHandler, ...]:
    """Make the handlers for one kind of stream. ``view`` lists the texts, ``erasure`` is the answer; both name the id as ``kind``."""

    async def find(request: Request, id: str) -> A:
        try:
            return await services_of(request).journal.current_of(aggregate, stream(id))
        except Unknown:
            raise Unknown(kind, id) from None

    async def read(request: Request) -> Response:
        now = await find(request, request.path_params[kind])
        notes = await asyncio.to_thread(notes_of, request, now.id, now.position)
        body = encode(view(**{kind: request.path_params[kind]}, position=now.position, notes=notes))
        etag = f"{now.position}.{content_hash(body)}"
        return build_etag_response(request, etag, lambda: body, vary="accept-language, authorization")

    async def erase(request: Request, position: FromPath[int]) -> Response:
        now = await find(request, request.path_params[kind])
        told = partial(erasure, **{kind: request.path_params[kind]}, position=position)
        return await erase_text_at(request, now.id, position, lambda erased: told(erased=erased))

    path = f"/v1/{'series' if kind == 'series' else 'tournaments'}/{{{kind}:str}}/notes"
    listing = reads(
        path,
        f"list_{kind}_notes",
        f"List a {kind}'s title and reasons, oldest first",
        responses={200: Content("the words, with the events that they belong to", view, headers=("ETag",))},
        role="official",
    )
    erasing = ends(
        f"{path}/{{position:int}}",
        f"erase_{kind}_words",
        f"Erase a {kind}'s title, or the reason at a position, permanently",
        description="The words are erased, with their salt; the event and its decision stay. A repetition answers `erased: false`.",
        query=DryRun,
        responses={200: Content("whether there were words to erase", erasure)},
        role="director",
    )
    return listing(read), erasing(erase)


TOURNAMENT_NOTES = _notes_routes("tournament", TOURNAMENT, tournament_stream, TournamentNotesView, TournamentTextErased)
SERIES_NOTES = _notes_routes("series", SERIES, series_stream, SeriesNotesView, SeriesTextErased)
