"""Waits for the projections that say how far somebody reads."""

import asyncio

from api.common.freshness import wait_for_head, wait_for_sequence
from api.http.places import reach_of
from api.http.request import Request, services_of
from projections.models.appearances import APPEARANCES
from projections.models.game_index.projection import GAME_INDEX
from projections.models.players.projection import PLAYERS
from projections.models.tournaments.projection import TOURNAMENTS


async def wait_for_reach(request: Request) -> None:
    """For who does not read everything. Raises ``Building``, and ``Behind`` where it is not known what is published now: what was withdrawn
    is not shown any more.
    """
    if reach_of(request).whole:
        return
    await wait_for_sequence(request, TOURNAMENTS.name, await asyncio.to_thread(services_of(request).journal.head))
    for projection in (GAME_INDEX, APPEARANCES, PLAYERS):
        await wait_for_head(request, projection.name)
