"""The directory of players as it goes out: who sees a name, and what stands for a player where no name is to be told."""

import asyncio
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from api.common.freshness import reach_head
from api.http.answers import Told
from api.http.errors import Behind
from api.http.response import Asked, house_of
from domain.errors import Unknown
from domain.journal.people import Person
from domain.journal.registers import Registers
from domain.player import PLAYER, Player, stream_of
from projections.engine.store import Store
from projections.models.players.player_list import PlayerRow, roots, rows_of
from projections.models.players.projection import PLAYERS


class PlayerTold(Struct, frozen=True, kw_only=True):
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


class PlayerChanged(Struct, frozen=True, kw_only=True):
    """What was recorded of a player, and his position for the next ``If-Match``."""

    player: str
    position: int
    sequence: int
    events: list[Told]


def names(registers: Registers, store: Store, players: Collection[str], *, public: bool) -> Mapping[str, str]:
    """What may stand for each of these ids, in a query to each database: the name of the person behind it, or for the public the alias.

    Where there is none, and for a player who is not registered, it is the id: that of the person, after all mergers. To be called in a
    thread.
    """
    known_by = roots(store, players)
    known = registers.find_people(known_by.values())
    return {player: _shown(known_by[player], known.get(known_by[player]), public) for player in players}


async def names_seen(asked: Asked, players: Iterable[str | None]) -> Mapping[str, str]:
    """The same before the eyes of the caller; seats without a player are passed over."""
    wanted = {player for player in players if player is not None}
    if not wanted:
        return {}
    house = house_of(asked)
    return await asyncio.to_thread(names, house.registers, house.store, wanted, public=not asked.user.sees_all)


def _shown(player: str, person: Person | None, public: bool) -> str:
    found = person and (person.alias if public else person.name)
    return found or player


def told(registers: Registers, rows: Collection[PlayerRow], *, public: bool) -> list[PlayerTold]:
    """Players with what the register holds of them. To be called in a thread."""
    known = registers.find_people([id for row in rows for id in (row.player, row.root)])
    return [_told(row, known, public) for row in rows]


def _told(row: PlayerRow, known: Mapping[str, Person], public: bool) -> PlayerTold:
    person = known.get(row.player)
    return PlayerTold(
        id=row.player,
        shown=_shown(row.root, known.get(row.root), public),
        name=UNSET if public else person.name if person else None,
        alias=person.alias if person else None,
        club=row.club,
        merged_into=row.merged_into,
        person=row.root,
        erased=row.erased,
        registered_at=row.registered_at,
        position=row.position,
        sequence=row.sequence,
    )


async def player_held(asked: Asked, player: str) -> Player:
    """The player as he stands. Raises ``Unknown`` with his id."""
    try:
        return await house_of(asked).journal.held_of(PLAYER, stream_of(player))
    except Unknown:
        raise Unknown("player", player) from None


async def player_told(asked: Asked, player: str) -> PlayerTold:
    """A player as he is after all that was recorded before the question: mergers of others concern him, too.

    Raises ``Unknown`` and ``Behind``.
    """
    house = house_of(asked)
    now = await player_held(asked, player)
    await reach_head(asked, PLAYERS.name)
    rows = (await asyncio.to_thread(rows_of, house.store, [player])).values()
    for one in await asyncio.to_thread(told, house.registers, rows, public=not asked.user.sees_all):
        return one
    raise Behind(now.position, 0)
