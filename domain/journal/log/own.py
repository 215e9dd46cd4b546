"""Which entries a log has, in their order: the events of the store, and between them those of the log about itself."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias
from uuid import NAMESPACE_URL, UUID, uuid5

from domain.journal.commits import StoredEvent
from domain.journal.log.register import BlindingKey, LogEpoch, LogRegister

FORKED = "log.forked/1"
"""The first entry of an epoch that is not the first."""
ROTATED = "log.rotated/1"
"""Another key signs from here on."""

Sequenced: TypeAlias = tuple[int, StoredEvent]


def stream_of_log(origin: str) -> UUID:
    """Under which the entries of a log about itself stand in its tree."""
    return uuid5(NAMESPACE_URL, origin)


def own_entries(register: LogRegister, epoch: LogEpoch) -> dict[int, StoredEvent]:
    """By their leaves, as if they were events."""
    stream = stream_of_log(epoch.origin)
    return {own.leaf: StoredEvent(stream, own.position, own.name, own.state.encode()) for own in register.own_entries(epoch.number)}


def entered(rows: Iterable[Sequenced], own: Mapping[int, StoredEvent], leaf: int, sequence: int) -> list[Sequenced]:
    """What stands from a leaf on, if these events come next. Own entries have the sequence of the event before them."""
    found = list[Sequenced]()
    for after, event in (*rows, (0, None)):
        while leaf + len(found) in own:
            found.append((sequence, own[leaf + len(found)]))
        if event is not None:
            found.append((after, event))
            sequence = after
    return found


def blinding_at(keys: Sequence[BlindingKey], leaf: int) -> bytes:
    """The key that blinds a leaf. ``keys`` in the order of their leaves, the first from leaf 0 on."""
    return next(key.key for key in reversed(keys) if key.leaf <= leaf)
