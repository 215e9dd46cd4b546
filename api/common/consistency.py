"""Read-your-writes: wait for projections, which are a moment behind the journal, so that a client reads what it has written."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Protocol, TypeVar
from uuid import UUID

from litestar.types import Scope

from api.http.errors import Building, FuturePositionError, ProjectionLagError
from api.http.paging import same_epoch
from api.http.places import visibility_of
from api.http.request import Request, services_of
from api.http.sending import Growing
from domain.access import VisibilityScope
from domain.journal.feed import Among, StreamMembership
from projections.engine.status import ProjectionStatus
from projections.engine.store import Store
from projections.models.game_index import GAME_INDEX
from projections.models.player_places import APPEARANCES
from projections.models.players import PLAYERS
from projections.models.reading import filter_players, filter_tournaments
from projections.models.tournaments import TOURNAMENTS

PATIENCE = 2.0
"""Seconds that a read waits for the projections."""
BEHIND = "kiebitz-behind"
"""A header: how many sequences this response may lack because a projection is behind."""


class _Positioned(Protocol):
    @property
    def position(self) -> int: ...


Positioned = TypeVar("Positioned", bound=_Positioned)


async def check_recorded(request: Request, named: Mapping[str, int | None]) -> int:
    """Return the newest sequence, if no given sequence lies beyond it. ``named``: sequences by their parameters.

    The store is asked each time: another process may have written, and the projections have to belong to the current store. Raises
    ``FuturePositionError`` and ``EpochChanged``.
    """
    head = await asyncio.to_thread(services_of(request).journal.head)
    for where, sequence in named.items():
        if sequence is not None and sequence > head:
            await same_epoch(request)
            raise FuturePositionError(sequence, head, where)
    return head


async def wait_for_sequence(request: Request, name: str, sequence: int | None, where: str = "min_sequence") -> None:
    """Wait until the projection can be read and contains the event of this sequence, which the parameter ``where`` names.

    Raises ``FuturePositionError``, ``ProjectionLagError``, ``Building`` and ``EpochChanged``.
    """
    if sequence:
        await check_recorded(request, {where: sequence})
    await _wait_for_recorded(request, name, sequence or 0)


async def _wait_for_recorded(request: Request, name: str, sequence: int) -> None:
    if not await services_of(request).projector.wait_for_async(sequence, PATIENCE, name):
        await same_epoch(request)
        raise ProjectionLagError(sequence, (await _readable(request, name)).position)


async def wait_for_head(request: Request, name: str, head: int | None = None) -> None:
    """Wait until the projection contains what was recorded before the request. ``head``: the newest sequence, where it is known already.

    A slow or stopped projection is read as it is, and the header ``Kiebitz-Behind`` says by how much it is behind. Raises ``Building``.
    """
    services = services_of(request)
    if head is None:
        head = await asyncio.to_thread(services.journal.head)
    if not await services.projector.wait_for_async(head, PATIENCE, name):
        note_lag(request, (await _readable(request, name)).lag)


def note_lag(request: Request, lag: int) -> None:
    """Note by how many sequences the response may be behind."""
    if lag > (state := request.scope["state"]).get(BEHIND, 0):
        state[BEHIND] = lag


def add_lag_header(status: int, headers: Growing, scope: Scope) -> None:
    """Add the header ``Kiebitz-Behind``. A step of ``api/http/sending.py``."""
    if behind := scope["state"].get(BEHIND):
        headers.append((BEHIND.encode(), b"%d" % behind))


async def _readable(request: Request, name: str) -> ProjectionStatus:
    """Return the status of the projection. Raises ``Building`` while its tables are being filled."""
    found = await asyncio.to_thread(services_of(request).projector.status)
    status = next(one for one in found if one.name == name)
    if status.percent < 100:
        raise Building(status.percent, "see /health/ready" if status.error else None)
    return status


async def read_consistent_row(request: Request, name: str, id: UUID, read: Callable[[], Positioned | None]) -> Positioned:
    """Return the row of a game, not older than the game at the time of the request. Raises ``Unknown``, ``ProjectionLagError`` and
    ``Building``.
    """
    game = await services_of(request).journal.current(id)
    row = await asyncio.to_thread(read)
    if row is None or row.position < game.position:
        await wait_for_head(request, name)
        row = await asyncio.to_thread(read)
    if row is None:
        raise ProjectionLagError(game.position, 0)
    return row


# Visibility scope of a caller: wait for the projections that decide what the caller may read, and select streams of the feed by it.


async def wait_for_visibility(request: Request) -> int | None:
    """Wait for these projections, for callers who do not read everything. Return the newest sequence, where it was looked up.

    Raises ``Building``, and ``ProjectionLagError`` where it is not known what is published now: withdrawn data must not be shown any more.
    """
    if visibility_of(request).whole:
        return None
    head = await asyncio.to_thread(services_of(request).journal.head)
    await _wait_for_recorded(request, TOURNAMENTS.name, head)
    for projection in (GAME_INDEX, APPEARANCES, PLAYERS):
        await wait_for_head(request, projection.name, head)
    return head


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
