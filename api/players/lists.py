"""The directory as a list: all players, or those who are searched for."""

from collections.abc import Iterator
from itertools import islice

from api.common.lists import page_response
from api.http.errors import BadRequest
from api.http.fields import alike
from api.http.operations import Content, Operation, reads
from api.http.query import read_query
from api.http.request import Request, services_of
from api.http.response import Response
from api.players.directory import player_views
from api.players.requests import PlayersQuery
from api.players.responses import Players
from projections.models.cursors import cursor_of, text_place_of
from projections.models.players.player_list import PlayerFilters, PlayerRow, matching_ids, players_page, rows_of
from projections.models.players.projection import PLAYERS

_STEP = 200  # people looked at first; each time twice as many, so that few looks are taken where few of those found fit
_FEW = 500  # so many ids may be named in a search


@reads(
    "/v1/players",
    Operation(
        id="list_players",
        tag="Players",
        summary="The directory, newest first; or with `search`, those found, by id",
        description="All filters given must hold. Officials read names; a viewer reads the alias, or the id.",
        query=PlayersQuery,
        responses={200: Content("a page of players", Players, headers=("ETag", "Link"))},
        refuses=(503,),
        headers=("If-None-Match",),
    ),
)
async def list_players(request: Request) -> Response:
    query = read_query(request, PlayersQuery)
    return await page_response(request, PLAYERS.name, query.min_sequence, lambda: _page(request, query))


def _page(request: Request, query: PlayersQuery) -> Players:
    services, public = services_of(request), not request.user.sees_all
    filters = alike(query, PlayerFilters)
    if query.search is not None:
        rows, next = _found(request, query, filters)
    else:
        page = players_page(services.store, filters, query.cursor, query.limit)
        rows, next = list(page.players), page.next
    return Players(players=player_views(services.registers, rows, public=public), next=next)


def _found(request: Request, query: PlayersQuery, filters: PlayerFilters) -> tuple[list[PlayerRow], str | None]:
    found = list(islice(_matching(request, query, matching_ids(services_of(request).store, filters)), query.limit + 1))
    page = found[: query.limit]
    known = rows_of(services_of(request).store, page)
    return [known[player] for player in page if player in known], cursor_of(page[-1]) if len(found) > query.limit else None


def _matching(request: Request, query: PlayersQuery, fit: frozenset[str] | None) -> Iterator[str]:
    """The ids of those who are searched for, in order. Names lie in one database and clubs in another, so ``fit`` names those of the
    second who come into question: the search is for them alone if they are few, else they are picked from what it finds."""
    services, public = services_of(request), not request.user.sees_all
    among = fit if fit is not None and len(fit) <= _FEW else None
    after, step, more = text_place_of(query.cursor) if query.cursor else "", _STEP, True
    while more:
        try:
            found = services.registers.search_people(query.search or "", after=after, limit=step, public=public, among=among)
        except ValueError as error:
            raise BadRequest("bad_parameter", "search for at least one letter or digit", "search") from error
        yield from (person.player for person in found if fit is None or person.player in fit)
        more, after, step = len(found) == step, found[-1].player if found else after, step * 2
