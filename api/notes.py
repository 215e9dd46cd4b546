"""What people said about a game: notes, and the claims and reasons of everything else. Told to officials, erased by directors."""

import asyncio
from uuid import UUID

from litestar.params import FromPath
from msgspec import Struct

from api.answers import Notes, NoteTold
from api.guards import admitting
from api.http import Answer, Asked, encoded, house_of
from api.operations import JSON, Content, Operation, reads, writes
from api.queries import Nothing, query
from api.reading import mark, tagged
from api.words import text_of
from domain.errors import Unknown
from domain.events import Recorded, TextRef
from domain.game import Game
from replay.texts import words_of


class WordsErased(Struct, frozen=True, kw_only=True):
    """``erased`` is false where the words had been erased before."""

    game: UUID
    position: int
    erased: bool


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
    told = encoded(await asyncio.to_thread(_told, request, now))
    return tagged(request, f"{now.position}.{mark(told)}.notes.json", lambda: told)


@writes(
    "/v1/games/{game:uuid}/notes/{position:int}/erasure",
    Operation(
        id="erase_words",
        tag="Rulings",
        summary="Erase what was said at a position, for good",
        description=(
            "The words of a note, a claim or a reason go; the event, what it decided and the digest in it stay. Full records that were "
            "exported with texts hold the words still. Asked again, it answers `erased: false`."
        ),
        answers={200: Content("whether there were words to erase", {JSON: WordsErased})},
        refuses=(404,),
        role="director",
    ),
    status_code=200,
)
async def erase_words(request: Asked, game: FromPath[UUID], position: FromPath[int]) -> Answer:
    query(request, Nothing)
    now = await house_of(request).journal.held(game)
    erased = await asyncio.to_thread(_erased, request, now, position)
    return Answer(encoded(WordsErased(game=game, position=position, erased=erased)), headers=(("cache-control", "no-store"),))


def _erased(asked: Asked, game: Game, position: int) -> bool:
    """Raises ``Unknown`` where nothing was said."""
    house = house_of(asked)
    said = [words_of(one.event) for one in house.journal.history(game.id, position - 1, 1) if one.position == position]
    if not said or said[0] is None:
        raise Unknown("note", position)
    return house.registers.erase_text(said[0].id)


def _told(asked: Asked, game: Game) -> Notes:
    history = house_of(asked).journal.history(game.id, limit=game.position)
    said = ((recorded, words_of(recorded.event)) for recorded in history)
    return Notes(game=game.id, position=game.position, notes=[_note(asked, recorded, ref) for recorded, ref in said if ref])


def _note(asked: Asked, recorded: Recorded, ref: TextRef) -> NoteTold:
    about = getattr(recorded.event, "position", None)
    at, by = recorded.stamp.at, recorded.stamp.by
    return NoteTold(position=recorded.position, name=recorded.name, at=at, by=by, about=about, text=text_of(asked, ref))
