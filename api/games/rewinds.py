"""Rewinds: the recorder's everyday undo, within the hand that was dealt last."""

from uuid import UUID

from litestar.params import FromPath

from api.common.commands import commit_to_game, recorded_response
from api.common.event_views import CommandResponse
from api.common.reading import table_of
from api.common.texts import noted
from api.games.requests import RewindGame
from api.http.decoding import read_body
from api.http.operations import Content, Operation, writes
from api.http.request import Request, services_of
from api.http.response import Response
from domain.events.game import GameRewound
from domain.game import Game
from domain.journal.application import DecideGame
from domain.journal.calls import Note


@writes(
    "/v1/games/{game:uuid}/rewinds",
    Operation(
        id="rewind",
        tag="Playing",
        summary="Take back what came after a position",
        description="It stays in the history, marked void. The reason is kept apart from the events, so that it can be erased.",
        body=RewindGame,
        responses={201: Content("taken back", CommandResponse, headers=("Location", "ETag"))},
        refuses=(404, 412, 422),
        headers=("If-Match", "Idempotency-Key"),
        role="recorder",
    ),
)
async def rewind(request: Request, game: FromPath[UUID]) -> Response:
    body = await read_body(request, RewindGame)
    reason = noted(request, body.reason or None)
    return recorded_response(request, await commit_to_game(request, game, await rewinding(request, game, body.to, reason), note=reason))


async def rewinding(request: Request, id: UUID, to: int, reason: Note | None) -> DecideGame:
    """The table as it stood at ``to`` is folded before the game is locked: it cannot change any more."""
    game = await services_of(request).journal.current(id)
    restored = await table_of(request, game, to) if 1 <= to <= game.position else None

    def decide(now: Game) -> tuple[GameRewound]:
        if restored is None:
            game.check_rewind(to)  # it was refused when the table was read, whatever was recorded since
        assert restored is not None
        return (now.rewind(to, reason.ref if reason else None, restored),)

    return decide
