"""Routes to the audits of tournaments, players, series and rating lists: every recorded event is decided again."""

import asyncio
from typing import Literal, TypeAlias

from litestar.handlers import HTTPRouteHandler

from api.common.audits import AuditRunner
from api.common.long_reads import long_read
from api.http.operations import HEAVY, Content, reads
from api.http.request import Request, services_of
from api.http.response import Response, no_store_response
from domain.errors import Unknown
from domain.player import player_stream
from domain.rating_lists import rating_lists_stream
from domain.series.series import series_stream
from domain.tournament.tournament import tournament_stream
from replay.audit_result import StreamAudit

Kind: TypeAlias = Literal["tournament", "player", "series", "ratings"]


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
        case "ratings":
            return auditor.rating_lists(rating_lists_stream(id))


def _audit_route(kind: Kind, what: str, collection: str, summary: str, description: str) -> HTTPRouteHandler:
    """``what``: the name of the parameter in the path."""

    async def audit(request: Request) -> Response:
        id = request.path_params[what]
        # The audit reads events of the whole store, however short the stream is; the limit has to be of that length.
        events = await asyncio.to_thread(services_of(request).journal.head)
        try:
            return no_store_response(await _audit_stream(request, events, kind, id))
        except Unknown:
            raise Unknown("rating_list" if kind == "ratings" else kind, id) from None

    route = reads(
        f"/v1/{collection}/{{{what}:str}}/audit",
        f"audit_{kind}",
        summary,
        weight=HEAVY,
        description=description,
        responses={200: Content("the verdict, and each divergence with its place", StreamAudit)},
        refuses=(403,),
        role="official",
    )
    return route(audit)


TOURNAMENT_AUDIT = _audit_route(
    "tournament",
    "tournament",
    "tournaments",
    "Audit a tournament's history",
    "The audit decides every event again on the state of the tournament before it, and draws rounds again from the "
    "seed. Its games have their own audits. It reads the store each time and uses no cache. It names digests.",
)
PLAYER_AUDIT = _audit_route(
    "player",
    "player",
    "players",
    "Audit a player's history",
    "The audit decides every event again on the state of the player before it; for mergers on both players. It reads "
    "the store each time and uses no cache. It names digests.",
)
SERIES_AUDIT = _audit_route(
    "series",
    "series",
    "series",
    "Audit a series' history",
    "The audit decides every event again on the series before it. Its tournaments have their own audits. It reads the store each "
    "time and uses no cache. It names digests.",
)
RATINGS_AUDIT = _audit_route(
    "ratings",
    "ruleset",
    "ratings",
    "Audit the published rating lists of a ruleset",
    "The audit decides every publication again on the lists before it. It does not rate the games again.",
)
