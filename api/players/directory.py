"""The directory of players as it goes out: who sees a name, and what stands for a player where no name is to be told."""

import asyncio
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from api.common.event_views import EventView
from api.common.freshness import wait_for_head
from api.common.names import _shown
from api.http.errors import Behind
from api.http.fields import alike
from api.http.request import Request, services_of
from domain.errors import Unknown
from domain.journal.people import Person, people
from domain.journal.registers import Registers
from domain.player import PLAYER, Player, stream_of
from projections.player_list import PlayerRow, rows_of
from projections.players import PLAYERS


class PlayerView(Struct, frozen=True, kw_only=True):
    """A player. ``shown`` is what may stand for him before this caller's eyes: name or alias, else the id.

    Of one who is merged into another id, ``shown`` is what stands for that one.
    """

    id: str
    shown: str
    name: Annotated[str | None, Meta(description="for officials only; null where none is known, or it was erased")] | UnsetType = UNSET
    alias: Annotated[str | None, Meta(description="what the public sees")]
    club: str | None
    merged_into: str | None
    person: Annotated[str, Meta(description="the id that the person is known by, after all mergers")]
    erased: bool
    registered_at: datetime
    position: int
    sequence: int


class PlayerCommandResponse(Struct, frozen=True, kw_only=True):
    """What was recorded of a player, and his position for the next ``If-Match``."""

    player: str
    position: int
    sequence: int
    events: list[EventView]


def player_views(registers: Registers, rows: Collection[PlayerRow], *, public: bool) -> list[PlayerView]:
    """Players with what the register holds of them. To be called in a thread."""
    known = people(registers, [id for row in rows for id in (row.player, row.root)])
    return [_told(row, known, public) for row in rows]


def _told(row: PlayerRow, known: Mapping[str, Person], public: bool) -> PlayerView:
    person = known.get(row.player)
    return alike(
        row,
        PlayerView,
        id=row.player,
        shown=_shown(row.root, known.get(row.root), public),
        name=UNSET if public else person.name if person else None,
        alias=person.alias if person else None,
        person=row.root,
    )


async def current_player(request: Request, player: str) -> Player:
    """The player as he stands. Raises ``Unknown`` with his id."""
    try:
        return await services_of(request).journal.held_of(PLAYER, stream_of(player))
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
    for one in await asyncio.to_thread(player_views, services.registers, rows, public=not request.user.sees_all):
        return one
    raise Behind(now.position, 0)
