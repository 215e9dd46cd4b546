"""Erasing a person from the directory: what the register holds is gone for good, what was recorded stays as it is."""

import asyncio

from litestar.params import FromPath
from msgspec import Struct
from msgspec.structs import replace

from api.common.commands import call_of
from api.http.decoding import body
from api.http.fields import Name
from api.http.operations import (
    JSON,
    Content,
    Operation,
    writes,
)
from api.http.query import Nothing, query
from api.http.response import (
    Answer,
    Asked,
    encoded,
    house_of,
)
from api.players.directory import player_held
from api.players.registrations import stamp
from domain.errors import Malformed, Refused
from domain.journal.calls import Call
from domain.player import PLAYER, Player, stream_of


class ErasePlayer(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``confirm`` repeats the id, because nothing brings a name back."""

    confirm: Name


class Erased(Struct, frozen=True, kw_only=True):
    """The ids of the person whose names were erased: this one and those merged into it."""

    player: str
    erased: list[str]


@writes(
    "/v1/players/{player:str}/erasure",
    Operation(
        id="erase_player",
        tag="Players",
        summary="Erase a person from the register, for good",
        description=(
            "Name and alias go, of this id and of all that are merged into it. The ids stay: games, results, audits and digests are what "
            "they were. Asked again, it erases what is left and answers the same."
        ),
        body={JSON: ErasePlayer},
        body_examples={"example": {"confirm": "GER-1017"}},
        answers={200: Content("erased", {JSON: Erased})},
        refuses=(404, 422),
        headers=("Idempotency-Key",),
        role="director",
    ),
)
async def erase_player(request: Asked, player: FromPath[str]) -> Answer:
    query(request, Nothing)
    if (await body(request, ErasePlayer)).confirm != player:
        raise Malformed("not_confirmed", "confirm has to repeat the id of the player", "confirm")
    await player_held(request, player)
    call = replace(await call_of(request), expected=None)  # whatever happened to him meanwhile, he is to go
    erased = await _erased(request, call, player, None)
    return Answer(encoded(Erased(player=player, erased=erased)), headers=(("cache-control", "no-store"),))


async def _erased(asked: Asked, call: Call, player: str, through: str | None) -> list[str]:
    """Erases a player and then those merged into him. Nobody joins one who is erased, so nobody is overlooked."""
    now = await _recorded(asked, call, player, through)
    house = house_of(asked)
    await asyncio.to_thread(house.registers.erase_person, player, now.id, stamp(house.clock()), call.by)
    erased = [player]
    for joined in now.joined:
        try:
            erased += await _erased(asked, Call(call.by), joined, player)
        except Refused:  # separated meanwhile: somebody else after all
            continue
    return erased


async def _recorded(asked: Asked, call: Call, player: str, through: str | None) -> Player:
    """The player after his erasure; one who was erased before is left as he is."""
    try:
        receipt = await house_of(asked).journal.commit_to(PLAYER, call, stream_of(player), lambda now: (now.erase(through),))
    except Refused:
        now = await player_held(asked, player)
        if not now.erased:
            raise
        return now
    return receipt.after
