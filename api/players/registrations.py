"""New players: the event first, then the row in the register, which a request that comes again under its key makes up for."""

import asyncio
from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from api.players.requests import RegisterPlayer
from api.services import Services
from domain.errors import Exists, Malformed
from domain.journal.calls import Call, Receipt
from domain.journal.people import Person
from domain.player import PLAYER, Player, player_stream, registration
from domain.spelling import LONGEST_ID, is_id, tidy_name
from domain.texts import say


class Registration(Struct, frozen=True):
    """A player on his way into the directory, and the call that brought him."""

    call: Call
    player: str
    wanted: RegisterPlayer


def registration_of(services: Services, call: Call, body: RegisterPlayer) -> Registration:
    """Raises ``Malformed`` for an id or a name that will not do."""
    id = body.id if body.id is not None else str(services.new_id())
    if not is_id(id):
        raise Malformed("bad_player_id", say("form.id", longest=LONGEST_ID), "id")
    alias = None if body.alias is None else tidy_name(body.alias, "alias")
    return Registration(call, id, replace(body, name=tidy_name(body.name, "name"), alias=alias))


async def record_registration(services: Services, one: Registration, *, dry_run: bool = False) -> Receipt[Player]:
    """Raises ``Exists`` with the player's id. The name is not entered yet."""
    try:
        event = registration(one.player, one.wanted.club)
        return await services.journal.begin(PLAYER, one.call, player_stream(one.player), (event,), dry_run=dry_run)
    except Exists:
        raise Exists("player", one.player) from None


async def enter_names(services: Services, registered: Sequence[tuple[Registration, Receipt[Player]]]) -> None:
    """Enters the names of players whose events are recorded."""
    at = register_time(services.clock())
    people = [Person(receipt.after.player, one.wanted.name, one.wanted.alias, at, one.call.by) for one, receipt in registered]
    await asyncio.to_thread(services.registers.enter_people, people)


def register_time(moment: datetime) -> str:
    """A time as the registers keep it."""
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")
