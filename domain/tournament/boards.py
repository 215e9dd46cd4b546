"""Prepared boards: which boards of a game another table of its round still plays, so that nobody is told of them too early."""

from collections.abc import Sequence

from domain.game import Boards, Game
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
    paired, planned = _round(own, tournament), tournament.plan.games if tournament else 0
    places = {*at, *(table.name for table in paired.tables)} if paired else set(at)
    elsewhere = places - {_place(own)}
    return frozenset(board for board in own.boards if any(_plays(board, at.get(place, ()), place, paired, planned) for place in elsewhere))


def _place(game: Game) -> str:
    return game.opened.table or str(game.id)


def _round(own: Game, tournament: Tournament | None) -> Round | None:
    number = own.opened.round or 0
    return tournament.rounds[number - 1] if tournament and 1 <= number <= len(tournament.rounds) else None


def _plays(board: int, games: Sequence[Game], place: str, paired: Round | None, planned: int) -> bool:
    counting = [game for game in games if game.docket.ended != "annulled"]
    if any(not _is_over(game) and game.table.in_hand and game.deals and game.deals[-1].board == board for game in counting):
        return True
    if any(deal.board == board for game in counting for deal in game.deals):
        return False
    table = paired.table(place) if paired else None
    if paired and paired.closed and not (table and table.adjourned):
        return False
    if table is None:
        return any(not _is_over(game) for game in counting)
    return not is_settled(table) and sum(map(_is_over, counting)) < planned


def _is_over(game: Game) -> bool:
    return game.docket.ended is not None or game.table.phase == "game_over"
