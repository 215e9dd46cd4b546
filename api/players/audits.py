"""The audit of a player: could what was recorded have been decided so?"""

from litestar.params import FromPath

from api.common.audits.answers import stream_audit
from api.http.guards import admitting
from api.http.operations import HEAVY, Content, Operation, reads
from api.http.request import Request
from api.http.response import Response
from replay.findings import StreamAudit


@reads(
    "/v1/players/{player:str}/audit",
    Operation(
        id="audit_player",
        weight=HEAVY,
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
    return await stream_audit(request, "player", player)
