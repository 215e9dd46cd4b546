"""Audits of what lies in a store of one's own, some streams at a time in each process."""

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import chain, islice
from multiprocessing import get_context
from typing import Literal, NamedTuple, TypeAlias
from uuid import UUID

from api.common.audits import Auditor, named_events
from deploy.cli.journal import game_ids
from deploy.compose import open_event_store
from deploy.settings import Settings
from domain.events.game import GameOpened
from domain.games import EDITIONS
from domain.journal.store import EventStore
from domain.tournament.tournament import tournament_stream
from replay.findings import Audit, StreamAudit

Audited: TypeAlias = Audit | StreamAudit

_BATCH = 5_000  # events: about half a second of work
_FEW = 8  # batches that are done by the time that processes would have started
_AHEAD = 2  # batches that wait for each process
_USUAL = 100  # events of a stream that was not counted
_KINDS = ("game", "tournament", "player")


class Due(NamedTuple):
    """A stream that is to be audited, and about how much work it is."""

    kind: Literal["game", "tournament", "player"]
    stream: UUID
    events: int = _USUAL


def audits_here(
    settings: Settings, store: EventStore, games: Sequence[str], tournament: str | None, jobs: int
) -> tuple[int, Iterator[Audited]]:
    """How many audits there are, and the audits: of these games, of a tournament with its games, or of everything that was recorded.

    Games first, then tournaments, then players; of a kind the oldest first. Raises ``Unknown`` and what the store raises.
    """
    due = _due(store, games, tournament)
    return len(due), _audits(settings, store, due, jobs)


def _due(store: EventStore, games: Sequence[str], tournament: str | None) -> list[Due]:
    if games:
        return [Due("game", id) for id in game_ids(games)]
    if tournament is not None:
        stream = tournament_stream(tournament)
        return [*_games_of(store, tournament), *([Due("tournament", stream)] if store.select_events(stream, limit=1) else [])]
    streams = sorted(store.streams(), key=lambda one: _KINDS.index(one.kind))
    return [Due(one.kind, one.id, one.events) for one in streams]


def _games_of(store: EventStore, tournament: str) -> Iterator[Due]:
    """The games of a tournament, as their openings say."""
    for _, recorded in named_events(store, GameOpened):
        if isinstance(recorded.event, GameOpened) and recorded.event.tournament == tournament:
            yield Due("game", recorded.stream)


def _audits(settings: Settings, store: EventStore, due: Sequence[Due], processes: int) -> Iterator[Audited]:
    """In this order. Few events are not worth a process."""
    batches = _batches(due)
    begun = list(islice(batches, _FEW + 1))
    if len(begun) <= _FEW or processes < 2:
        auditor = Auditor(store, EDITIONS)
        for batch in chain(begun, batches):
            yield from (_audited(auditor, one) for one in batch)
        return
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        waiting: deque[Future[list[Audited]]] = deque()
        for batch in chain(begun, batches):
            waiting.append(pool.submit(_audit_batch, settings, batch))
            if len(waiting) > processes * _AHEAD:
                yield from waiting.popleft().result()
        for future in waiting:
            yield from future.result()


def _audit_batch(settings: Settings, batch: Sequence[Due]) -> list[Audited]:
    """What one process does with a batch."""
    with open_event_store(settings, create=False) as store:
        auditor = Auditor(store, EDITIONS)
        return [_audited(auditor, one) for one in batch]


def _audited(auditor: Auditor, due: Due) -> Audited:
    match due.kind:
        case "game":
            return auditor.game(due.stream)
        case "tournament":
            return auditor.tournament(due.stream)
        case "player":
            return auditor.player(due.stream)


def _batches(due: Sequence[Due]) -> Iterator[list[Due]]:
    batch: list[Due] = []
    events = 0
    for one in due:
        batch.append(one)
        events += one.events
        if events >= _BATCH:
            yield batch
            batch, events = [], 0
    if batch:
        yield batch
