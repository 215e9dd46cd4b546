"""Prepared boards that other tables still play: nothing of them is told to a viewer, whatever else the game would say."""

import asyncio

from api.common.freshness import wait_for_head
from api.http.request import Request, services_of
from api.services import Services
from domain.errors import Unknown
from domain.game import Boards, Game
from domain.journal.archive import Archive
from domain.tournament.boards import played_elsewhere
from domain.tournament.tournament import TOURNAMENT, Tournament, tournament_stream
from projections.models.game_index.game_list import games_of_round
from projections.models.game_index.projection import GAME_INDEX


async def boards_played(request: Request, game: Game) -> Boards:
    """Those of the game that another table of its round still plays. Raises ``Building``."""
    if not game.boards:
        return frozenset()
    await wait_for_head(request, GAME_INDEX.name)
    return await asyncio.to_thread(boards_played_now, services_of(request), game)


def boards_played_now(services: Services, game: Game) -> Boards:
    """The same, as far as the list of games is; all of them while it does not know the game itself. To be called in a thread."""
    tournament, round = game.opened.tournament, game.opened.round
    if not game.boards or tournament is None or round is None:
        return frozenset()
    ids = games_of_round(services.store, tournament, round)
    if game.id not in ids:
        return game.boards
    others = [services.journal.game(id) for id in ids if id != game.id]
    return played_elsewhere(game, others, known_tournament(services.journal, tournament))


def known_tournament(archive: Archive, id: str) -> Tournament | None:
    """``None`` where it was never announced here. To be called in a thread."""
    try:
        return archive.aggregate(TOURNAMENT, tournament_stream(id))
    except Unknown:
        return None


def boards_tag(played: Boards) -> str:
    """For ETags: what is told changes with what other tables do."""
    return "".join(f".{board}" for board in sorted(played))
