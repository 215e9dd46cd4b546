"""What the witnesses of a log have signed, and what keeps them from it."""

from typing import Literal, NamedTuple, Protocol, TypeAlias

Trouble: TypeAlias = Literal["away", "refused", "ahead", "disagrees"]
"""``away``: no answer in time, or none of use; ``refused``: it signs nothing of this log. ``ahead``: it has signed more entries than
the log has; ``disagrees``: it has signed others."""
STOPPING: tuple[Trouble, ...] = ("ahead", "disagrees")
"""Then the log has two histories, and signs nothing more."""


class Standing(NamedTuple):
    """How it stands with a witness, by its verifier key: so many entries of an epoch it signed last, and when, in seconds of POSIX.

    ``trouble`` since when; ``named``: the size that it named.
    """

    key: str
    epoch: int = 0
    size: int = 0
    at: int | None = None
    trouble: Trouble | None = None
    since: int | None = None
    named: int = 0

    @property
    def name(self) -> str:
        return self.key.partition("+")[0]

    def signed(self, size: int) -> bool:
        """Whether it has nothing more to do for a checkpoint of this size."""
        return self.at is not None and self.size == size and self.trouble is None

    @property
    def stops(self) -> bool:
        return self.trouble in STOPPING


class Cosignatures(Protocol):
    """They do not follow from the events. Safe to use from many threads. Raises ``Unavailable``."""

    def standings(self) -> list[Standing]:
        """Of every witness that was ever asked."""

    def cosigned(self, standing: Standing, note: str, line: str) -> None:
        """Keeps the line over this checkpoint for good, and publishes it with the checkpoint if that is still the newest."""

    def troubled(self, standing: Standing) -> None: ...
