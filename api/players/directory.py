"""Players as they go out: with name, alias or id, by what the caller may see."""

import asyncio
from collections.abc import Collection, Mapping

from msgspec import UNSET

from api.common.freshness import wait_for_head
from api.common.names import Audience, audience_of, name_of, unnamed
from api.http.errors import Behind
from api.http.fields import alike
from api.http.request import Request, services_of
from api.players.responses import PlayerView
from domain.errors import Unknown
from domain.journal.people import Person
from domain.journal.registers import Registers
from domain.player import PLAYER, Player, player_stream
from projections.models.players.player_list import PlayerRow, rows_of
from projections.models.players.projection import PLAYERS


def player_views(registers: Registers, rows: Collection[PlayerRow], audience: Audience) -> list[PlayerView]:
    """Players with what the register holds of them. To be called in a thread."""
    known = registers.find_people([id for row in rows for id in (row.player, row.root)])
    return [_player_view(row, known, audience) for row in rows]


def _player_view(row: PlayerRow, known: Mapping[str, Person], audience: Audience) -> PlayerView:
    person, showing = known.get(row.player), audience.showing(None, "no", None)
    return alike(
        row,
        PlayerView,
        id=row.player,
        shown=name_of(known.get(row.root), showing) or unnamed(audience.language),
        name=(person.name if person else None) if audience.sees_all else UNSET,
        objects_to_names=(person is not None and person.objects_to_names) if audience.sees_all else UNSET,
        alias=person.alias if person else None,
        person=row.root,
    )


async def current_player(request: Request, player: str) -> Player:
    """The player as he stands. Raises ``Unknown`` with his id."""
    try:
        return await services_of(request).journal.current_of(PLAYER, player_stream(player))
    except Unknown:
        raise Unknown("player", player) from None


async def current_player_view(request: Request, player: str) -> PlayerView:
    """A player as he is after all that was recorded before the question: mergers of others concern him, too.

    Raises ``Unknown`` and ``Behind``.
    """
    services = services_of(request)
    now = await current_player(request, player)
    await wait_for_head(request, PLAYERS.name)
    rows = (await asyncio.to_thread(rows_of, services.store, [player])).values()
    for one in await asyncio.to_thread(player_views, services.registers, rows, audience_of(request)):
        return one
    raise Behind(now.position, 0)
