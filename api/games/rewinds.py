"""Rewinds: the recorder's everyday undo, within the hand that was dealt last."""

from uuid import UUID

from litestar.params import FromPath

from api.common.commands import commit, recorded
from api.common.reading import table_of
from api.http.answers import Done
from api.http.decoding import body
from api.http.fields import Rewind
from api.http.operations import (
    JSON,
    Content,
    Operation,
    writes,
)
from api.http.query import Nothing, query
from api.http.response import Answer, Asked, house_of
from domain.events import GameRewound
from domain.game import Game
from domain.journal.application import Decide
from domain.journal.calls import Note, note


@writes(
    "/v1/games/{game:uuid}/rewinds",
    Operation(
        id="rewind",
        tag="Playing",
        summary="Take back what came after a position",
        description="It stays in the history, marked void. The reason is kept apart from the events, so that it can be erased.",
        body={JSON: Rewind},
        body_examples={"undo": {"to": 7, "reason": "entered the wrong card"}},
        answers={201: Content("taken back", {JSON: Done}, headers=("Location", "ETag"))},
        refuses=(404, 412, 422),
        headers=("If-Match", "Idempotency-Key"),
        role="recorder",
    ),
)
async def rewind(request: Asked, game: FromPath[UUID]) -> Answer:
    query(request, Nothing)
    wanted = await body(request, Rewind)
    reason = _reason(request, wanted)
    return recorded(request, await commit(request, game, await rewinding(request, game, wanted.to, reason), note=reason))


def _reason(asked: Asked, wanted: Rewind) -> Note | None:
    return note(str(house_of(asked).new_id()), wanted.reason) if wanted.reason else None


async def rewinding(asked: Asked, id: UUID, to: int, reason: Note | None) -> Decide:
    """The table as it stood at ``to`` is folded before the game is locked: it cannot change any more."""
    game = await house_of(asked).journal.held(id)
    restored = await table_of(asked, game, to) if 1 <= to <= game.position else game.table

    def decide(now: Game) -> tuple[GameRewound]:
        return (now.rewind(to, reason.ref if reason else None, restored),)

    return decide
