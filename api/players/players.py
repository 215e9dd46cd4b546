"""The directory of players: register players, and read one."""

import asyncio
from collections.abc import Sequence
from functools import partial
from urllib.parse import quote

from litestar.params import FromPath
from msgspec import UNSET

from api.common.commands import build_commit_headers, call_of, idempotency_key, line_call, replay_header
from api.common.consistency import wait_for_head, wait_for_visibility
from api.common.event_views import event_view
from api.http.decoding import check_media_type, convert_value, decode_json, read_query
from api.http.errors import BadRequest, say
from api.http.limits import more_time, note_part_recorded
from api.http.media_types import CSV, JSON, NDJSON
from api.http.operations import Content, reads, writes
from api.http.places import visibility_of
from api.http.request import Request, body_of, language_of, services_of
from api.http.response import Response, build_etag_response, content_hash, encode, no_store_response
from api.players.directory import current_player_view
from api.players.registrations import enter_names, find_doubles, import_members, record_registration, registration_of, report_of_one
from api.players.requests import RegisterPlayer, RegisterQuery
from api.players.responses import MemberReport, PlayerCommandResponse, PlayerDryRun, PlayerView
from domain.errors import Unknown
from domain.journal.commits import Receipt
from domain.player import Player
from projections.models.players import PLAYERS, is_within


@writes(
    "/v1/players",
    "register_players",
    "Register a player, or a list of members",
    description=(
        "One player comes as JSON: 201. A list comes as CSV (with a heading: name and, in any order, id, alias, club) or "
        "NDJSON. A list always gets a report (200), and every valid line is registered. With `dry_run=true` nothing is "
        "registered, and one player gets a report, too. `namesakes` are players of the same name and club; "
        "`skip_namesakes=true` leaves such lines out. "
        "Names never enter an event."
    ),
    query=RegisterQuery,
    body={JSON: RegisterPlayer, NDJSON: RegisterPlayer, CSV: {"type": "string"}},
    responses={
        201: Content("registered", PlayerCommandResponse, headers=("Location", "ETag"), creates={"player": "/player"}),
        200: Content("the outcome of each line", MemberReport),
    },
    refuses=(409, 422),
    role="recorder",
    longest_body=16 * 1024 * 1024,
)
async def register_players(request: Request) -> Response:
    query, kind = read_query(request, RegisterQuery), check_media_type(request, JSON, NDJSON, CSV)
    await wait_for_head(request, PLAYERS.name)
    if kind != JSON:
        return await _members(request, kind, query)
    if query.skip_namesakes:
        raise BadRequest("bad_parameter", say("for_lists_only", name="skip_namesakes"), "skip_namesakes")
    services = services_of(request)
    one = registration_of(services, await call_of(request), convert_value(decode_json(await body_of(request)), RegisterPlayer))
    doubles = (await find_doubles(services, [(1, one)])).get(1)
    namesakes = doubles.players if doubles else ()
    receipt = await record_registration(services, one, dry_run=query.dry_run)
    if query.dry_run:
        return no_store_response(report_of_one(one, receipt, namesakes), headers=replay_header(repeated=receipt.repeated))
    note_part_recorded(request)
    await enter_names(services, [(one, receipt)])
    return player_command_response(receipt, namesakes)


async def _members(request: Request, kind: str, query: RegisterQuery) -> Response:
    call = partial(line_call, request, idempotency_key(request))
    body = await body_of(request)
    if not query.dry_run:
        note_part_recorded(request)
    report = await import_members(
        services_of(request),
        body,
        kind,
        call,
        dry_run=query.dry_run,
        skip_namesakes=query.skip_namesakes,
        language=language_of(request),
        step=partial(more_time, request),
    )
    return no_store_response(report)


def player_command_response(receipt: Receipt[Player], namesakes: Sequence[str] = ()) -> Response:
    """Return 201: what was recorded, and where the player can be read."""
    now = receipt.after
    body = PlayerCommandResponse(
        player=now.player,
        position=now.position,
        sequence=receipt.sequence,
        events=[event_view(one, one.event) for one in receipt.events],
        namesakes=list(namesakes) or UNSET,
    )
    headers = build_commit_headers(player_url(now.player), now.position, repeated=receipt.repeated)
    return Response(encode(body), status=201, headers=headers)


def player_dry_run_response(receipt: Receipt[Player]) -> Response:
    """Return 200: what would be recorded."""
    now = receipt.after
    return no_store_response(
        PlayerDryRun(player=now.player, position=now.position, events=[event_view(one, one.event) for one in receipt.events]),
        headers=replay_header(repeated=receipt.repeated),
    )


def player_url(player: str) -> str:
    return f"/v1/players/{quote(player, safe='')}"


@reads(
    "/v1/players/{player:str}",
    "read_player",
    "Read a player",
    responses={200: Content("the player", PlayerView, headers=("ETag",))},
    refuses=(503,),
    within="lists",
)
async def read_player(request: Request, player: FromPath[str]) -> Response:
    await wait_for_visibility(request)
    if not await asyncio.to_thread(is_within, services_of(request).store, visibility_of(request), player):
        raise Unknown("player", player)
    return player_response(request, await current_player_view(request, player))


def player_response(request: Request, one: PlayerView) -> Response:
    """Return the player. Names change without an event, so the ETag holds a digest of the response besides the position."""
    body = encode(one)
    return build_etag_response(request, f"{one.position}.{content_hash(body)}.json", lambda: body, vary="accept-language, authorization")


# Principals of a person. Most principals are nobody in the directory: ids are opaque, and the holder of a token is not recorded.
