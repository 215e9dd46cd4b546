"""The list of tournaments, and the events of one."""

import asyncio

from litestar.params import FromPath

from api.common.commands import sees
from api.common.freshness import reach, reach_head
from api.common.reading import NO_CACHE, next_link, tagged
from api.http.fields import HistoryQuery
from api.http.operations import (
    JSON,
    Content,
    Operation,
    reads,
)
from api.http.query import query
from api.http.response import (
    Answer,
    Asked,
    encoded,
    house_of,
)
from api.rulings.texts import text_of
from api.tournaments.reading import held, told
from api.tournaments.requests import TournamentsQuery
from api.tournaments.responses import TournamentHistory, Tournaments, TournamentShort
from domain.tournament.tournament import Tournament
from projections.models.tournaments import tournament_list
from projections.models.tournaments.projection import TOURNAMENTS, TournamentRow
from projections.models.tournaments.tournament_list import TournamentFilters


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
async def list_tournaments(request: Asked) -> Answer:
    wanted = query(request, TournamentsQuery)
    await reach(request, TOURNAMENTS.name, wanted.min_sequence)
    await reach_head(request, TOURNAMENTS.name)
    page = await asyncio.to_thread(_page, request, wanted)
    headers = [("cache-control", NO_CACHE), ("vary", "authorization")]
    if page.next:
        headers.append(("link", next_link(request, cursor=page.next)))
    return Answer(encoded(page), headers=headers)


def _page(asked: Asked, wanted: TournamentsQuery) -> Tournaments:
    filters = TournamentFilters(**{name: getattr(wanted, name) for name in TournamentFilters.__struct_fields__})
    found = tournament_list.tournaments(house_of(asked).store, filters, wanted.cursor, wanted.limit)
    return Tournaments(tournaments=[_short(asked, row) for row in found.rows], next=found.next)


def _short(asked: Asked, row: TournamentRow) -> TournamentShort:
    same = ("ruleset", "format", "state", "announced_at", "entrants", "rounds", "closed", "position", "sequence", "updated_at")
    return TournamentShort(id=row.tournament, title=text_of(asked, row.title), **{name: getattr(row, name) for name in same})


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
async def read_tournament_history(request: Asked, tournament: FromPath[str]) -> Answer:
    wanted = query(request, HistoryQuery)
    now = await held(request, tournament)
    page = await asyncio.to_thread(_history, request, now, wanted)
    links = [("link", next_link(request, after=page.next))] if page.next else []
    return tagged(request, f"{now.position}.{sees(request)}.json", lambda: encoded(page), headers=links)


def _history(asked: Asked, now: Tournament, wanted: HistoryQuery) -> TournamentHistory:
    recorded = house_of(asked).journal.history(now.id, wanted.after, wanted.limit)
    last = recorded[-1].position if recorded else now.position
    events = [told(asked, one, linked=True) for one in recorded if one.position <= now.position]
    following = last if last < now.position else None
    return TournamentHistory(tournament=now.plan.tournament, position=now.position, events=events, next=following)
