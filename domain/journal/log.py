"""The register of the log (docs/proof.md): what of it does not follow from the events, and lies in the backup with them.

Its tree follows from them, and lies elsewhere. Its signing key lies in no database.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeAlias
from uuid import NAMESPACE_URL, UUID, uuid5

from domain.journal.commits import StoredEvent


class LogEpoch(NamedTuple):
    """``origin`` names the log in its checkpoints, ``key`` is the verifier key by which the next one will be signed, ``store`` the epoch of
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
    """Blinds the commitments of an epoch from this leaf on."""

    epoch: int
    leaf: int
    key: bytes


class LogRegister(Protocol):
    """Synchronous and thread-safe; each write is durable when the method returns."""

    def log_epochs(self) -> list[LogEpoch]:
        """The first one first."""

    def begin_log(self, epoch: LogEpoch, blinding: bytes, *first: OwnEntry) -> None:
        """Begins an epoch, with the key that blinds it from its first leaf on. Raises ``Duplicate`` where somebody else began it."""

    def follow_store(self, epoch: int, store: str) -> None:
        """From now on the epoch of the log follows this epoch of the store."""

    def own_entries(self, epoch: int) -> list[OwnEntry]:
        """Those of an epoch, by their leaves."""

    def rotate_log(self, entry: OwnEntry, key: str, since: str, *, signs: bool) -> None:
        """Enters that a new key comes, ``signs``: for checkpoints. Raises ``Duplicate`` where somebody else entered something there."""

    def blinding_keys(self, epoch: int) -> list[BlindingKey]:
        """Those of an epoch, by their leaves."""

    def blind_anew(self, key: BlindingKey) -> None:
        """Raises ``Duplicate``."""

    def log_keys(self) -> list[str]:
        """Every verifier key by which anything was ever signed, the oldest first."""

    def keep_log_key(self, key: str, since: str) -> None:
        """Adds one; one that is there stays."""


# Which entries a log has, in their order: the events of the store, and between them those of the log about itself.


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
