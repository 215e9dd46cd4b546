"""Tellings: cards that nobody had told the record, between two moves or after the end."""

from uuid import UUID

from litestar.params import FromPath

from api.common.commands import commit_to_game, recorded_response
from api.common.event_views import CommandResponse
from api.common.judging import played, tried_in_sight
from api.common.looks import noting_tries
from api.games.requests import TellCards
from api.http.decoding import read_body
from api.http.fields import DryRun
from api.http.operations import Content, Operation, writes
from api.http.query import read_query
from api.http.request import Request
from api.http.response import Response
from domain.events.game import CardsTold, MovePlayed
from domain.game import Game
from domain.rules import Told


@writes(
    "/v1/games/{game:uuid}/tellings",
    Operation(
        id="tell",
        tag="Playing",
        summary="Tell cards that the record does not know",
        description=(
            "Between two moves, or after the end. It has no other consequence: a card told too late makes no earlier move wrong. One told "
            "wrongly is put right by going back. With `dry_run=true` nothing is recorded (status 200)."
        ),
        query=DryRun,
        body=TellCards,
        responses={
            201: Content("recorded", CommandResponse, headers=("Location", "ETag")),
            200: Content("possible, and what would be recorded", CommandResponse),
        },
        refuses=(404, 412, 422),
        headers=("If-Match", "Idempotency-Key"),
        role="recorder",
    ),
)
async def tell(request: Request, game: FromPath[UUID]) -> Response:
    dry, body = read_query(request, DryRun).dry_run, await read_body(request, TellCards)

    def decide(now: Game) -> tuple[MovePlayed | CardsTold, ...]:
        return played(request, now, [Told(body.known)], dry_run=dry)

    async with noting_tries(request, game):
        receipt = await commit_to_game(request, game, decide, happened_at=body.happened_at, dry_run=dry)
    return recorded_response(request, tried_in_sight(request, receipt) if dry else receipt, dry_run=dry)
