"""The directory as a list: all players, or those that match a search."""

from api.common.lists import page_response
from api.common.tables.files import WHOLE, list_formats, list_or_file
from api.http.decoding import read_query
from api.http.operations import Content, reads
from api.http.places import visibility_of
from api.http.request import Request, services_of
from api.http.response import Response, schemas
from api.players.requests import ClubsQuery, PlayersQuery
from api.players.responses import Clubs, Players
from api.players.tables import PlayersFile
from projections.models.players import PLAYERS, clubs
from projections.models.reading import cursor_of, text_place_of


@reads(
    "/v1/players",
    "list_players",
    "List the players, newest first, or search them",
    description=f"A player must match all given filters. Officials read names; a viewer reads the alias. {WHOLE}",
    query=PlayersQuery,
    responses={200: Content("a page of players", schemas(list_formats(Players)), headers=("ETag", "Link"))},
    within="lists",
)
async def list_players(request: Request) -> Response:
    return await list_or_file(request, PlayersFile, read_query(request, PlayersQuery))


# Clubs: only their ids are known, and the number of their members.


@reads(
    "/v1/clubs",
    "list_clubs",
    "List the clubs of the players, by id, with the number of members",
    query=ClubsQuery,
    responses={200: Content("a page of clubs", Clubs, headers=("ETag", "Link"))},
    within="lists",
)
async def list_clubs(request: Request) -> Response:
    query = read_query(request, ClubsQuery)
    after = text_place_of(query.cursor) if query.cursor is not None else ""
    return await page_response(request, PLAYERS.name, query.min_sequence, lambda: _page(request, after, query.limit))


def _page(request: Request, after: str, limit: int) -> Clubs:
    found = clubs(services_of(request).store, visibility_of(request), after, limit + 1)
    page = found[:limit]
    return Clubs(items=page, next=cursor_of(page[-1].club) if len(found) > limit else None)
