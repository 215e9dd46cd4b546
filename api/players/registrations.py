"""Registration of players: the event first, and the row in the register of names after it.

If it stops in between, a repetition under the same key adds the row.
"""

import asyncio
from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from api.players.requests import RegisterPlayer
from api.services import Services
from domain.errors import Exists, InvalidFormatError
from domain.journal.commits import Call, Receipt
from domain.journal.registers import Person
from domain.name_validation import LONGEST_ID, is_id, normalize_name
from domain.player import PLAYER, Player, player_stream, registration
from domain.texts import Phrase


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
