"""The audit of a tournament, a player or a series as a response."""

import asyncio
from typing import Literal, TypeAlias

from api.common.audits import AuditRunner
from api.common.long_reads import long_read
from api.http.request import Request, services_of
from api.http.response import Response, no_store_response
from domain.errors import Unknown
from domain.player import player_stream
from domain.series.series import series_stream
from domain.tournament.tournament import tournament_stream
from replay.audit_result import StreamAudit

Kind: TypeAlias = Literal["tournament", "player", "series"]


async def stream_audit(request: Request, kind: Kind, id: str) -> Response:
    """Return the response with the audit. Raises ``Unknown``."""
    # The audit reads events of the whole store, however short the stream is; the limit has to be of that length.
    events = await asyncio.to_thread(services_of(request).journal.head)
    try:
        return no_store_response(await _audit_stream(request, events, kind, id))
    except Unknown:
        raise Unknown(kind, id) from None


@long_read("audits")
def _audit_stream(request: Request, kind: Kind, id: str) -> StreamAudit:
    services = services_of(request)
    auditor = AuditRunner(services.journal.store, services.editions)
    match kind:
        case "tournament":
            return auditor.tournament(tournament_stream(id))
        case "player":
            return auditor.player(player_stream(id))
        case "series":
            return auditor.series(series_stream(id))
