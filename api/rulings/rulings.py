"""Rulings: on a dispute, on appeal, or of an arbiter's own motion. What a ruling orders is recorded with it, all or none."""

from typing import Any
from uuid import UUID

from litestar.params import FromPath
from msgspec import UNSET

from api.common.reading import table_of
from api.http.decoding import body
from api.http.fields import DryRun
from api.http.operations import writes
from api.http.query import query
from api.http.response import Answer, Asked, house_of
from api.rulings.acts import (
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
async def rule_on_dispute(request: Asked, game: FromPath[UUID], number: FromPath[int]) -> Answer:
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
async def rule(request: Asked, game: FromPath[UUID]) -> Answer:
    return await _rule(request, game, None)


async def _rule(asked: Asked, id: UUID, dispute: int | None) -> Answer:
    dry, wanted = query(asked, DryRun).dry_run, await body(asked, GiveRuling)
    instance: Instance = "committee" if asked.user.role == "committee" else "arbiter"
    order = Order(wanted.to, await _restored(asked, id, wanted.to), _given(wanted.effects), points_of(wanted))
    given: Given = lambda now, ref: ruled(  # noqa: E731
        now, rules_of(asked, now), dispute, instance, wanted.decision, ref, wanted.rules, order
    )
    return await act(asked, id, given, wanted.reason, wanted.happened_at, dry)


async def _restored(asked: Asked, id: UUID, to: int | None) -> Table | None:
    """The table as it stood there cannot change any more; none where the game has not come that far."""
    game = await house_of(asked).journal.held(id)
    return await table_of(asked, game, to) if to is not None and 1 <= to <= game.position else None


def _given(effects: Any) -> object:
    return None if effects is UNSET else effects


def points_of(wanted: Any) -> tuple[Points, ...]:
    return tuple(Points(one.party, one.points, one.hand) for one in wanted.adjustments)
