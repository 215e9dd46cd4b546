"""Registration of players: the event first, and the row in the register of names after it.

If it stops in between, a repetition under the same key adds the row.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from api.common.consistency import wait_for_head
from api.http.request import Request, services_of
from api.players.requests import RegisterPlayer
from api.services import Services
from domain.errors import Exists, InvalidFormatError, KeyConflictError, Refused, Unknown
from domain.journal.commits import Call, Receipt
from domain.journal.registers import Person
from domain.name_validation import LONGEST_ID, is_id, normalize_name
from domain.player import PLAYER, Player, player_stream, registration
from domain.texts import Phrase
from domain.tournament.tournament import TOURNAMENT, Tournament, tournament_stream
from projections.models.player_places import APPEARANCES, entries_of, seats_of
from projections.models.players import PLAYERS, ids_of_person, roots, rows_of


class Registration(Struct, frozen=True):
    """A player to be registered, and the call that brought them."""

    call: Call
    player: str
    wanted: RegisterPlayer


def registration_of(services: Services, call: Call, body: RegisterPlayer) -> Registration:
    """Return the registration. Raises ``InvalidFormatError`` for an invalid id or name."""
    id = body.id if body.id is not None else str(services.new_id())
    if not is_id(id):
        raise InvalidFormatError("bad_player_id", Phrase("form.id", {"longest": LONGEST_ID}), "id")
    alias = None if body.alias is None else normalize_name(body.alias, "alias")
    return Registration(call, id, replace(body, name=normalize_name(body.name, "name"), alias=alias))


async def record_registration(services: Services, one: Registration, *, dry_run: bool = False) -> Receipt[Player]:
    """Record the event. Raises ``Exists`` with the player's id. The name is not entered yet."""
    try:
        event = registration(one.player, one.wanted.club)
        return await services.journal.begin(PLAYER, one.call, player_stream(one.player), (event,), dry_run=dry_run)
    except Exists:
        raise Exists("player", one.player) from None


async def enter_names(services: Services, registered: Sequence[tuple[Registration, Receipt[Player]]]) -> None:
    """Enter the names of players whose events are recorded."""
    at = register_time(services.clock())
    people = [Person(receipt.after.player, one.wanted.name, one.wanted.alias, at, one.call.by) for one, receipt in registered]
    await asyncio.to_thread(services.registers.enter_players, people)


def register_time(moment: datetime) -> str:
    """Return a time as the registers keep it."""
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


# Namesakes: players with the same name in the same club. A list of members that is sent again would double every member without an id.


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
