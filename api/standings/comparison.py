"""The difference between two standings, with the acts in between."""

import asyncio
from datetime import datetime
from uuid import UUID

from litestar.params import FromPath

from api.common.time_zone import zone_of
from api.http.decoding import read_query
from api.http.operations import Content, reads
from api.http.request import Request, services_of
from api.http.response import Response, encode
from api.standings.as_of import AsOf, parse_as_of, standings_at
from api.standings.responses import ActView, DiffQuery, StandingsDiff
from api.standings.views import as_of_view, names_of_entrants, row_change_view, standings_response, table_change_view
from domain.events import Event, Recorded
from domain.events.game import ACTS, Act, RewindRecorded
from domain.standings.standings import compare_rows, list_changed_tables

_BACK = 100
"""Sequences that are searched for the time of one that has no event: sequences of failed commands are never used."""


def list_act_views(request: Request, games: set[UUID], first: AsOf, last: AsOf) -> list[ActView]:
    """Return the acts in these games between the two moments, or all of them if the moments are rounds, oldest first."""
    since, until = _time(request, first), _time(request, last)
    history = (recorded for game in games for recorded in services_of(request).journal.history(game))
    acts = (_act(one) for one in history if _moves_standings(one.event))
    between = (one for one in acts if (since is None or one.at > since) and (until is None or one.at <= until))
    return sorted(between, key=lambda one: one.at)


def _moves_standings(event: Event) -> bool:
    """Return whether the event may change standings. A rewind without a ruling does not: it is a recorder's
    correction of their own slip.
    """
    return event.ruling is not None if isinstance(event, RewindRecorded) else isinstance(event, Act) and ACTS[type(event)].moves_standings


def _act(recorded: Recorded) -> ActView:
    return ActView(
        game=recorded.stream,
        position=recorded.position,
        name=recorded.name,
        at=recorded.stamp.at,
        ruling=getattr(recorded.event, "ruling", None),
        url=f"/v1/games/{recorded.stream}/history?after={recorded.position - 1}&limit=1",
    )


def _time(request: Request, as_of: AsOf) -> datetime | None:
    """Return the time of the moment; ``None`` for now, also for a round."""
    if as_of.sequence is None:
        return as_of.at
    events = services_of(request).journal.feed(max(0, as_of.sequence - _BACK), _BACK)
    return max((recorded.stamp.at for sequence, recorded in events if sequence <= as_of.sequence), default=None)


@reads(
    "/v1/tournaments/{tournament:str}/standings/diff",
    "compare_standings",
    "Compare the standings at two moments, with the results and rulings between them",
    description="`old` and `new` are rounds, sequences or times; `new` defaults to now.",
    query=DiffQuery,
    responses={200: Content("the differences", StandingsDiff, headers=("ETag",))},
    refuses=(503,),
)
async def compare_standings(request: Request, tournament: FromPath[str]) -> Response:
    query = read_query(request, DiffQuery)
    zone = await zone_of(request, tournament)
    first, last = (parse_as_of(text, name, zone) for name, text in (("old", query.old), ("new", query.new)))
    before, after = await standings_at(request, tournament, first, "old"), await standings_at(request, tournament, last, "new")
    tables = list_changed_tables(before.outcomes, after.outcomes)
    games = {game for one in tables for side in (one.before, one.after) if side for game in side.games}
    acts = await asyncio.to_thread(list_act_views, request, games, first, last)
    shown = dict(await names_of_entrants(request, before)) | dict(await names_of_entrants(request, after))
    diff = StandingsDiff(
        tournament=tournament,
        before=as_of_view(first),
        after=as_of_view(last),
        moved=[row_change_view(before, after, one, shown) for one in compare_rows(before.lines, after.lines)],
        tables=[table_change_view(one, acts) for one in tables],
    )
    return standings_response(request, after, encode(diff))
