"""Erasure of a person: the entry in the register is deleted permanently; events stay as they are."""

import asyncio

from litestar.params import FromPath
from msgspec.structs import replace

from api.common.access_audit import access_writer
from api.common.commands import call_of, is_dry_run, replay_header
from api.http.decoding import DryRun, read_body
from api.http.errors import say
from api.http.limits import note_part_recorded
from api.http.operations import Content, writes
from api.http.request import Request, services_of
from api.http.response import Response, no_store_response
from api.players.directory import current_player, find_principal_ids
from api.players.requests import ErasePlayer
from api.players.responses import Erased
from domain.errors import InvalidFormatError, Refused
from domain.journal.commits import Call
from domain.journal.registers import stamp
from domain.player import PLAYER, Player, player_stream


@writes(
    "/v1/players/{player:str}/erasure",
    "erase_player",
    "Erase a person from the register, permanently",
    description=(
        "Names and aliases of this id, and of all ids merged into it, are erased, and so are the person's looks at hidden "
        "cards. The ids stay: games, results, audits and digests do not change. A repetition erases the rest and answers "
        "the same."
    ),
    query=DryRun,
    body=ErasePlayer,
    responses={200: Content("erased", Erased)},
    refuses=(422,),
    role="director",
)
async def erase_player(request: Request, player: FromPath[str]) -> Response:
    if (await read_body(request, ErasePlayer)).confirm != player:
        raise InvalidFormatError("not_confirmed", say("not_confirmed"), "confirm")
    await current_player(request, player)
    call = replace(await call_of(request), expected=None)  # erase whatever happened to the player meanwhile
    now, repeated = await _record_erase(request, call, player, None)
    erased = await _erase_names(request, call, player, now)
    return no_store_response(Erased(player=player, erased=erased), headers=replay_header(repeated=repeated))


async def _erase_names(request: Request, call: Call, player: str, now: Player) -> list[str]:
    """Erase the names of a player and of those merged into them. Nobody can be merged into an erased player, so nobody is missed.

    A dry run only returns whose they are.
    """
    if not is_dry_run(request):
        note_part_recorded(request)
        services = services_of(request)
        await asyncio.to_thread(services.registers.erase_person, player, now.id, stamp(services.clock()), call.by)
        await access_writer(request).erase(await asyncio.to_thread(find_principal_ids, services.registers, [player]))
    erased = [player]
    for joined in now.joined:
        try:
            own = Call(call.by)
            erased += await _erase_names(request, own, joined, (await _record_erase(request, own, joined, player))[0])
        except Refused:  # separated meanwhile: another person after all
            continue
    return erased


async def _record_erase(request: Request, call: Call, player: str, through: str | None) -> tuple[Player, bool]:
    """Return the player after the erasure, and whether this is a repetition of the request; an erased player is left as they are."""
    journal, dry = services_of(request).journal, is_dry_run(request)
    try:
        receipt = await journal.commit_to(PLAYER, call, player_stream(player), lambda now: (now.erase(through),), dry_run=dry)
    except Refused:
        now = await current_player(request, player)
        if not now.erased:
            raise
        return now, False
    return receipt.after, receipt.repeated
