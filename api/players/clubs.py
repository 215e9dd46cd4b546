"""Clubs: nothing is known of them but their ids, and how many players are members."""

from api.common.lists import page_response
from api.http.operations import Content, Operation, reads
from api.http.places import reach_of
from api.http.query import read_query
from api.http.request import Request, services_of
from api.http.response import Response
from api.players.requests import ClubsQuery
from api.players.responses import Clubs
from projections.models.cursors import cursor_of, text_place_of
from projections.models.players.player_list import clubs
from projections.models.players.projection import PLAYERS


@reads(
    "/v1/clubs",
    Operation(
        id="list_clubs",
        tag="Players",
        summary="The clubs that players are in, by id, with the number of their members",
        query=ClubsQuery,
        responses={200: Content("a page of clubs", Clubs, headers=("ETag", "Link"))},
        refuses=(503,),
        headers=("If-None-Match",),
        within="lists",
    ),
)
async def list_clubs(request: Request) -> Response:
    query = read_query(request, ClubsQuery)
    after = text_place_of(query.cursor) if query.cursor is not None else ""
    return await page_response(request, PLAYERS.name, query.min_sequence, lambda: _page(request, after, query.limit))


def _page(request: Request, after: str, limit: int) -> Clubs:
    found = clubs(services_of(request).store, reach_of(request), after, limit + 1)
    page = found[:limit]
    return Clubs(clubs=page, next=cursor_of(page[-1].club) if len(found) > limit else None)
