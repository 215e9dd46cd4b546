"""Announcement and correction of a series, and the common part of all its acts: description, and response after recording or a dry run."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeAlias
from urllib.parse import quote

from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from msgspec import UNSET, Struct

from api.common.act_handlers import ActCommand, DecideAct, Prepare, act_handler
from api.common.commands import build_receipt_response, call_of, commit_to, encode_missing_events
from api.common.event_views import event_view_without_text, remark_views
from api.common.texts import note_title
from api.http.decoding import DryRun, read_body, read_query
from api.http.operations import describe_responses, writes
from api.http.request import Request, services_of
from api.http.response import Response
from api.series.reading import current_series
from api.series.requests import AnnounceSeries, CorrectSeries
from api.series.responses import SeriesCommandResponse
from api.tournaments.reading import current_tournament
from domain.errors import Exists, Unknown
from domain.events import Event
from domain.journal.commits import Receipt
from domain.series import decisions
from domain.series.series import SERIES, Series, series_stream
from domain.time_zones import to_local
from domain.tournament.tournament import Tournament
from domain.tournament.warnings import Remark

RemarksOn: TypeAlias = Callable[[Series, Any], Iterable[Remark]]
"""Returns the remarks on a series after an act, with what was prepared for the decision."""


RECORDED = describe_responses(SeriesCommandResponse)


def series_command_response(request: Request, receipt: Receipt[Series], remarks: Sequence[Remark] = (), *, dry: bool) -> Response:
    after = receipt.after
    body = SeriesCommandResponse(
        series=after.series,
        position=after.position,
        sequence=UNSET if dry else receipt.sequence,
        events=[event_view_without_text(one, sees_all=request.user.has_full_view) for one in receipt.events],
        remarks=remark_views(request, remarks) or UNSET,
        dry_run=dry or UNSET,
    )
    return build_receipt_response(receipt, body, f"/v1/series/{quote(after.series, safe='')}", dry=dry)


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
    where = f"/v1/series/{{series:str}}/{path}"
    carry_out = partial(commit_act, remarks=remarks)
    return act_handler(
        where, id, summary, body, "director", decide, carry_out, RECORDED, prepare=prepare, text=text, description=description
    )


async def commit_act(request: Request, command: ActCommand[Series], *, remarks: RemarksOn | None = None) -> Response:
    id, dry = request.path_params["series"], command.dry_run
    try:
        receipt = await commit_to(
            request,
            SERIES,
            series_stream(id),
            command.decide,
            encode_missing_events,
            happened_at=command.happened_at,
            note=command.note,
            dry_run=dry,
        )
    except Unknown as unknown:
        raise (Unknown("series", id) if unknown.what == "series" else unknown) from None
    return series_command_response(request, receipt, list(remarks(receipt.after, command.prepared)) if remarks else (), dry=dry)


# Announcement and correction of a series.


_SAME_YEAR = 20
"""Series announced in one year that get a short id."""


@writes(
    "/v1/series",
    "announce_series",
    "Announce a series of tournaments with one table",
    description=(
        "The plan says how results become points, how many count, and what breaks ties. Tournaments are added one by one. With "
        "`dry_run=true` nothing is recorded."
    ),
    query=DryRun,
    body=AnnounceSeries,
    responses=describe_responses(
        SeriesCommandResponse, says="announced", result="the series, not announced", creates={"series": "/series"}
    ),
    refuses=(409, 422),
    role="director",
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
            return series_command_response(request, receipt, dry=dry)
    raise Exists("series", ids[0])


def _rulesets(request: Request) -> frozenset[str]:
    return frozenset(services_of(request).rulesets)


async def read_tournaments(request: Request, _: Any) -> Sequence[Tournament]:
    """Return the tournaments of the series in the path."""
    now = await current_series(request, request.path_params["series"])
    return [await current_tournament(request, one.tournament) for one in now.tournaments]


@writes(
    "/v1/series/{series:str}/corrections",
    "correct_series",
    "Correct the title and the plan of a series",
    description="Fields that are left out stay. The plan holds for all tournaments. With `dry_run=true` nothing is recorded.",
    query=DryRun,
    body=CorrectSeries,
    responses=RECORDED,
    refuses=(422,),
    role="director",
)
async def correct(request: Request, series: FromPath[str]) -> Response:
    dry, body = read_query(request, DryRun).dry_run, await read_body(request, CorrectSeries)
    note = note_title(request, body.title)
    tournaments, rulesets = await read_tournaments(request, body), _rulesets(request)

    def decide(now: Series) -> Sequence[Event]:
        title = now.title if body.title is UNSET else note.ref if note else None
        return (decisions.correct_series(now, title, body.change_plan(now.plan), rulesets, tournaments),)

    return await commit_act(request, ActCommand(decide, note, body.happened_at, dry, None))
