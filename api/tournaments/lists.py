"""The list of tournaments, and the events of one."""

import asyncio

from litestar.params import FromPath

from api.common.commands import default_viewer
from api.common.freshness import wait_for_head, wait_for_sequence
from api.common.texts import text_of
from api.http.etag import NO_CACHE, respond_with_etag
from api.http.fields import HistoryQuery
from api.http.operations import (
    JSON,
    Content,
    Operation,
    reads,
)
from api.http.paging import next_link
from api.http.query import read_query
from api.http.request import Request, services_of
from api.http.response import Response, encode
from api.tournaments.reading import current_tournament, redacted_event_view
from api.tournaments.requests import TournamentsQuery
from api.tournaments.responses import TournamentHistory, Tournaments, TournamentSummary
from domain.tournament.tournament import Tournament
from projections import tournament_list
from projections.tournament_list import TournamentFilters
from projections.tournaments import TOURNAMENTS, TournamentRow


@reads(
    "/v1/tournaments",
    Operation(
        id="list_tournaments",
        tag="Tournaments",
        summary="Tournaments, newest first",
        description="All filters given must hold. `Link` names the next page.",
        query=TournamentsQuery,
        answers={200: Content("a page of tournaments", {JSON: Tournaments}, headers=("Link",))},
        refuses=(422, 503),
    ),
)
async def list_tournaments(request: Request) -> Response:
    query = read_query(request, TournamentsQuery)
    await wait_for_sequence(request, TOURNAMENTS.name, query.min_sequence)
    await wait_for_head(request, TOURNAMENTS.name)
    page = await asyncio.to_thread(_page, request, query)
    headers = [("cache-control", NO_CACHE), ("vary", "authorization")]
    if page.next:
        headers.append(("link", next_link(request, cursor=page.next)))
    return Response(encode(page), headers=headers)


def _page(request: Request, query: TournamentsQuery) -> Tournaments:
    filters = TournamentFilters(**{name: getattr(query, name) for name in TournamentFilters.__struct_fields__})
    found = tournament_list.tournaments(services_of(request).store, filters, query.cursor, query.limit)
    return Tournaments(tournaments=[_short(request, row) for row in found.rows], next=found.next)


def _short(request: Request, row: TournamentRow) -> TournamentSummary:
    same = ("ruleset", "format", "state", "announced_at", "entrants", "rounds", "closed", "position", "sequence", "updated_at")
    return TournamentSummary(id=row.tournament, title=text_of(request, row.title), **{name: getattr(row, name) for name in same})


@reads(
    "/v1/tournaments/{tournament:str}/history",
    Operation(
        id="read_tournament_history",
        tag="Tournaments",
        summary="The recorded events of a tournament, oldest first",
        description="Its games have histories of their own. `Link` names the next page.",
        query=HistoryQuery,
        answers={200: Content("events", {JSON: TournamentHistory}, headers=("ETag", "Link"))},
        refuses=(404,),
        headers=("If-None-Match",),
    ),
)
async def read_tournament_history(request: Request, tournament: FromPath[str]) -> Response:
    query = read_query(request, HistoryQuery)
    now = await current_tournament(request, tournament)
    page = await asyncio.to_thread(_history, request, now, query)
    links = [("link", next_link(request, after=page.next))] if page.next else []
    return respond_with_etag(request, f"{now.position}.{default_viewer(request)}.json", lambda: encode(page), headers=links)


def _history(request: Request, now: Tournament, query: HistoryQuery) -> TournamentHistory:
    recorded = services_of(request).journal.history(now.id, query.after, query.limit)
    last = recorded[-1].position if recorded else now.position
    events = [redacted_event_view(request, one, linked=True) for one in recorded if one.position <= now.position]
    following = last if last < now.position else None
    return TournamentHistory(tournament=now.plan.tournament, position=now.position, events=events, next=following)
