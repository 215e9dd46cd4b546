"""Prepared boards: which boards of a game another table of its round still plays, so that nobody is told of them too early."""

from collections.abc import Sequence

from domain.game import Game
from domain.openness.around import Boards
from domain.tournament.over import round_of
from domain.tournament.state import Round
from domain.tournament.tally import is_settled
from domain.tournament.tournament import Tournament


def played_elsewhere(own: Game, others: Sequence[Game], tournament: Tournament | None) -> Boards:
    """Those of its boards that lie on another table of the round, or may still be dealt there.

    ``others`` are the games of the round; ``tournament`` is ``None`` where it is not known here. Raises nothing.
    """
    at: dict[str, list[Game]] = {}
    for game in others:
        at.setdefault(_place(game), []).append(game)
    paired, planned = round_of(own, tournament), tournament.plan.games if tournament else 0
    places = {*at, *(table.name for table in paired.tables)} if paired else set(at)
    elsewhere = places - {_place(own)}
    return frozenset(board for board in own.boards if any(_plays(board, at.get(place, ()), place, paired, planned) for place in elsewhere))


def _place(game: Game) -> str:
    return game.opened.table or str(game.id)


def _plays(board: int, games: Sequence[Game], place: str, paired: Round | None, planned: int) -> bool:
    counting = [game for game in games if game.docket.ended != "annulled"]
    if any(game.is_in_progress and game.table.in_hand and game.deals and game.deals[-1].board == board for game in counting):
        return True
    if any(deal.board == board for game in counting for deal in game.deals):
        return False
    table = paired.table(place) if paired else None
    if paired and paired.closed and not (table and table.adjourned):
        return False
    if table is None:
        return any(game.is_in_progress for game in counting)
    return not is_settled(table) and sum(not game.is_in_progress for game in counting) < planned
