"""The directory as a list: all players, or those who are searched for."""

from api.common.names import audience_of
from api.common.tables.files import WHOLE, list_or_file
from api.common.tables.formats import list_formats
from api.http.fields import alike
from api.http.formats import schemas
from api.http.operations import Content, Operation, reads
from api.http.places import reach_of
from api.http.query import read_query
from api.http.request import Request, services_of
from api.http.response import Response
from api.players.found import PlayerSearch, players_found
from api.players.requests import PlayersQuery
from api.players.responses import Players
from api.players.tables import PlayersFile
from projections.models.players.player_list import PlayerFilters
from projections.models.players.projection import PLAYERS


@reads(
    "/v1/players",
    Operation(
        id="list_players",
        tag="Players",
        summary="The directory, newest first; or with `search`, those found, by id",
        description=f"All filters given must hold. Officials read names; a viewer reads the alias. {WHOLE}",
        query=PlayersQuery,
        responses={200: Content("a page of players", schemas(list_formats(Players)), headers=("ETag", "Link"))},
        refuses=(501, 503),
        headers=("If-None-Match",),
        within="lists",
    ),
)
async def list_players(request: Request) -> Response:
    query, services = read_query(request, PlayersQuery), services_of(request)
    search, reach, audience = PlayerSearch(alike(query, PlayerFilters), query.search), reach_of(request), audience_of(request)
    return await list_or_file(
        request,
        PLAYERS.name,
        query,
        lambda: players_found(services.registers, services.store, reach, search, query.cursor, query.limit, audience),
        lambda form, about: PlayersFile(form=form, about=about, search=search),
    )
