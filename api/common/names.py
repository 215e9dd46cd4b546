"""The name of a player that a caller may see: the name for officials, the alias for others, else the id.

In a tournament that is published with the names of its players, whoever reads it as the public does sees their names, too.
"""

import asyncio
from collections.abc import Collection, Iterable, Mapping
from typing import TypeAlias

from api.common.freshness import wait_for_sequence
from api.http.places import publication_of
from api.http.request import Request, services_of
from domain.journal.people import Person
from domain.journal.registers import Registers
from projections.engine.store import Store
from projections.models.players.player_list import roots
from projections.models.tournaments.projection import TOURNAMENTS
from projections.models.tournaments.tournament_list import named_tournaments

Appearance: TypeAlias = tuple[str, str | None]
"""A player, and the tournament in which he is shown, if it is one."""


def shown_names(registers: Registers, store: Store, players: Collection[str], *, public: bool) -> Mapping[str, str]:
    """The name to show for each of these ids: the name of the person behind it, or for the public the alias.

    Without one, and for players who are not registered, it is the id of the person after all mergers. One query to each database; to be
    called in a thread.
    """
    shown = shown_appearances(registers, store, [(player, None) for player in players], public=public)
    return {player: shown[player, None] for player in players}


def shown_appearances(registers: Registers, store: Store, some: Collection[Appearance], *, public: bool) -> Mapping[Appearance, str]:
    """The same where players of several tournaments stand in one list: the public, too, is told the names in those that tell them."""
    known_by = roots(store, {player for player, _ in some})
    known = registers.find_people(known_by.values())
    named = named_tournaments(store, {tournament for _, tournament in some if tournament is not None}) if public else frozenset()
    return {one: _shown(known_by[one[0]], known.get(known_by[one[0]]), public and one[1] not in named) for one in some}


async def names_for_caller(request: Request, tournament: str | None, players: Iterable[str | None]) -> Mapping[str, str]:
    """The same for the caller of this request, in a tournament or a game of it; seats without a player are passed over."""
    ids = {player for player in players if player is not None}
    if not ids:
        return {}
    services, public = services_of(request), not await tells_names(request, tournament)
    return await asyncio.to_thread(shown_names, services.registers, services.store, ids, public=public)


async def wait_for_names(request: Request) -> None:
    """Before ``shown_appearances``: whoever is not told all names is told none that was withdrawn. Raises ``Behind`` and ``Building``."""
    if not request.user.sees_all:
        await wait_for_sequence(request, TOURNAMENTS.name, await asyncio.to_thread(services_of(request).journal.head))


async def tells_names(request: Request, tournament: str | None) -> bool:
    """Whether the caller is told the names of those who play there."""
    return request.user.sees_all or await publication_of(request, tournament) == "names"


def _shown(player: str, person: Person | None, public: bool) -> str:
    found = person and (person.alias if public else person.name)
    return found or player
