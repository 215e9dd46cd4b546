"""The name of a player that a caller may see: the name for officials, the alias for others, else the id."""

import asyncio
from collections.abc import Collection, Iterable, Mapping

from api.http.request import Request, services_of
from domain.journal.people import Person
from domain.journal.registers import Registers
from projections.engine.store import Store
from projections.models.players.player_list import roots


def shown_names(registers: Registers, store: Store, players: Collection[str], *, public: bool) -> Mapping[str, str]:
    """What may stand for each of these ids, in a query to each database: the name of the person behind it, or for the public the alias.

    Where there is none, and for a player who is not registered, it is the id: that of the person, after all mergers. To be called in a
    thread.
    """
    known_by = roots(store, players)
    known = registers.find_people(known_by.values())
    return {player: _shown(known_by[player], known.get(known_by[player]), public) for player in players}


async def names_for_caller(request: Request, players: Iterable[str | None]) -> Mapping[str, str]:
    """The same for the caller of this request; seats without a player are passed over."""
    ids = {player for player in players if player is not None}
    if not ids:
        return {}
    services = services_of(request)
    return await asyncio.to_thread(shown_names, services.registers, services.store, ids, public=not request.user.sees_all)


def _shown(player: str, person: Person | None, public: bool) -> str:
    found = person and (person.alias if public else person.name)
    return found or player
