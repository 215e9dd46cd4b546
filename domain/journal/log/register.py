"""The register of the log (docs/proof.md): what of it does not follow from the events, and lies in the backup with them.

Its tree follows from them, and lies elsewhere. Its signing key lies in no database.
"""

from typing import NamedTuple, Protocol


class LogEpoch(NamedTuple):
    """``origin`` names the log in its checkpoints, ``key`` is the verifier key by which they are signed, ``store`` the epoch of the store
    that it follows. ``forked``: the first entry of an epoch that parted from the one before it.
    """

    number: int
    origin: str
    key: str
    store: str
    forked: str | None
    began_at: str


class BlindingKey(NamedTuple):
    """Blinds the commitments of an epoch from this leaf on."""

    epoch: int
    leaf: int
    key: bytes


class LogRegister(Protocol):
    """Synchronous and thread-safe; each write is durable when the method returns."""

    def log_epochs(self) -> list[LogEpoch]:
        """The first one first."""

    def begin_log(self, epoch: LogEpoch, blinding: bytes) -> None:
        """Begins an epoch, with the key that blinds it from its first leaf on. Raises ``Duplicate`` where somebody else began it."""

    def blinding_keys(self, epoch: int) -> list[BlindingKey]:
        """Those of an epoch, by their leaves."""

    def told_keys(self) -> list[str]:
        """The verifier keys that ever signed what the log tells, the oldest first."""

    def keep_told_key(self, key: str, since: str) -> None:
        """Adds one; one that is there stays."""
