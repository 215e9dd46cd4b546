"""Remarks on an official act in a game of a tournament: a bracket that it contradicts, and an act after the end of the tournament."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence

from api.common.consistency import wait_for_head
from api.common.event_views import RemarkView, remark_views
from api.http.places import tournament_at
from api.http.request import Request, services_of
from api.services import Services
from domain.events import Recorded
from domain.events.game import DisputeAppealed, DisputeRaised
from domain.game import Game
from domain.journal.commits import Receipt
from domain.standings.plan import FORMATS
from domain.tournament.bracket import warn_about_changed_game
from domain.tournament.games import TableGame
from domain.tournament.tournament import Tournament
from domain.tournament.warnings import Remark, warn_about_dispute_after_end
from projections.models.players import roots
from projections.models.results import RESULTS, results
from projections.models.table_games import TableGameState, table_game_after


async def warn_about_table(request: Request, receipt: Receipt[Game]) -> list[RemarkView]:
    """Return the remarks on what an act changes in the tournament of its game; none for a game without one."""
    now = await tournament_at(request, receipt.after.opened.tournament)
    if now is None or not _may_change(now, receipt.after):
        return []
    await wait_for_head(request, RESULTS.name)
    return remark_views(request, await asyncio.to_thread(_list_warnings, services_of(request), now, receipt))


def _may_change(now: Tournament, game: Game) -> bool:
    """Return whether an act in the game can be worth a remark: the final standings are there, or the winners are paired already."""
    round, rounds = game.opened.round or 0, len(now.rounds)
    if not 1 <= round <= rounds or now.round(round).table(game.opened.table or "") is None:
        return False
    return now.ended is not None or (FORMATS[now.plan.format].loser_is_out and round < rounds)


def _list_warnings(services: Services, now: Tournament, receipt: Receipt[Game]) -> Sequence[Remark]:
    opened, first = receipt.after.opened, receipt.events[0].position
    recorded = [one for one in services.journal.history(receipt.after.id) if one.position < first]
    assert opened.round is not None
    assert opened.table is not None
    others = [one for one in results(services.store, now.plan.tournament, round=opened.round) if one.game != receipt.after.id]
    was, games = ([*others, *_fold_game(receipt.after, some)] for some in (recorded, [*recorded, *receipt.events]))
    ids = {player for entrant in now.entrants for player in entrant.all_players} | {player for one in games for player in one.all_players}
    known = roots(services.store, ids)
    disputed = any(isinstance(one.event, DisputeRaised | DisputeAppealed) for one in receipt.events)
    return (
        *warn_about_changed_game(now, was, games, opened.round, opened.table, lambda player: known.get(player, player)),
        *(warn_about_dispute_after_end(now) if disputed else ()),
    )


def _fold_game(game: Game, events: Iterable[Recorded]) -> Iterator[TableGame]:
    """Yield the game as its tournament sees it after these events, which begin with its opening. A dry run is in no projection."""
    state: TableGameState | None = None
    for recorded in events:
        state = table_game_after(state, 0, recorded)
    if state is not None:
        yield state.as_table_game(game.id, 0)
