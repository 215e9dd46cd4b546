"""Which streams of the feed lie within a reach."""

from collections.abc import Sequence
from functools import partial
from uuid import UUID

from domain.access.reach import Reach
from domain.journal.feed import Among, Belonging
from projections.engine.store import Store
from projections.models.reach import players_among, tournaments_among


def among_of(store: Store, reach: Reach) -> Among | None:
    """``None`` where it is all of them. To be called in a thread, after ``wait_for_reach`` or what does as much."""
    return None if reach.whole else partial(_within, store, reach)


def _within(store: Store, reach: Reach, streams: Sequence[Belonging]) -> frozenset[UUID]:
    tournaments = tournaments_among(store, reach, {one.tournament for one in streams if one.tournament is not None})
    players = players_among(store, reach, {one.player for one in streams if one.player is not None})
    return frozenset(one.stream for one in streams if _is_within(reach, one, tournaments, players))


def _is_within(reach: Reach, one: Belonging, tournaments: frozenset[str], players: frozenset[str]) -> bool:
    if one.kind == "player":
        return one.player in players
    return one.tournament in tournaments or one.stream == reach.game
