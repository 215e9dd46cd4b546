"""Access audit: record that an official is shown hidden cards. No response waits for the record."""

import time
from collections.abc import Callable
from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import Meta

from api.http.browsers.attempts import AttemptQuota, Bucket
from api.http.decoding import ResponseModel, copy_fields
from api.http.errors import TooManyAttempts
from api.http.request import Principal, Request, part_of
from domain.errors import Refused
from domain.game import Game
from domain.journal.access_audit import AccessWriter
from domain.journal.registers import CardAccess
from domain.moves import viewpoint_of
from domain.opening import OpennessContext
from domain.sight import Viewpoint

UNSEEN = AttemptQuota(5, 1 / 10)
_MOST = 10_000  # most pairs of principal and game; beyond it all counts start again


class AccessView(ResponseModel, frozen=True, kw_only=True):
    """A look: an official was shown hidden cards of a game, once or often within a minute."""

    minute: Annotated[datetime, Meta(description="its first second, in UTC")]
    by: Annotated[str, Meta(description="the principal who looked, an opaque id")]
    game: Annotated[UUID, Meta(description="id of the game")]
    tournament: Annotated[str | None, Meta(description="id of the tournament, if the game belongs to one")]
    view: Annotated[str, Meta(description="the view, or the code of a refusal that showed hidden cards", examples=["arbiter", "seat:1"])]


def access_view(look: CardAccess) -> AccessView:
    """Return the view of a look."""
    return copy_fields(look, AccessView, minute=datetime.fromisoformat(look.minute), by=look.principal)


class AttemptLimit:
    """The remaining allowance of each principal and game for moves that are refused because of cards that the principal does not see.

    One process counts for itself. Used from one event loop.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left: dict[tuple[str, UUID], Bucket] = {}

    def check(self, principal: str, game: UUID) -> None:
        """Raise ``TooManyAttempts`` if the allowance is used up."""
        bucket = self._left.get((principal, game))
        if bucket is not None and (wait := bucket.wait(self._clock())):
            raise TooManyAttempts(wait)

    def take(self, principal: str, game: UUID) -> None:
        """Count a refused move."""
        if len(self._left) >= _MOST:
            self._left.clear()
        self._left.setdefault((principal, game), Bucket(UNSEEN, self._clock())).take()


def check_attempts(request: Request, game: UUID) -> None:
    """Raise ``TooManyAttempts`` if the caller has to wait after refusals because of unseen cards."""
    part_of(request.app, AttemptLimit).check(request.user.id, game)


def count_attempt(request: Request, game: Game, refused: Refused) -> None:
    """Count a refusal because of unseen cards, and note it as a look: it tells the recorder something about them."""
    part_of(request.app, AttemptLimit).take(request.user.id, game.id)
    access_writer(request).note(request.user.id, game.id, refused.code, game.opened.tournament)


def access_writer(request: Request) -> AccessWriter:
    return part_of(request.app, AccessWriter)


def record_access(request: Request, game: Game, eyes: Viewpoint, around: OpennessContext, first: int, last: int) -> None:
    """Note a look, before cards are shown that lay there at these positions, both ends included.

    No look: cards that everybody may see, the public's view, and a player's view from their own seat.
    """
    record_access_of(request.user, access_writer(request), game, eyes, around, first, last)


def record_game_access(request: Request, game: Game, around: OpennessContext) -> None:
    """Note a look at every card of the game, by the widest view of the caller."""
    record_access(request, game, viewpoint_of(request.user, game), around, 1, game.position)


def record_access_of(
    by: Principal, looks: AccessWriter, game: Game, eyes: Viewpoint, around: OpennessContext, first: int, last: int
) -> None:
    """Note a look of a principal without a request, for messages that are sent."""
    if eyes.who == "public" or not by.has_record_role:
        return
    view = str(eyes)
    if not looks.has_entry(by.id, game.id, view) and game.hides(first, last, around):
        looks.note(by.id, game.id, view, game.opened.tournament)
