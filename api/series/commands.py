"""The common part of all acts of a series: their description, and the response after recording or a dry run."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, TypeAlias
from urllib.parse import quote

from litestar.handlers import HTTPRouteHandler
from msgspec import UNSET, Struct

from api.common.act_handlers import ActCommand, DecideAct, Prepare, act_handler
from api.common.commands import build_receipt_response, commit_to, encode_missed_events
from api.common.event_views import event_view_without_text, remark_views
from api.http.operations import describe_outcomes
from api.http.request import Request
from api.http.response import Response
from api.series.responses import SeriesCommandResponse
from domain.errors import Unknown
from domain.journal.commits import Receipt
from domain.series.series import SERIES, Series, series_stream
from domain.tournament.warnings import Remark

RemarksOn: TypeAlias = Callable[[Series, Any], Iterable[Remark]]
"""Returns the remarks on a series after an act, with what was prepared for the decision."""


RECORDED = describe_outcomes(SeriesCommandResponse)


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
            encode_missed_events,
            happened_at=command.happened_at,
            note=command.note,
            dry_run=dry,
        )
    except Unknown as unknown:
        raise (Unknown("series", id) if unknown.what == "series" else unknown) from None
    return series_command_response(request, receipt, list(remarks(receipt.after, command.prepared)) if remarks else (), dry=dry)
