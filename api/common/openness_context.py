"""Load the context that decides which cards of a game are open: other tables of its round, the end of its round and tournament, the time.

Every view of a game gets this context here. A game that depends on nothing outside it costs no look-up.
"""

import asyncio
from collections.abc import Callable, Collection
from datetime import datetime
from typing import TypeAlias
from uuid import UUID

from api.common.consistency import wait_for_head
from api.http.request import Request, services_of
from api.services import Services
from domain.errors import Unknown
from domain.events.game import OpensAt
from domain.game import Game
from domain.journal.archive import Archive
from domain.openness import OpennessContext
from domain.tournament.over import is_round_over, is_tournament_over
from domain.tournament.publication import find_other_boards
from domain.tournament.tournament import TOURNAMENT, Tournament, tournament_stream
from projections.models.game_index import GAME_INDEX, games_of_round

GamesOfRound: TypeAlias = Callable[[str, int], Collection[UUID]]
Clock: TypeAlias = Callable[[], datetime]


async def load_openness_context(request: Request, game: Game) -> OpennessContext:
    """Return the context for one request, once the list of games has caught up. Raises ``Building``."""
    if _needs_round(game):
        await wait_for_head(request, GAME_INDEX.name)
    elif not _needs_tournament(game):
        return read_openness_context(services_of(request), game)
    return await asyncio.to_thread(read_openness_context, services_of(request), game)


def read_openness_context(services: Services, game: Game) -> OpennessContext:
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
