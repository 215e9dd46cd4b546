"""Series: announce, correct, fill, adjust, end and publish them."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeAlias
from urllib.parse import quote

from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from msgspec import UNSET, Struct

from api.common.act_handlers import ActCommand, ActRoute, CommandContext, DecideAct, Prepare, act_handler
from api.common.commands import build_commit_headers, call_of, commit_to, replay_header
from api.common.event_views import event_view_without_text, remark_views
from api.common.lists import page_response
from api.common.texts import note_title, text_by_id
from api.http.decoding import DryRun, HistoryQuery, ReasonBody, copy_fields, read_body, read_query
from api.http.errors import check_position
from api.http.operations import Content, Operation, reads, writes
from api.http.paging import bare_cursor, page_before, page_links
from api.http.places import may_read, visibility_of
from api.http.request import Request, services_of
from api.http.response import Response, build_etag_response, content_hash, encode, no_store_response
from api.series.reading import current_series
from api.series.requests import (
    AddTournament,
    AdjustSeries,
    AnnounceSeries,
    CorrectSeries,
    PublishSeries,
    RemoveTournament,
    SeriesQuery,
    SetCategory,
)
from api.series.responses import MemberView, SeriesCommandResponse, SeriesHistory, SeriesList, SeriesListRow, SeriesView
from api.standings.as_of import AsOf, standings_at
from api.tournaments.reading import current_tournament
from domain.access import Place
from domain.errors import Exists, Stale, Unknown
from domain.events import Event
from domain.events.base import TextRef
from domain.journal.commits import Receipt
from domain.name_validation import normalize_name
from domain.series import decisions
from domain.series.results import PlayedTournament, played_tournament
from domain.series.series import SERIES, Series, series_stream
from domain.series.warnings import warn_about_openness
from domain.time_zones import to_local
from domain.tournament.tournament import Tournament
from domain.tournament.warnings import Remark
from projections.models.series import SERIES_INDEX, series_page

RemarksOn: TypeAlias = Callable[[Series, Any], Iterable[Remark]]
"""Returns the remarks on a series after an act, with what was prepared for the decision."""
_RECORDED = {
    201: Content("recorded", SeriesCommandResponse, headers=("Location", "ETag")),
    200: Content("a dry run: the result, not recorded", SeriesCommandResponse),
}
_SAME_YEAR = 20
"""Series announced in one year that get a short id."""
_MISSED = 100  # most events that a 412 shows; the history has the rest


@writes(
    "/v1/series",
    Operation(
        id="announce_series",
        summary="Announce a series of tournaments with one table",
        description=(
            "The plan says how results become points, how many count, and what breaks ties. Tournaments are added one by one. With "
            "`dry_run=true` nothing is recorded."
        ),
        query=DryRun,
        body=AnnounceSeries,
        responses={
            201: Content("announced", SeriesCommandResponse, headers=("Location", "ETag"), creates={"series": "/series"}),
            200: Content("a dry run: the series, not announced", SeriesCommandResponse),
        },
        refuses=(409, 422),
        role="director",
    ),
)
async def announce(request: Request) -> Response:
    dry, body, services = read_query(request, DryRun).dry_run, await read_body(request, AnnounceSeries), services_of(request)
    note, call = note_title(request, body.title), await call_of(request, body.happened_at)
    year = f"series-{to_local(services.clock(), services.time_zone).year}"
    ids = [body.id] if body.id else [year, *(f"{year}-{number}" for number in range(2, _SAME_YEAR + 1)), f"{year}-{services.new_id()}"]
    for id in ids:
        event = decisions.announce_series(id, note.ref if note else None, body.to_plan(), _rulesets(request))
        with suppress(Exists):
            receipt = await services.journal.begin(SERIES, call, series_stream(id), (event,), note, dry_run=dry)
            return _command_response(request, receipt, dry=dry)
    raise Exists("series", ids[0])


def _rulesets(request: Request) -> frozenset[str]:
    return frozenset(services_of(request).rulesets)


def _command_response(request: Request, receipt: Receipt[Series], remarks: Sequence[Remark] = (), *, dry: bool) -> Response:
    after = receipt.after
    body = SeriesCommandResponse(
        series=after.series,
        position=after.position,
        sequence=UNSET if dry else receipt.sequence,
        events=[event_view_without_text(one, sees_all=request.user.has_full_view) for one in receipt.events],
        remarks=remark_views(request, remarks) or UNSET,
        dry_run=dry or UNSET,
    )
    if dry:
        return no_store_response(body, headers=replay_header(repeated=receipt.repeated))
    url = f"/v1/series/{quote(after.series, safe='')}"
    where = url if receipt.before is None else f"{url}/history?after={receipt.before.position}"
    return Response(encode(body), status=201, headers=build_commit_headers(where, after.position, repeated=receipt.repeated))


def series_act(
    path: str,
    id: str,
    summary: str,
    body: type[Struct],
    decide: DecideAct[Series],
    *,
    prepare: Prepare | None = None,
    text: str | None = None,
    remarks: RemarksOn | None = None,
    description: str = "",
) -> HTTPRouteHandler:
    """Make the handler of an act of a series, for its directors. ``path`` below the series."""
    operation = Operation(
        id=id,
        summary=summary,
        description=f"{description} With `dry_run=true` nothing is recorded.".strip(),
        query=DryRun,
        body=body,
        responses=_RECORDED,
        refuses=(422,),
        role="director",
    )
    act = ActRoute(f"/v1/series/{{series:str}}/{path}", operation, decide, prepare, text)
    return act_handler(act, partial(_commit_act, remarks=remarks))


async def _commit_act(request: Request, command: ActCommand[Series], *, remarks: RemarksOn | None = None) -> Response:
    id, dry = request.path_params["series"], command.dry_run
    try:
        receipt = await commit_to(
            request,
            SERIES,
            series_stream(id),
            command.decide,
            _encode_missing_events,
            happened_at=command.happened_at,
            note=command.note,
            dry_run=dry,
        )
    except Unknown as unknown:
        raise (Unknown("series", id) if unknown.what == "series" else unknown) from None
    return _command_response(request, receipt, list(remarks(receipt.after, command.prepared)) if remarks else (), dry=dry)


async def _encode_missing_events(request: Request, stale: Stale) -> bytes:
    events = await asyncio.to_thread(services_of(request).journal.history, stale.stream, stale.expected, _MISSED)
    return encode([event_view_without_text(one, sees_all=request.user.has_full_view) for one in events])


async def _tournaments(request: Request, _: Any) -> Sequence[Tournament]:
    """Return the tournaments of the series in the path."""
    now = await current_series(request, request.path_params["series"])
    return [await current_tournament(request, one.tournament) for one in now.tournaments]


@writes(
    "/v1/series/{series:str}/corrections",
    Operation(
        id="correct_series",
        summary="Correct the title and the plan of a series",
        description="Fields that are left out stay. The plan holds for all tournaments. With `dry_run=true` nothing is recorded.",
        query=DryRun,
        body=CorrectSeries,
        responses=_RECORDED,
        refuses=(422,),
        role="director",
    ),
)
async def correct(request: Request, series: FromPath[str]) -> Response:
    dry, body = read_query(request, DryRun).dry_run, await read_body(request, CorrectSeries)
    note = note_title(request, body.title)
    tournaments, rulesets = await _tournaments(request, body), _rulesets(request)

    def decide(now: Series) -> Sequence[Event]:
        title = now.title if body.title is UNSET else note.ref if note else None
        return (decisions.correct_series(now, title, body.change_plan(now.plan), rulesets, tournaments),)

    return await _commit_act(request, ActCommand(decide, note, body.happened_at, dry, None))


def _warn_about_tournament(after: Series, prepared: tuple[Tournament, PlayedTournament]) -> Iterable[Remark]:
    return warn_about_openness(after.publication, prepared[:1])


def _warn_about_publication(after: Series, tournaments: Sequence[Tournament]) -> Iterable[Remark]:
    return warn_about_openness(after.publication, tournaments)


async def _prepare_tournament(request: Request, body: AddTournament) -> tuple[Tournament, PlayedTournament]:
    """Return the tournament as it stands. Raises ``Unknown`` also for one that the caller may not read."""
    if not await may_read(request, request.user, Place(body.tournament)):
        raise Unknown("tournament", body.tournament)
    of = await standings_at(request, body.tournament, AsOf())
    return of.tournament, played_tournament(of.tournament, of.lines)


def _add(on: CommandContext[Series]) -> Sequence[Event]:
    tournament, played = on.prepared
    return (decisions.add_tournament(on.now, tournament, played, on.body.weight),)


def _set_category(on: CommandContext[Series]) -> Sequence[Event]:
    body: SetCategory = on.body
    category = None if body.category is None else normalize_name(body.category, "category")
    return (decisions.set_category(on.now, body.player, category),)


def _reason(on: CommandContext[Series]) -> TextRef:
    assert on.text is not None  # the body requires it
    return on.text


ACTS = (
    series_act(
        "tournaments",
        "add_tournament_to_series",
        "Add a tournament to a series",
        AddTournament,
        _add,
        prepare=_prepare_tournament,
        remarks=_warn_about_tournament,
        description="It may be announced, in play or finished, and belong to other series, too. In play it counts as it stands.",
    ),
    series_act(
        "removals",
        "remove_tournament_from_series",
        "Remove a tournament from a series",
        RemoveTournament,
        lambda on: (decisions.remove_tournament(on.now, on.body.tournament, _reason(on)),),
        text="reason",
        description="It counts for nothing any more, and may be added again.",
    ),
    series_act(
        "adjustments",
        "adjust_series",
        "Give a player bonus or penalty points in a series",
        AdjustSeries,
        lambda on: (decisions.adjust_points(on.now, on.body.player, on.body.points, _reason(on)),),
        text="reason",
        description="A bonus, or with a minus a penalty. It stands in the table. An opposite one takes it back.",
    ),
    series_act(
        "categories",
        "categorize_player",
        "Change the category of a player in a series",
        SetCategory,
        _set_category,
        description="Categories stand in events permanently: no names of people.",
    ),
    series_act(
        "ending",
        "end_series",
        "End a series once its tournaments are finished",
        ReasonBody,
        lambda on: (decisions.end_series(on.now, on.text, on.prepared),),
        prepare=_tournaments,
        text="reason",
        description="Rulings in its tournaments still change the table.",
    ),
    series_act(
        "publication",
        "publish_series",
        "Publish a series, or withdraw the publication",
        PublishSeries,
        lambda on: (decisions.publish_series(on.now, on.body.publication),),
        prepare=_tournaments,
        remarks=_warn_about_publication,
        description=(
            "Anybody can read the table of a published series without a token, also the results of its tournaments that are not published; "
            "`remarks` say how many. `names` states that the players agreed to be named."
        ),
    ),
)


@reads(
    "/v1/series/{series:str}",
    Operation(
        id="read_series",
        summary="Read a series: its plan and its tournaments",
        responses={200: Content("the series", SeriesView, headers=("ETag",))},
    ),
)
async def read_series(request: Request, series: FromPath[str]) -> Response:
    now = await current_series(request, series)
    title = await asyncio.to_thread(text_by_id, request, now.title)
    members = [copy_fields(one, MemberView) for one in now.tournaments]
    body = encode(copy_fields(now, SeriesView, id=now.series, title=title, tournaments=members))
    return build_etag_response(request, f"{now.position}.{content_hash(body)}", lambda: body)


@reads(
    "/v1/series",
    Operation(
        id="list_series",
        summary="List series, newest first",
        description="`Link` names the next page.",
        query=SeriesQuery,
        responses={200: Content("a page of series", SeriesList, headers=("ETag", "Link"))},
        within="published",
    ),
)
async def list_series(request: Request) -> Response:
    query, services = read_query(request, SeriesQuery), services_of(request)

    def read() -> SeriesList:
        page = series_page(services.store, visibility_of(request), bare_cursor(query.cursor) if query.cursor else None, query.limit)
        rows = [copy_fields(row, SeriesListRow, id=row.series, title=text_by_id(request, row.title)) for row in page.rows]
        return SeriesList(items=rows, next=page.next)

    return await page_response(request, SERIES_INDEX.name, query.min_sequence, read)


@reads(
    "/v1/series/{series:str}/history",
    Operation(
        id="read_series_history",
        summary="Read the history of a series, oldest event first",
        description="`Link` names the next page.",
        query=HistoryQuery,
        responses={200: Content("events", SeriesHistory, headers=("ETag", "Link"))},
    ),
)
async def read_series_history(request: Request, series: FromPath[str]) -> Response:
    query, now = read_query(request, HistoryQuery), await current_series(request, series)
    check_position(query.after, now.position)
    sees_all = request.user.has_full_view
    history = await asyncio.to_thread(services_of(request).journal.history, now.id, query.after, query.limit)
    recorded = [one for one in history if one.position <= now.position]
    last = recorded[-1].position if recorded else now.position
    page = SeriesHistory(
        series=now.series,
        position=now.position,
        events=[event_view_without_text(one, sees_all=sees_all, linked=True) for one in recorded],
        after=last if last < now.position else None,
    )
    links = page_links(request, {"after": page.after}, page_before(query.after, query.limit))
    etag = f"{now.position}.{'arbiter' if sees_all else 'public'}.json"
    return build_etag_response(request, etag, lambda: encode(page), headers=links)
