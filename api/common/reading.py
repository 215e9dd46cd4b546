"""Reading a game: at a past position, and for which viewer."""

import asyncio
from collections import deque
from typing import cast
from uuid import UUID

from api.http.errors import Forbidden, say
from api.http.request import Request, services_of
from api.http.tokens import OFFICIALS, Principal, role_name, role_names
from domain.access import Grant, OfGame
from domain.errors import Unknown
from domain.game import Game
from domain.journal.application import Journal
from domain.sight import ARBITERS_EYES, PUBLIC_EYES, Eyes, Who
from domain.table import Table
from replay.past import BLOCK, GamePast, GamePasts


def past_of(request: Request, id: UUID) -> GamePast:
    """The past of a game that is known to exist."""
    return cast(GamePasts, request.app.state["pasts"]).of(id)


def pasts_of(journal: Journal) -> GamePasts:
    return GamePasts(journal.history, journal.snapshots.last, journal.snapshots.spans, epoch=lambda: journal.store.epoch.id)


def game_then(request: Request, id: UUID, position: int) -> Game:
    """The game as it stood at a position that it has reached, for whoever may block. Raises ``Unknown``."""
    present = services_of(request).journal.game(id)
    return present if present.position == position else _folded(past_of(request, id), position)


def check_reached(game: Game, position: int) -> None:
    """Raises ``Unknown``."""
    if not 1 <= position <= game.position:
        raise Unknown("position", position)


async def game_at(request: Request, game: Game, position: int) -> Game:
    """The game as it stood at a position. Raises ``Unknown``."""
    if position == game.position:
        return game
    check_reached(game, position)
    return await asyncio.to_thread(_folded, past_of(request, game.id), position)


def _folded(past: GamePast, position: int) -> Game:
    # From the beginning of its block on: in damaged history the event at the position itself may be missing.
    last = deque(past.steps((position - 1) // BLOCK * BLOCK, position), maxlen=1)
    if not last:
        raise Unknown("position", position)
    return last[0].after


async def table_of(request: Request, game: Game, position: int) -> Table:
    """The table as it stood at a position of the game. Raises ``Unknown``."""
    if position == game.position:
        return game.table
    if not 1 <= position < game.position:
        raise Unknown("position", position)
    return await asyncio.to_thread(past_of(request, game.id).at, position, game.position)


def eyes_on(request: Request, game: Game) -> Eyes:
    """For whom the game is shown when the request names no view: the most that the caller may see of it."""
    return eyes_for(request.user, game)


def eyes_for(principal: Principal, game: Game) -> Eyes:
    """``principal`` as he is in the place of the game."""
    if principal.sees_all:
        return ARBITERS_EYES
    return eyes_of_player(principal.grant, game) if principal.role == "player" else PUBLIC_EYES


def eyes_of_player(grant: Grant, game: Game) -> Eyes:
    """Those of the public where he never sat."""
    if grant.player is not None:
        return game.eyes_of(grant.player)
    if grant.seat is not None and isinstance(grant.scope, OfGame) and grant.scope.game == game.id:
        return game.eyes_of_seat(grant.seat, grant.since)
    return PUBLIC_EYES


def check_sees_all(request: Request) -> None:
    """For what officials enter or read of hidden cards. Raises ``Forbidden`` for one who sees what the public sees."""
    if not request.user.sees_all:
        raise Forbidden(say("cards_closed"))


def viewer_for(request: Request, game: Game, view: str | None, *, is_open: bool) -> Eyes:
    """For whom the game is shown: the requested view, else the most that the caller may see. ``is_open``: all that is asked for is open.

    Raises ``Forbidden`` and ``Unknown``.
    """
    most = eyes_on(request, game)
    if view is None:
        return most
    who: Who = int(view.removeprefix("seat:")) if view.startswith("seat:") else "arbiter" if view == "arbiter" else "public"
    if isinstance(who, int) and who >= game.setup.seats:
        raise Unknown("seat", who)
    if who == most.who:
        return most
    if who != "public" and not request.user.sees_all and not is_open:
        raise Forbidden(say("view_closed", role=role_name(request.user.role), roles=role_names(OFFICIALS)), *OFFICIALS)
    return Eyes(who)
