"""The audit of a tournament: could what was recorded have been decided so?"""

import asyncio

from litestar.params import FromPath

from api.common.audits import Auditor
from api.http.guards import admitting
from api.http.operations import Content, Operation, reads
from api.http.request import Request, services_of
from api.http.response import Response, unstored
from domain.errors import Unknown
from domain.tournament.tournament import tournament_stream
from replay.findings import StreamAudit


@reads(
    "/v1/tournaments/{tournament:str}/audit",
    Operation(
        id="audit_tournament",
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
    services = services_of(request)
    try:
        found = await asyncio.to_thread(Auditor(services.journal.store, services.editions).tournament, tournament_stream(tournament))
    except Unknown:
        raise Unknown("tournament", tournament) from None
    return unstored(found)
