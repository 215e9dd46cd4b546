"""The register of the log (docs/proof.md): what of it does not follow from the events, and lies in the backup with them.

Its tree follows from them, and lies elsewhere. Its signing key lies in no database.
"""

from typing import NamedTuple, Protocol


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
