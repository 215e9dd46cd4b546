"""Results that are told: entered and confirmed, forfeited, adjourned, taken back. Those of recorded games count by themselves."""

from collections.abc import Sequence

from litestar.params import FromPath

from api.http.decoding import read_body
from api.http.errors import Forbidden
from api.http.fields import DryRun, ReasonBody
from api.http.operations import writes
from api.http.query import read_query
from api.http.request import Request
from api.http.response import Response
from api.tournaments.commands import Receipts, act, operation
from api.tournaments.requests import ConfirmResult, EnterResult, ForfeitTable
from domain.events import Event
from domain.events.tournament import ResultEntered
from domain.tournament import results
from domain.tournament.rounds import Remark
from domain.tournament.tournament import Tournament

_TABLE = "/v1/tournaments/{tournament:str}/rounds/{round:int}/tables/{table:str}"


@writes(
    f"{_TABLE}/result",
    operation(
        "enter_result",
        "Enter the result of a table that was not recorded here",
        EnterResult,
        "recorder",
        description="For a `side` it counts once every other party has confirmed it, or entered the same. Without `side` it is the "
        "director's word, which counts at once and goes before recorded games. If another side had said otherwise, `remarks` tell.",
        examples={"a side": {"points": [21, 17], "side": 3}, "the director": {"points": [21, 17]}},
    ),
)
async def enter_result(request: Request, tournament: FromPath[str], round: FromPath[int], table: FromPath[str]) -> Response:
    dry, body = read_query(request, DryRun).dry_run, await read_body(request, EnterResult)
    if body.side is None and request.user.role != "director":
        raise Forbidden("name the side that says so; a final result takes the role director", "director")

    def entered(now: Tournament) -> Event:
        if body.side is None:
            return results.decided(now, round, table, body.points)
        return results.entered(now, round, table, body.points, body.side)

    return await act(request, tournament, lambda now, _: (entered(now),), happened_at=body.happened_at, dry=dry, remarks=_remarks)


def _remarks(receipt: Receipts) -> Sequence[Remark]:
    before, (recorded,) = receipt.before, receipt.events
    return results.remarks(before, recorded.event) if before and isinstance(recorded.event, ResultEntered) else ()


@writes(
    f"{_TABLE}/confirmation",
    operation("confirm_result", "Confirm an entered result for another side", ConfirmResult, "recorder", examples={"a side": {"side": 7}}),
)
async def confirm(request: Request, tournament: FromPath[str], round: FromPath[int], table: FromPath[str]) -> Response:
    dry, body = read_query(request, DryRun).dry_run, await read_body(request, ConfirmResult)
    return await act(
        request,
        tournament,
        lambda now, _: (results.confirmed(now, round, table, body.side),),
        happened_at=body.happened_at,
        dry=dry,
    )


@writes(
    f"{_TABLE}/forfeit",
    operation(
        "forfeit",
        "Forfeit a table for entrants who did not come, or were sent away",
        ForfeitTable,
        "director",
        description="It goes before recorded games.",
        examples={"did not come": {"absent": [4], "reason": "not there after half an hour"}},
    ),
)
async def forfeit(request: Request, tournament: FromPath[str], round: FromPath[int], table: FromPath[str]) -> Response:
    dry, body = read_query(request, DryRun).dry_run, await read_body(request, ForfeitTable)
    return await act(
        request,
        tournament,
        lambda now, ref: (results.forfeited(now, round, table, body.absent, ref),),
        words=body.reason,
        happened_at=body.happened_at,
        dry=dry,
    )


@writes(
    f"{_TABLE}/adjournment",
    operation(
        "adjourn",
        "Adjourn a table: it is finished later, and the round may be closed without it",
        ReasonBody,
        "director",
        examples={"late": {"reason": "the hall closes"}},
    ),
)
async def adjourn(request: Request, tournament: FromPath[str], round: FromPath[int], table: FromPath[str]) -> Response:
    dry, body = read_query(request, DryRun).dry_run, await read_body(request, ReasonBody)
    return await act(
        request,
        tournament,
        lambda now, ref: (results.adjourned(now, round, table, ref),),
        words=body.reason,
        happened_at=body.happened_at,
        dry=dry,
    )


@writes(
    f"{_TABLE}/withdrawal",
    operation(
        "withdraw_result",
        "Take back what was entered, forfeited or adjourned at a table: its games count again",
        ReasonBody,
        "director",
        examples={"a slip": {"reason": "entered at the wrong table"}},
    ),
)
async def withdraw_result(request: Request, tournament: FromPath[str], round: FromPath[int], table: FromPath[str]) -> Response:
    dry, body = read_query(request, DryRun).dry_run, await read_body(request, ReasonBody)
    return await act(
        request,
        tournament,
        lambda now, ref: (results.withdrawn(now, round, table, ref),),
        words=body.reason,
        happened_at=body.happened_at,
        dry=dry,
    )
