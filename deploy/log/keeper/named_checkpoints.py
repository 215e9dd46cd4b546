"""The checkpoints that the closing of rounds named."""

from collections.abc import Iterable, Iterator
from functools import cache
from uuid import UUID

from msgspec import UNSET

from api.common.audits.auditor import named_events
from deploy.log.keeper.verification import Kept, Named
from domain.events import NAMES, Recorded
from domain.events.tournament import NamedCheckpoint, RoundClosed, TournamentAnnounced
from domain.journal.feed import in_all_versions
from domain.journal.mapper import from_stored
from domain.journal.store import EventStore
from replay.proof.checkpoints import Checkpoint
from replay.proof.naming import checkpoint_of

_CLOSED = in_all_versions([NAMES[RoundClosed]])


def named_in(events: EventStore, streams: Iterable[UUID] | None = None) -> Iterator[Kept]:
    """In the whole store, or in these streams alone. Raises what the store raises."""

    @cache
    def name_of(stream: UUID) -> str:
        first = next((from_stored(one).event for one in events.select_events(stream, limit=1)), None)
        return first.tournament if isinstance(first, TournamentAnnounced) else str(stream)

    for recorded in _closings(events) if streams is None else _closings_of(events, streams):
        event = recorded.event
        if isinstance(event, RoundClosed) and event.checkpoint is not UNSET:
            yield Kept(recorded.name, _checkpoint(event.checkpoint), Named(name_of(recorded.stream), event.round))


def _closings(events: EventStore) -> Iterator[Recorded]:
    return (recorded for _, recorded in named_events(events, RoundClosed))


def _closings_of(events: EventStore, streams: Iterable[UUID]) -> Iterator[Recorded]:
    return (from_stored(one) for stream in streams for one in events.select_events(stream) if one.name in _CLOSED)


def _checkpoint(named: NamedCheckpoint) -> Checkpoint:
    """One with a root that no tree has, where somebody damaged the event."""
    return checkpoint_of(named) or Checkpoint(named.origin, 0, b"")
