"""Which streams of the feed whoever asks may know of."""

from collections.abc import Sequence
from functools import partial
from uuid import UUID

from api.http.places import reach_of
from api.http.request import Request, services_of
from domain.access.reach import Reach
from domain.journal.feed import Among, Belonging
from projections.engine.store import Store
from projections.models.reach import players_among, tournaments_among


def among_within(request: Request) -> Among | None:
    """``None`` where it is all of them. To be called in a thread, after ``wait_for_reach``."""
    reach = reach_of(request)
    return None if reach.whole else partial(_within, services_of(request).store, reach)


def may_know_of(request: Request, tournament: str) -> bool:
    """To be called as ``among_within`` is."""
    reach = reach_of(request)
    return reach.whole or tournament in tournaments_among(services_of(request).store, reach, {tournament})


def _within(store: Store, reach: Reach, streams: Sequence[Belonging]) -> frozenset[UUID]:
    tournaments = tournaments_among(store, reach, {one.tournament for one in streams if one.tournament is not None})
    players = players_among(store, reach, {one.player for one in streams if one.player is not None})
    return frozenset(one.stream for one in streams if _is_within(reach, one, tournaments, players))


def _is_within(reach: Reach, one: Belonging, tournaments: frozenset[str], players: frozenset[str]) -> bool:
    if one.kind == "player":
        return one.player in players
    return one.tournament in tournaments or one.stream == reach.game
