"""Who looked: the one place where it is noted that somebody is shown hidden cards. No answer waits for it."""

from datetime import datetime
from typing import Annotated, cast
from uuid import UUID

from msgspec import Meta

from api.http.fields import Outgoing, alike
from api.http.request import Request
from domain.game import Game
from domain.journal.look_writer import LookWriter
from domain.journal.looks import Look
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


def note_look(request: Request, game: Game, eyes: Eyes) -> None:
    """To be called where cards are about to be shown that the public does not see. What a player sees from his own seat is no look."""
    if request.user.is_official and eyes.who != "public":
        look_writer(request).note(request.user.id, game.id, str(eyes), game.opened.tournament)
