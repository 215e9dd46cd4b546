"""The context that decides which cards of a game are open: other tables of its round, the end of its round and tournament, the time.

A game that depends on nothing outside it costs no look-up.
"""

from collections.abc import Callable, Collection
from datetime import datetime
from typing import TypeAlias
from uuid import UUID

from domain.errors import Unknown
from domain.events.game import GameOpened, OpensAt
from domain.game import Game
from domain.journal.archive import Archive
from domain.journal.feed import list_events_of_kinds
from domain.journal.store import EventStore
from domain.opening import OpennessContext
from domain.tournament.over import is_round_over, is_tournament_over
from domain.tournament.publication import find_other_boards
from domain.tournament.tournament import TOURNAMENT, Tournament, tournament_stream

GamesOfRound: TypeAlias = Callable[[str, int], Collection[UUID]]
Clock: TypeAlias = Callable[[], datetime]


def waits_for_others(game: Game) -> bool:
    """Return whether the view of this game may change without an event of its own."""
    return needs_round(game) or needs_tournament(game) or (isinstance(game.opened.openness, OpensAt) and not game.docket.disclosed)


def collect_openness_context(game: Game, archive: Archive, clock: Clock, round: GamesOfRound) -> OpennessContext:
    """Return the context of a game. ``round`` returns the ids of the games of a round.

    While that list lacks the game itself, all its boards count as played elsewhere and its round as in progress.
    """
    now = clock() if isinstance(game.opened.openness, OpensAt) else None
    if not needs_round(game) and not needs_tournament(game):
        return OpennessContext(now=now)
    tournament = _find_tournament(archive, game.opened.tournament)
    over = is_tournament_over(game, tournament)
    if not needs_round(game):
        return OpennessContext(tournament_over=over, now=now)
    ids = round(game.opened.tournament or "", game.opened.round or 0)
    if game.id not in ids:
        return OpennessContext(game.boards, tournament_over=over, now=now)
    others = [archive.game(id) for id in ids if id != game.id]
    return OpennessContext(find_other_boards(game, others, tournament), is_round_over(game, others, tournament), over, now)


def needs_round(game: Game) -> bool:
    """Return whether other tables of its round decide what is open."""
    placed = game.opened.tournament is not None and game.opened.round is not None
    return placed and (bool(game.boards) or _waits_for(game, "round_over"))


def needs_tournament(game: Game) -> bool:
    """Return whether the game opens at the end of its tournament."""
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


def search_games_of_round(store: EventStore, tournament: str, round: int) -> Collection[UUID]:
    """Return the games that name a round, by the events alone. Reads every opening."""
    openings, place = list_events_of_kinds(store, GameOpened), (tournament, round)
    return {one.stream for _, one in openings if isinstance(one.event, GameOpened) and (one.event.tournament, one.event.round) == place}
