"""Read a game at an earlier position, and select the viewer for whom it is shown."""

import asyncio
from collections import deque
from typing import cast
from uuid import UUID

from api.http.errors import say
from api.http.request import Request, services_of
from api.http.tokens import role_name, role_names
from domain.access import OFFICIALS
from domain.errors import Forbidden, Unknown
from domain.game import Game
from domain.journal.application import Journal
from domain.move_permissions import viewpoint_of
from domain.sight import Viewpoint, Who
from domain.table import Table
from replay.past import BLOCK, GamePast, GamePasts


def past_of(request: Request, id: UUID) -> GamePast:
    """Return the earlier positions of a game that is known to exist."""
    return cast(GamePasts, request.app.state["pasts"]).of(id)


def pasts_of(journal: Journal) -> GamePasts:
    return GamePasts(journal.history, journal.snapshots.last, journal.snapshots.spans, epoch=lambda: journal.store.epoch.id)


def game_then(request: Request, id: UUID, position: int) -> Game:
    """Return the game at a position that it has reached. Blocks. Raises ``Unknown``."""
    present = services_of(request).journal.game(id)
    return present if present.position == position else _fold_to(past_of(request, id), position)


def check_reached(game: Game, position: int) -> None:
    """Raise ``Unknown`` for a position that the game has not reached."""
    if not 1 <= position <= game.position:
        raise Unknown("position", position)


async def game_at(request: Request, game: Game, position: int) -> Game:
    """Return the game at a position. Raises ``Unknown``."""
    if position == game.position:
        return game
    check_reached(game, position)
    return await asyncio.to_thread(_fold_to, past_of(request, game.id), position)


def _fold_to(past: GamePast, position: int) -> Game:
    # Start at the beginning of the block: in damaged history the event at the position itself may be missing.
    last = deque(past.steps((position - 1) // BLOCK * BLOCK, position), maxlen=1)
    if not last:
        raise Unknown("position", position)
    return last[0].after


async def table_of(request: Request, game: Game, position: int) -> Table:
    """Return the table at a position of the game. Raises ``Unknown``."""
    if position == game.position:
        return game.table
    if not 1 <= position < game.position:
        raise Unknown("position", position)
    return await asyncio.to_thread(past_of(request, game.id).at, position, game.position)


def check_full_view(request: Request) -> None:
    """Check that the caller may enter or read hidden cards. Raises ``Forbidden`` for a caller with the public's view."""
    if not request.user.has_full_view:
        raise Forbidden(say("cards_closed"))


def viewer_for(request: Request, game: Game, view: str | None, *, is_open: bool) -> Viewpoint:
    """Return the eyes for which the game is shown: the requested view, else the widest that the caller may have.

    ``is_open``: everything requested is open. Raises ``Forbidden`` and ``Unknown``.
    """
    most = viewpoint_of(request.user, game)
    if view is None:
        return most
    who: Who = int(view.removeprefix("seat:")) if view.startswith("seat:") else "arbiter" if view == "arbiter" else "public"
    if isinstance(who, int) and who >= game.setup.seats:
        raise Unknown("seat", who)
    if who == most.who:
        return most
    if who != "public" and not request.user.has_full_view and not is_open:
        raise Forbidden(say("view_closed", role=role_name(request.user.role), roles=role_names(OFFICIALS)), *OFFICIALS)
    return Viewpoint(who)
