"""Reading of a game, also at an earlier position, for a viewer; and what the openness of its tournament lets everybody see."""

import asyncio
from collections import deque
from uuid import UUID

from api.common.consistency import wait_for_head
from api.http.errors import say
from api.http.request import Request, part_of, role_name, role_names, services_of
from api.services import Services, Sources
from domain.access import OFFICIALS
from domain.errors import Forbidden, Unknown
from domain.game import Game
from domain.journal.application import Journal
from domain.journal.openness import collect_openness_context, needs_round, needs_tournament
from domain.moves import viewpoint_of
from domain.opening import OpennessContext
from domain.sight import Viewpoint, parse_view
from domain.table import Table
from projections.models.game_index import GAME_INDEX, games_of_round
from replay.past import BLOCK, GamePast, GamePasts


def past_of(request: Request, id: UUID) -> GamePast:
    """Return the earlier positions of a game that is known to exist."""
    return part_of(request.app, GamePasts).of(id)


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
    who = parse_view(view, game.setup.seats)
    if who == most.who:
        return most
    if who != "public" and not request.user.has_full_view and not is_open:
        raise Forbidden(say("view_closed", role=role_name(request.user.role), roles=role_names(OFFICIALS)), *OFFICIALS)
    return Viewpoint(who)


# The context that decides which cards of a game are open: every view of a game gets it here.


async def load_openness_context(request: Request, game: Game) -> OpennessContext:
    """Return the context for one request, once the list of games has caught up. Raises ``Building``."""
    if needs_round(game):
        await wait_for_head(request, GAME_INDEX.name)
    elif not needs_tournament(game):
        return read_openness_context(services_of(request), game)
    return await asyncio.to_thread(read_openness_context, services_of(request), game)


def read_openness_context(services: Services | Sources, game: Game) -> OpennessContext:
    """Return the context from the list of games as it is now.

    Call it in a thread, unless the game needs neither its round nor its tournament.
    """
    return collect_openness_context(
        game, services.journal, services.clock, lambda tournament, round: games_of_round(services.store, tournament, round)
    )


def openness_tag(game: Game, around: OpennessContext) -> str:
    """Return the part of an ETag that changes when other tables or the time change the view of the game."""
    return "".join(f".{board}" for board in sorted(around.boards)) + (".come" if game.is_wait_over(around) else "")
