"""The audit of a tournament or a player, as an answer."""

import asyncio
from typing import Literal

from api.common.audits.auditor import Auditor
from api.http.request import Request, services_of
from api.http.response import Response, unstored
from domain.errors import Unknown
from domain.player import player_stream
from domain.tournament.tournament import tournament_stream


async def stream_audit(request: Request, kind: Literal["tournament", "player"], id: str) -> Response:
    """The answer with the audit of what has this id. Raises ``Unknown``."""
    services = services_of(request)
    auditor = Auditor(services.journal.store, services.editions)
    read, stream = {"tournament": (auditor.tournament, tournament_stream), "player": (auditor.player, player_stream)}[kind]
    try:
        found = await asyncio.to_thread(read, stream(id))
    except Unknown:
        raise Unknown(kind, id) from None
    return unstored(found)
