"""The common part of all acts of a series: their description, and the response after recording or a dry run."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, TypeAlias
from urllib.parse import quote

from litestar.handlers import HTTPRouteHandler
from msgspec import UNSET, Struct

from api.common.act_handlers import ActCommand, ActRoute, DecideAct, Prepare, act_handler
from api.common.commands import build_commit_headers, commit_to, replay_header
from api.common.event_views import event_view_without_text, remark_views
from api.http.decoding import DryRun
from api.http.operations import Content, Operation
from api.http.request import Request, services_of
from api.http.response import Response, encode, no_store_response
from api.series.responses import SeriesCommandResponse
from domain.errors import Stale, Unknown
from domain.journal.commits import Receipt
from domain.series.series import SERIES, Series, series_stream
from domain.tournament.warnings import Remark

RemarksOn: TypeAlias = Callable[[Series, Any], Iterable[Remark]]
"""Returns the remarks on a series after an act, with what was prepared for the decision."""


RECORDED = {
    201: Content("recorded", SeriesCommandResponse, headers=("Location", "ETag")),
    200: Content("a dry run: the result, not recorded", SeriesCommandResponse),
}


_MISSED = 100  # most events that a 412 shows; the history has the rest


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
        responses=RECORDED,
        refuses=(422,),
        role="director",
    )
    act = ActRoute(f"/v1/series/{{series:str}}/{path}", operation, decide, prepare, text)
    return act_handler(act, partial(commit_act, remarks=remarks))


async def commit_act(request: Request, command: ActCommand[Series], *, remarks: RemarksOn | None = None) -> Response:
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
    return series_command_response(request, receipt, list(remarks(receipt.after, command.prepared)) if remarks else (), dry=dry)


async def _encode_missing_events(request: Request, stale: Stale) -> bytes:
    events = await asyncio.to_thread(services_of(request).journal.history, stale.stream, stale.expected, _MISSED)
    return encode([event_view_without_text(one, sees_all=request.user.has_full_view) for one in events])
