"""Rulings: on a dispute, on appeal, or of an arbiter's own motion. What a ruling orders is recorded with it, all or none."""

from typing import Any
from uuid import UUID

from litestar.params import FromPath
from msgspec import UNSET

from api.common.reading import table_of
from api.http.decoding import read_body
from api.http.fields import DryRun
from api.http.operations import writes
from api.http.query import read_query
from api.http.request import Request, services_of
from api.http.response import Response
from api.rulings.commands import (
    Given,
    act,
    operation,
    rules_of,
)
from api.rulings.requests import GiveRuling
from domain.events import Instance
from domain.ruling import Order, Points, ruled
from domain.table import Table

_EXAMPLES = {
    "back to before the move": {"decision": "rewind", "to": 6, "reason": "A five does not take a four.", "rules": ["CNO-22"]},
    "points": {"decision": "adjust", "adjustments": [{"party": 0, "points": -2, "hand": 1}], "reason": "Two sweeps were none."},
}


@writes(
    "/v1/games/{game:uuid}/disputes/{number:int}/rulings",
    operation(
        "rule_on_dispute",
        "Rule on a dispute",
        GiveRuling,
        "judge",
        says="the ruling and what it orders",
        description="On appeal the committee rules, and only then.",
        examples=_EXAMPLES,
    ),
)
async def rule_on_dispute(request: Request, game: FromPath[UUID], number: FromPath[int]) -> Response:
    return await _rule(request, game, number)


@writes(
    "/v1/games/{game:uuid}/rulings",
    operation(
        "rule",
        "Rule where nobody raised a dispute",
        GiveRuling,
        "arbiter",
        says="the ruling and what it orders",
        examples=_EXAMPLES,
    ),
)
async def rule(request: Request, game: FromPath[UUID]) -> Response:
    return await _rule(request, game, None)


async def _rule(request: Request, id: UUID, dispute: int | None) -> Response:
    dry, body = read_query(request, DryRun).dry_run, await read_body(request, GiveRuling)
    instance: Instance = "committee" if request.user.role == "committee" else "arbiter"
    order = Order(body.to, await _restored(request, id, body.to), _given(body.effects), points_of(body))
    given: Given = lambda now, ref: ruled(  # noqa: E731
        now, rules_of(request, now), dispute, instance, body.decision, ref, body.rules, order
    )
    return await act(request, id, given, body.reason, body.happened_at, dry)


async def _restored(request: Request, id: UUID, to: int | None) -> Table | None:
    """The table as it stood there cannot change any more; none where the game has not come that far."""
    game = await services_of(request).journal.held(id)
    return await table_of(request, game, to) if to is not None and 1 <= to <= game.position else None


def _given(effects: Any) -> object:
    return None if effects is UNSET else effects


def points_of(body: Any) -> tuple[Points, ...]:
    return tuple(Points(one.party, one.points, one.hand) for one in body.adjustments)
