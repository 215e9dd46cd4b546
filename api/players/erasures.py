"""Erasing a person from the directory: what the register holds is gone for good, what was recorded stays as it is."""

import asyncio

from litestar.params import FromPath
from msgspec.structs import replace

from api.common.commands import call_of
from api.common.looks import look_writer
from api.common.repeats import replayed_header
from api.http.decoding import read_body
from api.http.errors import say
from api.http.limits import note_part_recorded
from api.http.operations import Content, Operation, writes
from api.http.request import Request, services_of
from api.http.response import Response, unstored
from api.players.directory import current_player
from api.players.principals import principals_of
from api.players.registrations import register_time
from api.players.requests import ErasePlayer
from api.players.responses import Erased
from domain.errors import Malformed, Refused
from domain.journal.calls import Call
from domain.player import PLAYER, Player, player_stream


@writes(
    "/v1/players/{player:str}/erasure",
    Operation(
        id="erase_player",
        tag="Players",
        summary="Erase a person from the register, for good",
        description=(
            "Name and alias go, of this id and of all that are merged into it, and where the person looked at hidden cards. The ids stay: "
            "games, results, audits and digests are what they were. Asked again, it erases what is left and answers the same."
        ),
        body=ErasePlayer,
        responses={200: Content("erased", Erased)},
        refuses=(404, 422),
        headers=("Idempotency-Key",),
        role="director",
    ),
)
async def erase_player(request: Request, player: FromPath[str]) -> Response:
    if (await read_body(request, ErasePlayer)).confirm != player:
        raise Malformed("not_confirmed", say("not_confirmed"), "confirm")
    await current_player(request, player)
    call = replace(await call_of(request), expected=None)  # whatever happened to him meanwhile, he is to go
    now, repeated = await _recorded(request, call, player, None)
    erased = await _erased(request, call, player, now)
    return unstored(Erased(player=player, erased=erased), headers=replayed_header(repeated=repeated))


async def _erased(request: Request, call: Call, player: str, now: Player) -> list[str]:
    """Takes the names of a player and of those merged into him. Nobody joins one who is erased, so nobody is overlooked."""
    note_part_recorded(request)
    services = services_of(request)
    await asyncio.to_thread(services.registers.erase_person, player, now.id, register_time(services.clock()), call.by)
    await look_writer(request).erase(await asyncio.to_thread(principals_of, services.registers, [player]))
    erased = [player]
    for joined in now.joined:
        try:
            own = Call(call.by)
            erased += await _erased(request, own, joined, (await _recorded(request, own, joined, player))[0])
        except Refused:  # separated meanwhile: somebody else after all
            continue
    return erased


async def _recorded(request: Request, call: Call, player: str, through: str | None) -> tuple[Player, bool]:
    """The player after his erasure, and whether this very request erased him before; one who was erased is left as he is."""
    try:
        receipt = await services_of(request).journal.commit_to(PLAYER, call, player_stream(player), lambda now: (now.erase(through),))
    except Refused:
        now = await current_player(request, player)
        if not now.erased:
            raise
        return now, False
    return receipt.after, receipt.repeated
