"""What is put right without a ruling of its own, or as an earlier ruling orders: the table, the points, an illegal move that stood."""

from uuid import UUID

from litestar.params import FromPath

from api.http.decoding import body
from api.http.fields import DryRun
from api.http.operations import writes
from api.http.query import query
from api.http.response import Answer, Asked
from api.rulings.acts import act, operation, rules_of
from api.rulings.requests import Adjust, LetStand, Rectify
from api.rulings.rulings import points_of
from domain.ruling import adjustments, rectified, stood

_EFFECTS = [["moved", ["4C"], "won:0", "board"]]


@writes(
    "/v1/games/{game:uuid}/rectifications",
    operation(
        "rectify",
        "Put right what lies on the table",
        Rectify,
        "arbiter",
        description="No rule is asked, but cards have to lie where they are taken from: none is gained or lost. `index` names the effect.",
        examples={"a card back": {"effects": _EFFECTS, "reason": "It was not taken.", "ruling": 1}},
    ),
)
async def rectify(request: Asked, game: FromPath[UUID]) -> Answer:
    dry, wanted = query(request, DryRun).dry_run, await body(request, Rectify)
    return await act(
        request,
        game,
        lambda now, ref: (rectified(now, rules_of(request, now), wanted.effects, ref, wanted.ruling),),
        wanted.reason,
        wanted.happened_at,
        dry,
    )


@writes(
    "/v1/games/{game:uuid}/stood-moves",
    operation(
        "let_stand",
        "Record an illegal move that stood at the table, with what it really did",
        LetStand,
        "arbiter",
        description="The refusal that it would have got is recorded with it. Play goes on from what then lies there.",
        examples={"taken": {"seat": 0, "move": {"type": "trail", "card": "KC"}, "effects": _EFFECTS}},
    ),
)
async def let_stand(request: Asked, game: FromPath[UUID]) -> Answer:
    dry, wanted = query(request, DryRun).dry_run, await body(request, LetStand)
    return await act(
        request,
        game,
        lambda now, ref: (stood(now, rules_of(request, now), wanted.seat, wanted.move, wanted.effects, ref, wanted.ruling),),
        wanted.reason,
        wanted.happened_at,
        dry,
    )


@writes(
    "/v1/games/{game:uuid}/adjustments",
    operation(
        "adjust",
        "Give or take points",
        Adjust,
        "arbiter",
        description="For a finished hand or for none. Later hands reckon with them; of a game that is over the places are reckoned anew.",
        examples={"a penalty": {"adjustments": [{"party": 1, "points": -1}], "reason": "late to the table"}},
    ),
)
async def adjust(request: Asked, game: FromPath[UUID]) -> Answer:
    dry, wanted = query(request, DryRun).dry_run, await body(request, Adjust)
    return await act(
        request,
        game,
        lambda now, ref: adjustments(now, rules_of(request, now), points_of(wanted), ref, wanted.ruling),
        wanted.reason,
        wanted.happened_at,
        dry,
    )
