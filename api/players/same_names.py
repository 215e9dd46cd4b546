"""Namesakes: players with the same name in the same club. A list of members that is sent again would double every member without an id."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

from msgspec import Struct

from api.players.registrations import Registration
from api.services import Services
from domain.errors import KeyConflictError
from domain.player import PLAYER
from projections.models.players import rows_of


class _Called(NamedTuple):
    """A name, and the club in which it stands."""

    name: str
    club: str | None


class Doubles(Struct, frozen=True):
    """The namesakes of a registration: ids of the directory, and the number of an earlier line of the same list. ``recorded``: the line
    itself was registered before, under the same key.
    """

    players: tuple[str, ...] = ()
    line: int | None = None
    recorded: bool = False


async def find_doubles(
    services: Services, lines: Sequence[tuple[int, Registration]], step: Callable[[], object] = lambda: None
) -> dict[int, Doubles]:
    """Return the namesakes of each line that has some, by its number. ``step`` is called before each of them is looked up."""
    found = await asyncio.to_thread(_find, services, lines)
    for number, one in [line for line in lines if line[0] in found]:
        step()
        before = await _find_recorded(services, one)
        if before is not None:
            found[number] = Doubles(tuple(id for id in found[number].players if id != before), found[number].line, recorded=True)
    return found


async def _find_recorded(services: Services, one: Registration) -> str | None:
    """Return the player who was registered under the same key before. A key of another request is refused when this one is recorded."""
    try:
        receipt = await services.journal.find_receipt(PLAYER, one.call)
    except KeyConflictError:
        return None
    return None if receipt is None else receipt.after.player


def _find(services: Services, lines: Sequence[tuple[int, Registration]]) -> dict[int, Doubles]:
    known, first = _find_registered(services, [one for _, one in lines]), dict[_Called, int]()
    found: dict[int, Doubles] = {}
    for number, one in lines:
        called = _key_of(one)
        before = first.setdefault(called, number)
        doubles = Doubles(tuple(id for id in known[called] if id != one.player), before if before != number else None)
        if doubles != Doubles():
            found[number] = doubles
    return found


def _find_registered(services: Services, wanted: Sequence[Registration]) -> defaultdict[_Called, list[str]]:
    people = services.registers.find_same_names(one.wanted.name for one in wanted)
    rows = rows_of(services.store, [person.player for person in people])
    known: defaultdict[_Called, list[str]] = defaultdict(list)
    for person in people:
        row = rows.get(person.player)
        if person.name is not None and row is not None and row.merged_into is None and not row.erased:
            known[_Called(person.name, row.club)].append(person.player)
    return known


def _key_of(one: Registration) -> _Called:
    return _Called(one.wanted.name, one.wanted.club)
