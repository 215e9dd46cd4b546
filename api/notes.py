"""What people said about a game: notes, and the claims and reasons of everything else. For officials."""

import asyncio
from uuid import UUID

from litestar.params import FromPath

from api.answers import Notes, NoteTold
from api.guards import admitting
from api.http import Answer, Asked, encoded, house_of
from api.operations import JSON, Content, Operation, reads
from api.queries import Nothing, query
from api.reading import tagged
from api.words import text_of
from domain.events import Recorded, TextRef
from domain.game import Game
from replay.texts import words_of


@reads(
    "/v1/games/{game:uuid}/notes",
    Operation(
        id="list_notes",
        tag="Rulings",
        summary="What was said: notes, claims and reasons, oldest first",
        answers={200: Content("the words, with the events that they belong to", {JSON: Notes}, headers=("ETag",))},
        refuses=(404,),
        headers=("If-None-Match",),
        role="official",
    ),
    admit=admitting("official"),
)
async def list_notes(request: Asked, game: FromPath[UUID]) -> Answer:
    query(request, Nothing)
    now = await house_of(request).journal.held(game)
    told = await asyncio.to_thread(_told, request, now)
    return tagged(request, f"{now.position}.notes.json", lambda: encoded(told))


def _told(asked: Asked, game: Game) -> Notes:
    history = house_of(asked).journal.history(game.id, limit=game.position)
    said = ((recorded, words_of(recorded.event)) for recorded in history)
    return Notes(game=game.id, position=game.position, notes=[_note(asked, recorded, ref) for recorded, ref in said if ref])


def _note(asked: Asked, recorded: Recorded, ref: TextRef) -> NoteTold:
    about = getattr(recorded.event, "position", None)
    at, by = recorded.stamp.at, recorded.stamp.by
    return NoteTold(position=recorded.position, name=recorded.name, at=at, by=by, about=about, text=text_of(asked, ref))
