"""The entries of the log, made anew from the events: the tree keeps only their hashes."""

from collections.abc import Iterator, Sequence

from api.services import Services
from domain.errors import Corrupt
from domain.journal.commits import StoredEvent
from domain.journal.log import LogEpoch, blinding_at, own_entries
from replay.proof.log import Leaf, LogTree, mark_at
from replay.proof.marks import ZEROS, commitment_of, entry_of
from replay.proof.tree import leaf_hash


def entries_of(services: Services, tree: LogTree, epoch: LogEpoch, first: int, count: int) -> Iterator[bytes]:
    """So many from this leaf on. Raises ``Corrupt`` where an event is not the one that was entered."""
    leaves, blinding = tree.leaves(first, count), services.registers.blinding_keys(epoch.number)
    for leaf, event in zip(leaves, _events(services, epoch, leaves), strict=True):
        stream, position = leaf.stream, leaf.position
        before = tree.leaf_of(stream, position - 1)
        prev = mark_at(tree, before.leaf) if before else ZEROS
        commitment = commitment_of(blinding_at(blinding, leaf.leaf), stream, position, event.name, event.state)
        entry = entry_of(stream, position, prev, commitment)
        if leaf_hash(entry) != mark_at(tree, leaf.leaf):
            raise Corrupt(stream, position, "it is not the event that was entered in the log")
        yield entry


def _events(services: Services, epoch: LogEpoch, leaves: Sequence[Leaf]) -> list[StoredEvent]:
    """Raises ``Corrupt`` for one that is gone."""
    own = own_entries(services.registers, epoch)
    found = dict(services.journal.store.events_after(leaves[0].sequence - 1, len(leaves) + 1))
    events = [own.get(leaf.leaf) or found.get(leaf.sequence) for leaf in leaves]
    for leaf, event in zip(leaves, events, strict=True):
        if event is None:
            raise Corrupt(leaf.stream, leaf.position, "it was entered in the log, and is gone")
    return [event for event in events if event is not None]
