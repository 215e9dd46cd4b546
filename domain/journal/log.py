"""The register of the transparency log (docs/proof.md): its data that does not follow from the events, and is backed up with them.

Its tree follows from the events, and lies elsewhere. Its signing key lies in no database.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeAlias
from uuid import NAMESPACE_URL, UUID, uuid5

from domain.journal.commits import StoredEvent


class LogEpoch(NamedTuple):
    """An epoch of the log. ``origin`` names the log, ``key`` is the verifier key by which it will be signed next, ``store`` the epoch of
    the store that it follows.
    """

    number: int
    origin: str
    key: str
    store: str
    began_at: str


class OwnEntry(NamedTuple):
    """An entry of a log about itself, which is no event: at this leaf, and at this position of the stream of the log."""

    epoch: int
    leaf: int
    position: int
    name: str
    state: str


class BlindingKey(NamedTuple):
    """A key that blinds the commitments of an epoch from this leaf on."""

    epoch: int
    leaf: int
    key: bytes


class LogRegister(Protocol):
    """The register of the log. Synchronous and thread-safe; each write is durable when the method returns."""

    def log_epochs(self) -> list[LogEpoch]:
        """Return the epochs, the first one first."""

    def begin_log(self, epoch: LogEpoch, blinding: bytes, *first: OwnEntry) -> None:
        """Begin an epoch, with the key that blinds it from its first leaf on. Raises ``Duplicate`` if another process began it."""

    def track_store(self, epoch: int, store: str) -> None:
        """Let the epoch of the log follow this epoch of the store from now on."""

    def own_entries(self, epoch: int) -> list[OwnEntry]:
        """Return the own entries of an epoch, by their leaves."""

    def rotate_log(self, entry: OwnEntry, key: str, since: str, *, signs: bool) -> None:
        """Enter that a new key comes, ``signs``: for checkpoints. Raises ``Duplicate`` if another process entered something there."""

    def blinding_keys(self, epoch: int) -> list[BlindingKey]:
        """Return the blinding keys of an epoch, by their leaves."""

    def add_key(self, key: BlindingKey) -> None:
        """Add a blinding key. Raises ``Duplicate``."""

    def log_keys(self) -> list[str]:
        """Return every verifier key by which anything was ever signed, the oldest first."""

    def keep_log_key(self, key: str, since: str) -> None:
        """Add a verifier key; one that is there stays."""


# The entries of a log in their order: the events of the store, and between them those of the log about itself.


FORKED = "log.forked/1"
"""The first entry of an epoch that is not the first."""
ROTATED = "log.rotated/1"
"""Another key signs from here on."""

Sequenced: TypeAlias = tuple[int, StoredEvent]


def stream_of_log(origin: str) -> UUID:
    """Return the stream under which the entries of a log about itself stand in its tree."""
    return uuid5(NAMESPACE_URL, origin)


def own_entries(register: LogRegister, epoch: LogEpoch) -> dict[int, StoredEvent]:
    """Return the own entries by their leaves, as if they were events."""
    stream = stream_of_log(epoch.origin)
    return {own.leaf: StoredEvent(stream, own.position, own.name, own.state.encode()) for own in register.own_entries(epoch.number)}


def merge_own_entries(rows: Iterable[Sequenced], own: Mapping[int, StoredEvent], leaf: int, sequence: int) -> list[Sequenced]:
    """Return the entries from a leaf on, if these events come next. Own entries have the sequence of the event before them."""
    found = list[Sequenced]()
    # The last row is a sentinel: own entries may stand behind the last event.
    for after, event in (*rows, (0, None)):
        while leaf + len(found) in own:
            found.append((sequence, own[leaf + len(found)]))
        if event is not None:
            found.append((after, event))
            sequence = after
    return found


def blinding_at(keys: Sequence[BlindingKey], leaf: int) -> bytes:
    """Return the key that blinds a leaf. ``keys`` in the order of their leaves, the first from leaf 0 on."""
    return next(key.key for key in reversed(keys) if key.leaf <= leaf)
