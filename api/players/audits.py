"""The audit of a player: could what was recorded have been decided so?"""

import asyncio

from litestar.params import FromPath

from api.common.audits import Auditor
from api.http.guards import admitting
from api.http.operations import Content, Operation, reads
from api.http.request import Request, services_of
from api.http.response import Response, unstored
from domain.errors import Unknown
from domain.player import player_stream
from replay.findings import StreamAudit


@reads(
    "/v1/players/{player:str}/audit",
    Operation(
        id="audit_player",
        tag="Players",
        summary="Could what was recorded have been decided so?",
        description=(
            "Every event is decided again on the player before it, mergers on both players. "
            "Read from the store each time, never from a memory. It names digests."
        ),
        responses={200: Content("the verdict, and each divergence with its place", StreamAudit)},
        refuses=(403, 404),
        role="official",
    ),
    admit=admitting("official"),
)
async def audit_player(request: Request, player: FromPath[str]) -> Response:
    services = services_of(request)
    try:
        found = await asyncio.to_thread(Auditor(services.journal.store, services.editions).player, player_stream(player))
    except Unknown:
        raise Unknown("player", player) from None
    return unstored(found)
