"""Reads of tournaments: their list, one of them, and its history."""

import asyncio

from litestar.params import FromPath
from msgspec import UNSET

from api.common.tables.files import WHOLE, list_formats, list_or_file
from api.common.texts import text_by_id
from api.http.decoding import HistoryQuery, copy_fields, read_query
from api.http.errors import check_position
from api.http.operations import Content, reads
from api.http.paging import page_before, page_links
from api.http.request import Request, services_of
from api.http.response import Response, build_etag_response, encode, schemas
from api.tournaments.lots import lots_view
from api.tournaments.reading import current_tournament, tournament_event_view, tournament_response
from api.tournaments.requests import TournamentsQuery
from api.tournaments.responses import PairingView, TournamentHistory, Tournaments, TournamentView
from api.tournaments.tables import TournamentsFile
from domain.tournament.tournament import Tournament
from projections.models.tournaments import TournamentState


@reads(
    "/v1/tournaments",
    "list_tournaments",
    "List tournaments, newest first",
    description=f"A tournament must match all given filters. `Link` names the next page. {WHOLE}",
    query=TournamentsQuery,
    responses={200: Content("a page of tournaments", schemas(list_formats(Tournaments)), headers=("ETag", "Link"))},
    within="published",
)
async def list_tournaments(request: Request) -> Response:
    return await list_or_file(request, TournamentsFile, read_query(request, TournamentsQuery))


@reads(
    "/v1/tournaments/{tournament:str}/history",
    "read_tournament_history",
    "Read a tournament's history, oldest event first",
    description="Its games have their own histories. `Link` names the next page.",
    query=HistoryQuery,
    responses={200: Content("events", TournamentHistory, headers=("ETag", "Link"))},
)
async def read_tournament_history(request: Request, tournament: FromPath[str]) -> Response:
    query = read_query(request, HistoryQuery)
    now = await current_tournament(request, tournament)
    check_position(query.after, now.position)
    page = await asyncio.to_thread(_history, request, now, query)
    links = page_links(request, {"after": page.after}, page_before(query.after, query.limit))
    return build_etag_response(
        request, f"{now.position}.{'arbiter' if request.user.has_full_view else 'public'}.json", lambda: encode(page), headers=links
    )


def _history(request: Request, now: Tournament, query: HistoryQuery) -> TournamentHistory:
    recorded = services_of(request).journal.history(now.id, query.after, query.limit)
    last = recorded[-1].position if recorded else now.position
    events = [tournament_event_view(request, one, linked=True) for one in recorded if one.position <= now.position]
    following = last if last < now.position else None
    return TournamentHistory(tournament=now.plan.tournament, position=now.position, events=events, after=following)


@reads(
    "/v1/tournaments/{tournament:str}",
    "read_tournament",
    "Read a tournament: its announcement and its progress",
    responses={200: Content("the tournament", TournamentView, headers=("ETag",))},
)
async def read_tournament(request: Request, tournament: FromPath[str]) -> Response:
    now = await current_tournament(request, tournament)
    title = await asyncio.to_thread(text_by_id, request, now.plan.title)
    return tournament_response(request, now, encode(tournament_view(now, title)))


def tournament_view(now: Tournament, title: str | None) -> TournamentView:
    plan = now.plan
    return copy_fields(
        plan,
        TournamentView,
        id=plan.tournament,
        title=title,
        live=plan.live is UNSET,
        position=now.position,
        state=_state(now),
        entered=sum(entrant.until is None for entrant in now.entrants),
        paired=len(now.rounds),
        closed=sum(round.closed for round in now.rounds),
        publication=now.publication,
        hall_names=now.hall_names,
        time_zone=now.time_zone,
        starts=now.starts,
        own_moves=plan.own_moves is True,
        shuffle=plan.shuffle or None,
        lots=lots_view(now),
        remarks=UNSET,
        pairing=copy_fields(now.rules, PairingView),
    )


def _state(now: Tournament) -> TournamentState:
    if now.ended:
        return now.ended.how
    return "running" if now.rounds else "announced"
