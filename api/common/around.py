"""What goes on around a game, gathered in one place: whatever shows a game asks here, and the game says what of it is open.

Nobody looks for what the game does not wait for: one that opens by itself, and in which no prepared board was dealt, costs no look.
"""

import asyncio
from collections.abc import Callable, Collection
from datetime import datetime
from typing import TypeAlias
from uuid import UUID

from api.common.freshness import wait_for_head
from api.http.request import Request, services_of
from api.services import Services
from domain.errors import Unknown
from domain.events.game import OpensAt
from domain.game import Game
from domain.journal.archive import Archive
from domain.openness import Around
from domain.tournament.over import is_round_over, is_tournament_over
from domain.tournament.publication import played_elsewhere
from domain.tournament.tournament import TOURNAMENT, Tournament, tournament_stream
from projections.models.game_index import GAME_INDEX, games_of_round

GamesOfRound: TypeAlias = Callable[[str, int], Collection[UUID]]
Clock: TypeAlias = Callable[[], datetime]


async def around_of(request: Request, game: Game) -> Around:
    """For one reading of a game. Raises ``Building``."""
    if _needs_round(game):
        await wait_for_head(request, GAME_INDEX.name)
    elif not _needs_tournament(game):
        return around_now(services_of(request), game)
    return await asyncio.to_thread(around_now, services_of(request), game)


def around_now(services: Services, game: Game) -> Around:
    """The same, as far as the list of games is. To be called in a thread, unless the game needs neither its round nor its tournament."""
    return look_around(game, services.journal, services.clock, lambda tournament, round: games_of_round(services.store, tournament, round))


def waits_for_others(game: Game) -> bool:
    """Whether what is told of it may change without an event of its own."""
    return _needs_round(game) or _needs_tournament(game) or (isinstance(game.opened.openness, OpensAt) and not game.docket.disclosed)


def look_around(game: Game, archive: Archive, clock: Clock, round: GamesOfRound) -> Around:
    """``round`` answers the games that name a round. While it does not know the game itself, all its boards are played elsewhere and its
    round goes on.
    """
    now = clock() if isinstance(game.opened.openness, OpensAt) else None
    if not _needs_round(game) and not _needs_tournament(game):
        return Around(now=now)
    tournament = _known(archive, game.opened.tournament)
    over = is_tournament_over(game, tournament)
    if not _needs_round(game):
        return Around(tournament_over=over, now=now)
    ids = round(game.opened.tournament or "", game.opened.round or 0)
    if game.id not in ids:
        return Around(game.boards, tournament_over=over, now=now)
    others = [archive.game(id) for id in ids if id != game.id]
    return Around(played_elsewhere(game, others, tournament), is_round_over(game, others, tournament), over, now)


def _needs_round(game: Game) -> bool:
    placed = game.opened.tournament is not None and game.opened.round is not None
    return placed and (bool(game.boards) or _waits_for(game, "round_over"))


def _needs_tournament(game: Game) -> bool:
    return _waits_for(game, "tournament_over")


def _waits_for(game: Game, end: str) -> bool:
    """What was disclosed waits for nothing."""
    return game.opened.openness == end and not game.docket.disclosed


def _known(archive: Archive, id: str | None) -> Tournament | None:
    """``None`` where it was never announced here. To be called in a thread."""
    try:
        return None if id is None else archive.aggregate(TOURNAMENT, tournament_stream(id))
    except Unknown:
        return None


def around_tag(game: Game, around: Around) -> str:
    """For ETags: what is told changes with what other tables do, and with time."""
    return "".join(f".{board}" for board in sorted(around.boards)) + (".come" if game.has_come(around) else "")
