"""Moves: one, or several all or none. The path that is walked most."""

from typing import Any
from uuid import UUID

from litestar.params import FromPath
from msgspec import UNSET
from msgspec.structs import replace

from api.common.commands import (
    commit,
    noted,
    recorded,
    sees,
)
from api.common.event_views import done, rehearsed
from api.common.rulebooks import rulebook_of
from api.http.answers import Done
from api.http.decoding import body
from api.http.fields import DryRun, PlayMoves
from api.http.operations import (
    JSON,
    Content,
    Operation,
    writes,
)
from api.http.query import query
from api.http.response import (
    Answer,
    Asked,
    encoded,
    house_of,
)
from domain.errors import Malformed
from domain.events import MovePlayed, Stamp
from domain.game import Game

_EXAMPLE = {"seat": 0, "move": {"type": "trail", "card": "KC"}}


@writes(
    "/v1/games/{game:uuid}/moves",
    Operation(
        id="play",
        tag="Playing",
        summary="Play a move, or several all or none",
        description="A refused move changes nothing and is not recorded. With `dry_run=true` nothing is recorded at all (status 200).",
        query=DryRun,
        body={JSON: PlayMoves},
        body_examples={"one": _EXAMPLE, "several": {"moves": [_EXAMPLE]}},
        answers={
            201: Content("recorded", {JSON: Done}, headers=("Location", "ETag")),
            200: Content("legal, and what would be recorded", {JSON: Done}),
        },
        refuses=(404, 412, 422),
        headers=("If-Match", "Idempotency-Key"),
        role="recorder",
    ),
)
async def play(request: Asked, game: FromPath[UUID]) -> Answer:
    asked, wanted = query(request, DryRun), await body(request, PlayMoves)
    moves = moves_of(wanted)
    if asked.dry_run:
        return await _rehearsed(request, game, moves)

    def decide(now: Game) -> tuple[MovePlayed, ...]:
        return now.play(rulebook_of(house_of(request), now), moves)

    return recorded(request, await commit(request, game, decide, happened_at=wanted.happened_at))


def moves_of(wanted: PlayMoves) -> list[tuple[Any, Any]]:
    """Raises ``Malformed`` where it is neither one move nor several."""
    if wanted.moves is not UNSET:
        if wanted.seat is not UNSET or wanted.move is not UNSET:
            raise Malformed("malformed_body", "either seat and move, or moves", "moves")
        return [(one.seat, one.move) for one in wanted.moves]
    for name in ("seat", "move"):
        if getattr(wanted, name) is UNSET:
            raise Malformed("malformed_body", f"Object missing required field `{name}`", name)
    return [(wanted.seat, wanted.move)]


async def _rehearsed(asked: Asked, id: UUID, moves: list[tuple[Any, Any]]) -> Answer:
    house = house_of(asked)
    game = await house.journal.held(id)
    played = noted(asked, lambda now: now.play(rulebook_of(house, now), moves))(game)
    receipt = rehearsed(game, played, Stamp(house.clock(), asked.user.id))
    return Answer(encoded(replace(done(receipt, sees(asked)), sequence=UNSET, dry_run=True)), headers=(("cache-control", "no-store"),))
