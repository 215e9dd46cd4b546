"""The common part of all acts of a tournament: their description, and the response after recording or a dry run."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, TypeAlias
from urllib.parse import quote

from litestar.handlers import HTTPRouteHandler
from msgspec import UNSET, Struct, UnsetType

from api.common.act_handlers import ActCommand, DecideAct, Prepare, act_handler
from api.common.commands import build_receipt_response, call_of, commit_to, encode_missing_events
from api.common.event_views import RemarkView, remark_views
from api.common.names import name_player
from api.http.operations import Method, describe_responses
from api.http.request import Need, Request, services_of
from api.http.response import Response
from api.tournaments.reading import read_disputed_tables, tournament_event_view
from api.tournaments.responses import TableResultView, TournamentCommandResponse
from domain.errors import Refused, Unknown
from domain.events import Event
from domain.events.tournament import RoundPaired
from domain.journal.commits import LinkedStreams, Receipt, RegisteredText
from domain.tournament.tournament import TOURNAMENT, Tournament, tournament_stream
from domain.tournament.warnings import Remark, warn_about_disputes

Receipts: TypeAlias = Receipt[Tournament]
RemarksOn: TypeAlias = Callable[[Receipts, Any], Sequence[Remark]]
"""Returns the remarks on a receipt, with what was prepared for the decision."""
FollowUp: TypeAlias = Callable[[Request, Receipts, Any], Awaitable[None]]
"""Does what follows from an act once it is recorded, in games; a repeated request does it again."""
TellTable: TypeAlias = Callable[[Request, Receipts, Any], Awaitable[TableResultView]]
"""Returns the table that an act was about, after the act."""
BesideOf: TypeAlias = Callable[[Request, Any], LinkedStreams[Tournament]]
"""Returns the games in which the act records, too, from what was prepared for the decision."""


def tournament_act(
    path: str,
    id: str,
    summary: str,
    body: type[Struct],
    need: Need,
    decide: DecideAct[Tournament],
    *,
    prepare: Prepare | None = None,
    text: str | None = None,
    remarks: RemarksOn | None = None,
    disputes: bool = False,
    tell: TellTable | None = None,
    beside: BesideOf | None = None,
    follow_up: FollowUp | None = None,
    description: str = "",
    creates: Mapping[str, str] | None = None,
    method: Method = "POST",
) -> HTTPRouteHandler:
    """Make the handler of an act. ``path`` below the tournament, ``need`` the role that it needs. ``disputes``: remark undecided ones."""
    carry_out = partial(_commit_act, remarks=remarks, disputes=disputes, tell=tell, beside=beside, follow_up=follow_up)
    responses = describe_responses(TournamentCommandResponse, creates=creates or {})
    where = f"/v1/tournaments/{{tournament:str}}/{path}"
    return act_handler(
        where, id, summary, body, need, decide, carry_out, responses, prepare=prepare, text=text, description=description, method=method
    )


async def _commit_act(
    request: Request,
    command: ActCommand[Tournament],
    *,
    remarks: RemarksOn | None,
    disputes: bool,
    tell: TellTable | None,
    beside: BesideOf | None,
    follow_up: FollowUp | None,
) -> Response:
    id, dry_run = request.path_params["tournament"], command.dry_run
    also = beside(request, command.prepared) if beside else None
    receipt = await commit_to_tournament(
        request, id, command.decide, note=command.note, happened_at=command.happened_at, beside=also, dry_run=dry_run
    )
    if follow_up and not dry_run:
        await follow_up(request, receipt, command.prepared)
    found = await asyncio.to_thread(remarks, receipt, command.prepared) if remarks else ()  # takes milliseconds after a large draw
    said = remark_views(request, (*found, *(warn_about_disputes(await read_disputed_tables(request, id)) if disputes else ())))
    table = await tell(request, receipt, command.prepared) if tell else UNSET
    return tournament_command_response(request, receipt, said, table=table, dry=dry_run)


async def commit_to_tournament(
    request: Request,
    id: str,
    decide: Callable[[Tournament], Sequence[Event]],
    *,
    note: RegisteredText | None = None,
    happened_at: datetime | None = None,
    beside: LinkedStreams[Tournament] | None = None,
    dry_run: bool = False,
) -> Receipts:
    """Decide and record, or only decide. Raises ``PreconditionError`` where ``If-Match`` did not hold."""
    try:
        return await commit_to(
            request,
            TOURNAMENT,
            tournament_stream(id),
            decide,
            encode_missing_events,
            happened_at=happened_at,
            note=note,
            beside=beside,
            dry_run=dry_run,
        )
    except Refused as refused:
        await name_player(request, id, refused)
        raise
    except Unknown as unknown:
        raise (Unknown("tournament", id) if unknown.what == "tournament" else unknown) from None


def tournament_command_response(
    request: Request,
    receipt: Receipts,
    remarks: Sequence[RemarkView] = (),
    *,
    table: TableResultView | UnsetType = UNSET,
    dry: bool = False,
) -> Response:
    """Return 201 with the position for the next ``If-Match``; 200 for a dry run."""
    id = receipt.after.plan.tournament
    body = TournamentCommandResponse(
        tournament=id,
        position=receipt.after.position,
        sequence=UNSET if dry else receipt.sequence,
        events=[tournament_event_view(request, one) for one in receipt.events],
        round=next((one.event.round for one in receipt.events if isinstance(one.event, RoundPaired)), UNSET),
        table=table,
        remarks=list(remarks) or UNSET,
        dry_run=dry or UNSET,
    )
    return build_receipt_response(receipt, body, tournament_url(id), dry=dry)


def tournament_url(id: str) -> str:
    return f"/v1/tournaments/{quote(id, safe='')}"


async def is_new_decision(request: Request, now: Tournament) -> bool:
    """Return False for a repeated request, and for one that was decided on another position: neither may annul anything."""
    call, registers = await call_of(request), services_of(request).registers
    before = None if call.key is None else await asyncio.to_thread(registers.find_command, call.by, call.key)
    return before is None and call.expected in (None, now.position)
