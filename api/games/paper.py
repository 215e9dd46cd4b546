"""The content of a printed score sheet, and the result by which a table counts instead of its games."""

import asyncio
from collections.abc import Sequence
from datetime import date
from typing import Literal
from uuid import UUID

from msgspec import Struct

from api.common.checkpoints.naming import PrintedCheckpoint
from api.common.names import names_for_caller
from api.common.rulebooks import about_of
from api.common.signed_sheets import StartedDeals, VoidedDeals, last_signatures, list_started_deals, list_voided_deals
from api.common.texts import tournament_title
from api.http.places import tournament_at
from api.http.request import Request, header, language, services_of
from api.services import Services
from domain.events.game import GameOpened
from domain.events.played import day_at_table
from domain.game import Game
from domain.journal.application import Journal
from domain.paper import Signature
from domain.rules import About
from domain.score import Sheet
from domain.time_zones import decode_time_zone, to_local
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


class Paper(Struct, frozen=True):
    """The content of a printed sheet, with no more than its reader may see.

    ``about`` names the game and its rows; without it their ids are shown. ``players`` by seat, as the reader may see them. ``tournament``:
    its title, else its id. ``day``: when the game was played. ``signatures``: the last of each party. ``checkpoint``: of the log, where it
    is wanted. ``begun``: how often fair decks were begun. ``taken_back``: how often deals were taken back. ``counted``: the result by which
    the table counts instead.
    """

    game: UUID
    position: int
    opened: GameOpened
    players: tuple[str | None, ...]
    sheet: Sheet
    about: About | None
    tournament: str | None
    day: date
    language: str
    signatures: tuple[Signature, ...] = ()
    checkpoint: PrintedCheckpoint | None = None
    begun: tuple[StartedDeals, ...] = ()
    taken_back: tuple[VoidedDeals, ...] = ()
    counted: CountedResult | None = None


async def paper_of(request: Request, game: Game, players: Sequence[str | None], position: int, sheet: Sheet) -> Paper:
    services, id = services_of(request), game.opened.tournament
    ruleset = services.rulesets.get(game.setup.ruleset)
    return Paper(
        game=game.id,
        position=position,
        opened=game.opened,
        players=tuple(players),
        sheet=sheet,
        about=about_of(ruleset) if ruleset else None,
        tournament=id and (await tournament_title(request, id) or id),
        day=await asyncio.to_thread(_day, services.journal, game),
        language=language(header(request, b"accept-language")),
        signatures=last_signatures(game.signatures),
        begun=list_started_deals(sheet, game.tries),
        taken_back=list_voided_deals(sheet, game),
        counted=await find_counted_result(request, game.opened),
    )


def _day(journal: Journal, game: Game) -> date:
    """Return the day of the first hand, else of the game, as it was at the table; if nobody entered one, the day of recording."""
    positions = (*(deal.position for deal in game.deals[:1]), 1)
    events = [one for position in positions for one in journal.history(game.id, position - 1, 1)]
    zone = decode_time_zone(game.opened.time_zone)
    said = (day_at_table(one, zone) for one in events)
    return next((day for day in said if day), to_local(events[0].stamp.at, zone).date())


async def names_of_players(request: Request, game: Game) -> tuple[str | None, ...]:
    """The players on the seats, by the names that the caller may see."""
    names = await names_for_caller(request, game.opened.tournament, game.opened.players)
    return tuple(player and names.get(player) for player in game.opened.players)
