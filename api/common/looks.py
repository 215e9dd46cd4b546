"""Who looked: the one place where it is noted that somebody is shown hidden cards. No answer waits for it."""

from datetime import datetime
from typing import Annotated, cast
from uuid import UUID

from msgspec import Meta

from api.http.fields import Outgoing, alike
from api.http.request import Request
from api.http.tokens import Principal
from domain.game import Game
from domain.journal.looks import Look
from domain.journal.noting.look_writer import LookWriter
from domain.openness.around import Around
from domain.sight import Eyes


class LookView(Outgoing, frozen=True, kw_only=True):
    """That an official was shown hidden cards of a game, once or often within a minute."""

    minute: Annotated[datetime, Meta(description="its first second, in UTC")]
    by: Annotated[str, Meta(description="the principal who looked, an opaque id")]
    game: UUID
    tournament: str | None
    view: Annotated[str, Meta(description="with whose eyes", examples=["arbiter", "seat:1"])]


def look_view(look: Look) -> LookView:
    return alike(look, LookView, minute=datetime.fromisoformat(look.minute), by=look.principal)


def look_writer(request: Request) -> LookWriter:
    return cast(LookWriter, request.app.state["looks"])


def note_look(request: Request, game: Game, eyes: Eyes, around: Around, first: int, last: int) -> None:
    """To be called before cards are shown that lay there at these positions, both ends included. Where everybody may see them, or the eyes
    are the public's, it is no look; and neither is what a player sees from his own seat.
    """
    note_look_of(request.user, look_writer(request), game, eyes, around, first, last)


def note_look_of(by: Principal, looks: LookWriter, game: Game, eyes: Eyes, around: Around, first: int, last: int) -> None:
    """The same where nobody asks, and somebody is told."""
    if eyes.who == "public" or not by.is_official:
        return
    view = str(eyes)
    if not looks.knows(by.id, game.id, view) and game.hides(first, last, around):
        looks.note(by.id, game.id, view, game.opened.tournament)
