"""The witnesses of a log: those the operator named, their cosignatures, and their troubles; and the port of what is kept permanently."""

import re
from typing import Literal, NamedTuple, Protocol, TypeAlias

from msgspec import Struct

from replay.proof.checkpoints import COSIGNATURE, VerificationError, VerifierKey, read_key

Trouble: TypeAlias = Literal["away", "refused", "ahead", "disagrees"]
"""``away``: no answer in time, or none of use; ``refused``: it signs nothing of this log. ``ahead``: it has signed more entries than
the log has; ``disagrees``: it has signed others."""
_URL = re.compile(r"https?://[^\s,]+")
STOPPING: tuple[Trouble, ...] = ("ahead", "disagrees")
"""Troubles that stop the log: it has two histories, and signs nothing more."""


class Standing(NamedTuple):
    """The state of a witness, by its verifier key: so many entries of an epoch it signed last, and when, in seconds of POSIX. ``trouble``
    since when; ``named``: the size that it named.
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

    def has_signed(self, size: int) -> bool:
        """Return whether it has nothing more to do for a checkpoint of this size."""
        return self.at is not None and self.size == size and self.trouble is None

    @property
    def stops(self) -> bool:
        return self.trouble in STOPPING


class Cosignatures(Protocol):
    """The register of cosignatures, which do not follow from the events. Safe to use from many threads. Raises ``Unavailable``."""

    def standings(self) -> list[Standing]:
        """Return the state of every witness that was ever asked."""

    def record_cosignature(self, standing: Standing, note: str, line: str) -> None:
        """Keep the line over this checkpoint permanently, and publish it with the checkpoint if that is still the newest."""

    def record_failure(self, standing: Standing) -> None: ...


class NamedWitness(Struct, frozen=True):
    """A named witness: its address, and the verifier key of its signatures."""

    url: str
    key: str

    @property
    def verifier(self) -> VerifierKey:
        return read_key(self.key)


def read_witnesses(text: str) -> tuple[NamedWitness, ...]:
    """Return the witnesses from ``URL KEY, URL KEY``. Raises ValueError for an invalid one."""
    words = text.replace(",", " ").split()
    pairs = tuple(NamedWitness(url.rstrip("/"), key) for url, key in zip(words[::2], words[1::2], strict=True))
    for pair in pairs:
        if not _URL.fullmatch(pair.url) or not _is_witness(pair.key):
            raise ValueError(f"{pair.url} {pair.key}")
    return pairs


def _is_witness(key: str) -> bool:
    try:
        return read_key(key).kind == COSIGNATURE
    except VerificationError:
        return False


class TrustedCheckpoints(Protocol):
    """The register of kept checkpoints, which do not follow from the events. Safe to use from many threads. Raises ``Unavailable``."""

    def keep(self, epoch: int, size: int, note: str) -> None:
        """Keep a checkpoint; repeating it does no harm. ``note``: without its witnesses."""

    def first_with_leaf(self, epoch: int, leaf: int, before: int) -> str | None:
        """Return the note of the smallest one that has this leaf and fewer entries than ``before``, with all witnesses that signed it."""
