"""Visibility scope of a caller: wait for the projections that decide what the caller may read, and select streams of the feed by it."""

import asyncio
from collections.abc import Sequence
from functools import partial
from uuid import UUID

from api.common.consistency import wait_for_head, wait_for_sequence
from api.http.places import visibility_of
from api.http.request import Request, services_of
from domain.access import VisibilityScope
from domain.journal.feed import Among, StreamMembership
from projections.engine.store import Store
from projections.models.game_index import GAME_INDEX
from projections.models.player_places import APPEARANCES
from projections.models.players import PLAYERS
from projections.models.tournaments import TOURNAMENTS
from projections.models.visibility_scope import filter_players, filter_tournaments


async def wait_for_visibility(request: Request) -> None:
    """Wait for these projections, for callers who do not read everything.

    Raises ``Building``, and ``ProjectionLagError`` where it is not known what is published now: withdrawn data must not be shown any more.
    """
    if visibility_of(request).whole:
        return
    await wait_for_sequence(request, TOURNAMENTS.name, await asyncio.to_thread(services_of(request).journal.head))
    for projection in (GAME_INDEX, APPEARANCES, PLAYERS):
        await wait_for_head(request, projection.name)


# Streams of the feed that lie within a reach.


def filter_visible(store: Store, reach: VisibilityScope) -> Among | None:
    """Return the filter of streams within a reach; ``None`` where it is all of them.

    Call it in a thread, after ``wait_for_visibility`` or a wait for the same projections.
    """
    return None if reach.whole else partial(_within, store, reach)


def _within(store: Store, reach: VisibilityScope, streams: Sequence[StreamMembership]) -> frozenset[UUID]:
    tournaments = filter_tournaments(store, reach, {one.tournament for one in streams if one.tournament is not None})
    players = filter_players(store, reach, {one.player for one in streams if one.player is not None})
    return frozenset(one.stream for one in streams if _is_within(reach, one, tournaments, players))


def _is_within(reach: VisibilityScope, one: StreamMembership, tournaments: frozenset[str], players: frozenset[str]) -> bool:
    if one.kind == "player":
        return one.player in players
    if one.kind == "series":
        return one.series is not None and one.series == reach.series
    return one.tournament in tournaments or one.stream == reach.game
