"""Acts on a player in the directory: name, transfer, merge and separate.

Each act is a POST of its own, like those of officials: they differ in who may do them, in what is recorded, and in what can be taken back,
which a PATCH of fields would hide.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TypeAlias

from litestar.params import FromPath
from msgspec import UNSET, Struct
from msgspec.structs import replace

from api.common.commands import Change, call_of, once
from api.common.event_views import event_view
from api.http.decoding import DryRun, read_body, read_query
from api.http.errors import PreconditionError
from api.http.limits import note_part_recorded
from api.http.operations import Content, Operation, declare, describe_responses, writes
from api.http.request import Request, services_of
from api.http.response import Response, encode
from api.players.directory import current_player, current_player_view
from api.players.players import player_command_response, player_dry_run_response, player_response
from api.players.registrations import check_no_shared_table
from api.players.requests import MergePlayer, NamePlayer, SplitPlayer, TransferPlayer
from api.players.responses import PlayerCommandResponse, PlayerDryRun, PlayerView
from domain.errors import InvalidFormatError, Refused, Stale, Unknown
from domain.journal.application import DecideBoth
from domain.journal.commits import Call, CommandKey, Receipt
from domain.journal.registers import Person, stamp
from domain.name_validation import normalize_name
from domain.player import PLAYER, Player, player_stream
from domain.texts import say

_MISSED = 100  # most events that a 412 shows; the history has the rest

CommitPlayer: TypeAlias = Callable[[Call], Awaitable[Receipt[Player]]]


def _describe(id: str, summary: str, kind: type[Struct], description: str) -> Operation:
    recorded = describe_responses(PlayerCommandResponse, PlayerDryRun)
    said = f"{description} With `dry_run=true` nothing is recorded."
    return Operation(id, summary, recorded, description=said, query=DryRun, body=kind, refuses=(422,), role="director")


_writes = declare("POST", _describe, 201)


@writes(
    "/v1/players/{player:str}/name",
    "name_player",
    "Change a player's name and alias, or record an objection to names",
    description=(
        "Names are stored apart from the events, so that they can be erased. The register notes who changed them last, and "
        "when. A player who objects to names is named to officials only, even in a tournament that shows names. With "
        "`dry_run=true` nothing is changed."
    ),
    query=DryRun,
    body=NamePlayer,
    responses={200: Content("the player", PlayerView, headers=("ETag",))},
    refuses=(422,),
    role="director",
)
async def name_player(request: Request, player: FromPath[str]) -> Response:
    body = await read_body(request, NamePlayer)
    (await current_player(request, player)).check_named()

    async def tell(_: str) -> Response:
        return player_response(request, await current_player_view(request, player))

    async def store(known: Person | None, command: CommandKey | None) -> None:
        # Who changed another field in the meantime keeps it.
        while not await asyncio.to_thread(registers.rename_person, _change_person(request, player, known, body), known, command):
            known = await find()
        note_part_recorded(request)

    async def find() -> Person | None:
        known = (await asyncio.to_thread(registers.find_players, [player])).get(player)
        if known is not None and known.name is None:
            raise Refused("player_erased", player=player)
        return known

    async def decide() -> Change:
        known, now = await find(), await current_player_view(request, player)
        person = _change_person(request, player, known, body)
        shown = now.shown if now.merged_into else person.name
        after = replace(now, shown=shown, name=person.name, alias=person.alias, objects_to_names=person.objects_to_names)
        return Change(after, partial(store, known))

    registers = services_of(request).registers
    return await once(request, decide, tell)


def _change_person(request: Request, player: str, known: Person | None, body: NamePlayer) -> Person:
    """Return the person with the fields of the body. Raises ``InvalidFormatError`` for a name that cannot be taken, and for none."""
    before = known or Person(player, None, None, "", "")
    name = before.name if body.name is UNSET else normalize_name(body.name, "name")
    if name is None:
        raise InvalidFormatError("malformed_body", say("form.missing", name="name"), "name")
    alias = normalize_name(body.alias, "alias") if isinstance(body.alias, str) else body.alias
    objects = body.objects_to_names
    return Person(
        player,
        name,
        before.alias if alias is UNSET else alias,
        stamp(services_of(request).clock()),
        request.user.id,
        before.objects_to_names if objects is UNSET else objects,
    )


@_writes(
    "/v1/players/{player:str}/transfer",
    "transfer_player",
    "Transfer a player to another club, or to none",
    TransferPlayer,
    "Earlier games stay with the club of that time.",
)
async def transfer_player(request: Request, player: FromPath[str]) -> Response:
    club, journal = (await read_body(request, TransferPlayer)).club, services_of(request).journal
    stream = player_stream(player)
    dry = read_query(request, DryRun).dry_run
    return await _act(
        request, [player], lambda call: journal.commit_to(PLAYER, call, stream, lambda now: (now.transfer(club),), dry_run=dry)
    )


@_writes(
    "/v1/players/{player:str}/merger",
    "merge_player",
    "Merge two player ids",
    MergePlayer,
    (
        "Everything of this id counts for the other one, also earlier games. Ids that were merged into this one move "
        "along. No game is changed. The other id must not be merged itself: of two mergers that cross, the second is "
        "refused. Two ids that sat at one table are merged only with `force`."
    ),
)
async def merge_player(request: Request, player: FromPath[str]) -> Response:
    body = await read_body(request, MergePlayer)
    into = body.into
    if into == player:
        raise Refused("merged_with_itself", player=player)
    if not body.force and await is_new_call(request):
        await check_no_shared_table(request, player, into)
    return await _act_on_both(request, player, into, Player.merge)


@_writes(
    "/v1/players/{player:str}/separation",
    "separate_player",
    "Undo a merger of player ids",
    SplitPlayer,
    "The id stands for itself again, with all ids that were merged into it.",
)
async def split_player(request: Request, player: FromPath[str]) -> Response:
    await read_body(request, SplitPlayer)
    try:
        into = (await current_player(request, player)).check_merged()
    except Refused:
        repeated = await services_of(request).journal.find_receipt(PLAYER, await call_of(request))
        if repeated is None:
            raise
        return _response(request, repeated)
    return await _act_on_both(request, player, into, Player.split)


async def _act_on_both(request: Request, player: str, other: str, decide: DecideBoth[Player]) -> Response:
    journal, streams = services_of(request).journal, (player_stream(player), player_stream(other))
    dry = read_query(request, DryRun).dry_run
    return await _act(request, [player, other], lambda call: journal.commit_to_both(PLAYER, call, *streams, decide, dry_run=dry))


async def _act(request: Request, players: Sequence[str], commit: CommitPlayer) -> Response:
    """Record and answer. Raises ``Unknown`` with the id of the player who is missing, and ``PreconditionError``."""
    call = await call_of(request)
    try:
        return _response(request, await commit(call))
    except Unknown as unknown:
        raise Unknown("player", next(player for player in players if player_stream(player) == unknown.key)) from None
    except Stale as stale:
        if call.expected is None:
            raise
        raise PreconditionError(stale, await asyncio.to_thread(_encode_missing_events, request, stale)) from stale


def _response(request: Request, receipt: Receipt[Player]) -> Response:
    return player_dry_run_response(receipt) if read_query(request, DryRun).dry_run else player_command_response(receipt)


def _encode_missing_events(request: Request, stale: Stale) -> bytes:
    events = services_of(request).journal.history(stale.stream, stale.expected, _MISSED)
    return encode([event_view(one, one.event) for one in events])


async def is_new_call(request: Request) -> bool:
    """Return False for a repeated request: it is answered as the first time."""
    return await services_of(request).journal.find_receipt(PLAYER, await call_of(request)) is None
