"""Encounters of two players at one table: then they seem to be two people, and merging their ids is probably a slip."""

import asyncio
from collections.abc import Collection

from api.common.commands import call_of
from api.common.consistency import wait_for_head
from api.http.request import Request, services_of
from api.services import Services
from domain.errors import Refused, Unknown
from domain.player import PLAYER
from domain.tournament.tournament import TOURNAMENT, Tournament, tournament_stream
from projections.models.player_places import APPEARANCES, entries_of, seats_of
from projections.models.players import PLAYERS, ids_of_person, roots


async def is_new_call(request: Request) -> bool:
    """Return False for a repeated request: it is answered as the first time."""
    return await services_of(request).journal.find_receipt(PLAYER, await call_of(request)) is None


async def check_no_shared_table(request: Request, player: str, other: str) -> None:
    """Raise ``Refused`` if two persons sat at one table, under any of their ids: in a recorded game, or as a round was paired."""
    for projection in (PLAYERS, APPEARANCES):
        await wait_for_head(request, projection.name)
    if await asyncio.to_thread(_have_shared_table, services_of(request), player, other):
        raise Refused("sat_at_one_table", player=player, into=other)


def _have_shared_table(services: Services, player: str, other: str) -> bool:
    known = roots(services.store, (player, other))
    if known[player] == known[other]:
        return False
    ones, others = ({id, *(row.player for row in ids_of_person(services.store, known[id]))} for id in (player, other))
    games = [{seat.game for seat in seats_of(services.store, ids)} for ids in (ones, others)]
    if games[0] & games[1]:
        return True
    entered = [{entry.tournament for entry in entries_of(services.store, ids)} for ids in (ones, others)]
    return any(_have_shared_table_in(services, id, ones, others) for id in entered[0] & entered[1])


def _have_shared_table_in(services: Services, tournament: str, ones: Collection[str], others: Collection[str]) -> bool:
    try:
        now: Tournament = services.journal.aggregate(TOURNAMENT, tournament_stream(tournament))
    except Unknown:
        return False
    tables = (now.players(round.number, table.seats) for round in now.rounds for table in round.tables)
    return any(not {*ones}.isdisjoint(players) and not {*others}.isdisjoint(players) for players in tables)
