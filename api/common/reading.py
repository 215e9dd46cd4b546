"""Reading of a game, also at an earlier position, for a viewer; and what the openness of its tournament lets everybody see."""

import asyncio
from collections import deque
from collections.abc import Callable, Collection
from datetime import datetime
from typing import TypeAlias
from uuid import UUID

from api.common.consistency import wait_for_head
from api.http.errors import say
from api.http.request import Request, part_of, role_name, role_names, services_of
from api.services import Services, Sources
from domain.access import OFFICIALS
from domain.errors import Forbidden, Unknown
from domain.events.game import OpensAt
from domain.game import Game
from domain.journal.application import Journal
from domain.journal.archive import Archive
from domain.moves import viewpoint_of
from domain.opening import OpennessContext
from domain.sight import Viewpoint, Who
from domain.table import Table
from domain.tournament.over import is_round_over, is_tournament_over
from domain.tournament.publication import find_other_boards
from domain.tournament.tournament import TOURNAMENT, Tournament, tournament_stream
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
    who: Who = int(view.removeprefix("seat:")) if view.startswith("seat:") else "arbiter" if view == "arbiter" else "public"
    if isinstance(who, int) and who >= game.setup.seats:
        raise Unknown("seat", who)
    if who == most.who:
        return most
    if who != "public" and not request.user.has_full_view and not is_open:
        raise Forbidden(say("view_closed", role=role_name(request.user.role), roles=role_names(OFFICIALS)), *OFFICIALS)
    return Viewpoint(who)


# Load the context that decides which cards of a game are open: other tables of its round, the end of its round and tournament, the time.
#
# Every view of a game gets this context here. A game that depends on nothing outside it costs no look-up.


GamesOfRound: TypeAlias = Callable[[str, int], Collection[UUID]]
Clock: TypeAlias = Callable[[], datetime]


async def load_openness_context(request: Request, game: Game) -> OpennessContext:
    """Return the context for one request, once the list of games has caught up. Raises ``Building``."""
    if _needs_round(game):
        await wait_for_head(request, GAME_INDEX.name)
    elif not _needs_tournament(game):
        return read_openness_context(services_of(request), game)
    return await asyncio.to_thread(read_openness_context, services_of(request), game)


def read_openness_context(services: Services | Sources, game: Game) -> OpennessContext:
    """Return the context from the list of games as it is now.

    Call it in a thread, unless the game needs neither its round nor its tournament.
    """
    return collect_openness_context(
        game, services.journal, services.clock, lambda tournament, round: games_of_round(services.store, tournament, round)
    )


def waits_for_others(game: Game) -> bool:
    """Return whether the view of this game may change without an event of its own."""
    return _needs_round(game) or _needs_tournament(game) or (isinstance(game.opened.openness, OpensAt) and not game.docket.disclosed)


def collect_openness_context(game: Game, archive: Archive, clock: Clock, round: GamesOfRound) -> OpennessContext:
    """Return the context of a game. ``round`` returns the ids of the games of a round.

    While that list lacks the game itself, all its boards count as played elsewhere and its round as in progress.
    """
    now = clock() if isinstance(game.opened.openness, OpensAt) else None
    if not _needs_round(game) and not _needs_tournament(game):
        return OpennessContext(now=now)
    tournament = _find_tournament(archive, game.opened.tournament)
    over = is_tournament_over(game, tournament)
    if not _needs_round(game):
        return OpennessContext(tournament_over=over, now=now)
    ids = round(game.opened.tournament or "", game.opened.round or 0)
    if game.id not in ids:
        return OpennessContext(game.boards, tournament_over=over, now=now)
    others = [archive.game(id) for id in ids if id != game.id]
    return OpennessContext(find_other_boards(game, others, tournament), is_round_over(game, others, tournament), over, now)


def _needs_round(game: Game) -> bool:
    placed = game.opened.tournament is not None and game.opened.round is not None
    return placed and (bool(game.boards) or _waits_for(game, "round_over"))


def _needs_tournament(game: Game) -> bool:
    return _waits_for(game, "tournament_over")


def _waits_for(game: Game, end: str) -> bool:
    """Return whether the game opens at this end. A disclosed game waits for nothing."""
    return game.opened.openness == end and not game.docket.disclosed


def _find_tournament(archive: Archive, id: str | None) -> Tournament | None:
    """Return the tournament; ``None`` where it was never announced here. Call it in a thread."""
    try:
        return None if id is None else archive.aggregate(TOURNAMENT, tournament_stream(id))
    except Unknown:
        return None


def openness_tag(game: Game, around: OpennessContext) -> str:
    """Return the part of an ETag that changes when other tables or the time change the view of the game."""
    return "".join(f".{board}" for board in sorted(around.boards)) + (".come" if game.is_wait_over(around) else "")
