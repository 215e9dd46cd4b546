"""The list of tournaments, and the events of one."""

import asyncio

from litestar.params import FromPath

from api.common.tables.files import WHOLE, list_or_file
from api.common.tables.formats import list_formats
from api.http.errors import check_position
from api.http.etag import respond_with_etag
from api.http.fields import HistoryQuery, alike
from api.http.formats import schemas
from api.http.operations import Content, Operation, reads
from api.http.paging import page_before, page_links
from api.http.places import reach_of
from api.http.query import read_query
from api.http.request import Request, services_of
from api.http.response import Response, encode
from api.tournaments.reading import current_tournament, tournament_event_view
from api.tournaments.requests import TournamentsQuery
from api.tournaments.responses import TournamentHistory, Tournaments
from api.tournaments.tables import TournamentsFile, tournaments_found
from domain.tournament.tournament import Tournament
from projections.models.tournaments.projection import TOURNAMENTS
from projections.models.tournaments.tournament_list import TournamentFilters


@reads(
    "/v1/tournaments",
    Operation(
        id="list_tournaments",
        tag="Tournaments",
        summary="Tournaments, newest first",
        description=f"All filters given must hold. `Link` names the next page. {WHOLE}",
        query=TournamentsQuery,
        responses={200: Content("a page of tournaments", schemas(list_formats(Tournaments)), headers=("ETag", "Link"))},
        refuses=(501, 503),
        headers=("If-None-Match",),
        within="published",
    ),
)
async def list_tournaments(request: Request) -> Response:
    query, services = read_query(request, TournamentsQuery), services_of(request)
    filters, reach = alike(query, TournamentFilters), reach_of(request)
    return await list_or_file(
        request,
        TOURNAMENTS.name,
        query,
        lambda: tournaments_found(services.registers, services.store, reach, filters, query.cursor, query.limit),
        lambda form, about: TournamentsFile(form=form, about=about, filters=filters),
    )


@reads(
    "/v1/tournaments/{tournament:str}/history",
    Operation(
        id="read_tournament_history",
        tag="Tournaments",
        summary="The recorded events of a tournament, oldest first",
        description="Its games have histories of their own. `Link` names the next page.",
        query=HistoryQuery,
        responses={200: Content("events", TournamentHistory, headers=("ETag", "Link"))},
        refuses=(404,),
        headers=("If-None-Match",),
    ),
)
async def read_tournament_history(request: Request, tournament: FromPath[str]) -> Response:
    query = read_query(request, HistoryQuery)
    now = await current_tournament(request, tournament)
    check_position(query.after, now.position)
    page = await asyncio.to_thread(_history, request, now, query)
    links = page_links(request, {"after": page.next}, page_before(query.after, query.limit))
    return respond_with_etag(
        request, f"{now.position}.{'arbiter' if request.user.sees_all else 'public'}.json", lambda: encode(page), headers=links
    )


def _history(request: Request, now: Tournament, query: HistoryQuery) -> TournamentHistory:
    recorded = services_of(request).journal.history(now.id, query.after, query.limit)
    last = recorded[-1].position if recorded else now.position
    events = [tournament_event_view(request, one, linked=True) for one in recorded if one.position <= now.position]
    following = last if last < now.position else None
    return TournamentHistory(tournament=now.plan.tournament, position=now.position, events=events, next=following)
