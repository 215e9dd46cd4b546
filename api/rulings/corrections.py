"""What is put right without a ruling of its own, or as an earlier ruling orders: the table, the points, an illegal move that stood."""

from uuid import UUID

from litestar.params import FromPath

from api.http.decoding import read_body
from api.http.fields import DryRun
from api.http.operations import writes
from api.http.query import read_query
from api.http.request import Request
from api.http.response import Response
from api.rulings.commands import act, operation, rules_of
from api.rulings.requests import AdjustPoints, LetMoveStand, RectifyTable
from api.rulings.rulings import points_of
from domain.ruling import adjustments, rectified, stood

_EFFECTS = [["moved", ["4C"], "won:0", "board"]]


@writes(
    "/v1/games/{game:uuid}/rectifications",
    operation(
        "rectify",
        "Put right what lies on the table",
        RectifyTable,
        "arbiter",
        description="No rule is asked, but cards have to lie where they are taken from: none is gained or lost. `index` names the effect.",
        examples={"a card back": {"effects": _EFFECTS, "reason": "It was not taken.", "ruling": 1}},
    ),
)
async def rectify(request: Request, game: FromPath[UUID]) -> Response:
    dry, body = read_query(request, DryRun).dry_run, await read_body(request, RectifyTable)
    return await act(
        request,
        game,
        lambda now, ref: (rectified(now, rules_of(request, now), body.effects, ref, body.ruling),),
        body.reason,
        body.happened_at,
        dry,
    )


@writes(
    "/v1/games/{game:uuid}/stood-moves",
    operation(
        "let_stand",
        "Record an illegal move that stood at the table, with what it really did",
        LetMoveStand,
        "arbiter",
        description="The refusal that it would have got is recorded with it. Play goes on from what then lies there.",
        examples={"taken": {"seat": 0, "move": {"type": "trail", "card": "KC"}, "effects": _EFFECTS}},
    ),
)
async def let_stand(request: Request, game: FromPath[UUID]) -> Response:
    dry, body = read_query(request, DryRun).dry_run, await read_body(request, LetMoveStand)
    return await act(
        request,
        game,
        lambda now, ref: (stood(now, rules_of(request, now), body.seat, body.move, body.effects, ref, body.ruling),),
        body.reason,
        body.happened_at,
        dry,
    )


@writes(
    "/v1/games/{game:uuid}/adjustments",
    operation(
        "adjust",
        "Give or take points",
        AdjustPoints,
        "arbiter",
        description="For a finished hand or for none. Later hands reckon with them; of a game that is over the places are reckoned anew.",
        examples={"a penalty": {"adjustments": [{"party": 1, "points": -1}], "reason": "late to the table"}},
    ),
)
async def adjust(request: Request, game: FromPath[UUID]) -> Response:
    dry, body = read_query(request, DryRun).dry_run, await read_body(request, AdjustPoints)
    return await act(
        request,
        game,
        lambda now, ref: adjustments(now, rules_of(request, now), points_of(body), ref, body.ruling),
        body.reason,
        body.happened_at,
        dry,
    )
