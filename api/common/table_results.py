"""Counted results of tables: a result that was entered, or a forfeit, goes before the games of its table, which are superseded."""

import asyncio
from typing import Literal

from msgspec import Struct

from api.http.places import tournament_at
from api.http.request import Request, services_of
from api.services import Services
from domain.events.game import GameOpened
from domain.tournament.tally import table_outcome
from domain.tournament.tournament import Tournament
from projections.models.players import roots
from projections.models.results import results


class CountedResult(Struct, frozen=True):
    """The result by which a table counts instead of its games. ``points`` of each party; none of a forfeited table."""

    how: Literal["entered", "forfeited"]
    points: tuple[int, ...] = ()


async def find_counted_result(request: Request, game: GameOpened) -> CountedResult | None:
    """Return the result that supersedes a game; ``None`` where the games of its table count, or it belongs to no table."""
    tournament = await tournament_at(request, game.tournament)
    if tournament is None or game.round is None or game.table is None:
        return None
    return await asyncio.to_thread(_find_counted_result, services_of(request), tournament, game.round, game.table)


def _find_counted_result(services: Services, now: Tournament, round: int, name: str) -> CountedResult | None:
    table = now.rounds[round - 1].table(name) if 1 <= round <= len(now.rounds) else None
    if table is None or not (table.entered or table.absent):
        return None
    games = results(services.store, now.plan.tournament, round=round)
    entered = {player for entrant in now.entrants for player in entrant.all_players}
    known = roots(services.store, entered | {player for game in games for player in game.players if player is not None})
    outcome = table_outcome(now, round, table, games, lambda player: known.get(player, player))
    if outcome.how not in ("entered", "forfeited"):
        return None
    return CountedResult(outcome.how, (outcome.points or ()) if outcome.how == "entered" else ())
