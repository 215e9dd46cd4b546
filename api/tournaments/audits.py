"""The audit of a tournament: could what was recorded have been decided so?"""

from litestar.params import FromPath

from api.common.audits.answers import stream_audit
from api.http.guards import admitting
from api.http.operations import HEAVY, Content, Operation, reads
from api.http.request import Request
from api.http.response import Response
from replay.findings import StreamAudit


@reads(
    "/v1/tournaments/{tournament:str}/audit",
    Operation(
        id="audit_tournament",
        weight=HEAVY,
        tag="Tournaments",
        summary="Could what was recorded have been decided so?",
        description=(
            "Every event is decided again on the tournament before it, drawn rounds are drawn again from the seed. Its games have audits "
            "of their own. Read from the store each time, never from a memory. It names digests."
        ),
        responses={200: Content("the verdict, and each divergence with its place", StreamAudit)},
        refuses=(403, 404),
        role="official",
    ),
    admit=admitting("official"),
)
async def audit_tournament(request: Request, tournament: FromPath[str]) -> Response:
    return await stream_audit(request, "tournament", tournament)
