"""The directory: registering players, and one player."""

from urllib.parse import quote

from litestar.params import FromPath

from api.common.commands import call_of, fingerprint, key_of
from api.common.event_views import event_told
from api.common.freshness import reach_head
from api.common.reading import mark, tagged
from api.http.csv_lists import CSV
from api.http.decoding import check_media_type, decoded, shaped
from api.http.errors import BadRequest
from api.http.fields import DryRun
from api.http.operations import (
    JSON,
    Content,
    Operation,
    reads,
    writes,
)
from api.http.query import Nothing, query
from api.http.response import (
    NDJSON,
    Answer,
    Asked,
    encoded,
    house_of,
)
from api.players.directory import PlayerChanged, PlayerTold, player_told
from api.players.member_lists import MemberReport, imported
from api.players.registrations import (
    RegisterPlayer,
    entered,
    recorded,
    registration_of,
)
from domain.journal.calls import Call, Receipt
from domain.player import Player
from projections.models.players.projection import PLAYERS

_EXAMPLE = {"id": "GER-1017", "name": "Anna Müller", "alias": "Falke", "club": "lehrte"}


@writes(
    "/v1/players",
    Operation(
        id="register_players",
        tag="Players",
        summary="Register a player, or a list of members",
        description=(
            "One player as JSON: 201. A list as CSV (with a heading: name and, in any order, id, alias, club) or NDJSON: always a report "
            "(200), and those that can be are registered. With `dry_run=true` nothing is (200). Names never enter an event."
        ),
        query=DryRun,
        body={JSON: RegisterPlayer, NDJSON: RegisterPlayer, CSV: {"type": "string"}},
        body_examples={"with the federation's id": _EXAMPLE},
        answers={
            201: Content("registered", {JSON: PlayerChanged}, headers=("Location", "ETag")),
            200: Content("what became of each line", {JSON: MemberReport}),
        },
        refuses=(409, 422),
        headers=("Idempotency-Key",),
        role="recorder",
    ),
    request_max_body_size=16 * 1024 * 1024,
)
async def register_players(request: Asked) -> Answer:
    dry, kind = query(request, DryRun).dry_run, check_media_type(request, JSON, NDJSON, CSV)
    if kind != JSON:
        return await _members(request, kind, dry)
    if dry:
        raise BadRequest("bad_parameter", "dry_run is for lists of members, in CSV or NDJSON", "dry_run")
    house = house_of(request)
    one = registration_of(house, await call_of(request), shaped(decoded(await request.body()), RegisterPlayer))
    receipt = await recorded(house, one)
    await entered(house, [(one, receipt)])
    return changed(receipt)


async def _members(asked: Asked, kind: str, dry: bool) -> Answer:
    """Each line has the key for itself: an import that broke off goes on where it was when it is sent again."""
    key, by = key_of(asked), asked.user.id

    def call(number: int, line: bytes) -> Call:
        return Call(by) if key is None else Call(by, None, f"{key}/{number}", fingerprint(asked, line))

    await reach_head(asked, PLAYERS.name)
    report = await imported(house_of(asked), await asked.body(), kind, call, dry_run=dry)
    return Answer(encoded(report), headers=(("cache-control", "no-store"),))


def changed(receipt: Receipt[Player]) -> Answer:
    """201: what was recorded, and where the player can be read."""
    now = receipt.after
    body = PlayerChanged(
        player=now.player, position=now.position, sequence=receipt.sequence, events=[event_told(one, one.event) for one in receipt.events]
    )
    headers = (("location", address_of(now.player)), ("etag", f'"{now.position}"'), ("cache-control", "no-store"))
    return Answer(encoded(body), status=201, headers=headers)


def address_of(player: str) -> str:
    return f"/v1/players/{quote(player, safe='')}"


@reads(
    "/v1/players/{player:str}",
    Operation(
        id="read_player",
        tag="Players",
        summary="A player",
        answers={200: Content("the player", {JSON: PlayerTold}, headers=("ETag",))},
        refuses=(404, 503),
        headers=("If-None-Match",),
    ),
)
async def read_player(request: Asked, player: FromPath[str]) -> Answer:
    query(request, Nothing)
    one = await player_told(request, player)
    return as_it_stands(request, one)


def as_it_stands(asked: Asked, one: PlayerTold) -> Answer:
    """Names change without an event, so the tag tells of what is shown, too."""
    body = encoded(one)
    return tagged(asked, f"{one.position}.{mark(body)}.json", lambda: body)
