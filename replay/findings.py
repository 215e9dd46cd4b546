"""What an audit finds: the values it answers, and where they are put down on the way."""

from typing import Literal, TypeAlias
from uuid import UUID

from msgspec import Struct

DivergenceKind: TypeAlias = Literal[
    "gap",
    "link",
    "unknown_name",
    "unreadable",
    "misplaced",
    "opening",
    "refused",
    "failed",
    "act",
    "effects",
    "cards",
    "restored",
    "score_sheet",
]
Verdict: TypeAlias = Literal["sound", "divergent", "not_judged"]


class Divergence(Struct, frozen=True):
    """Something recorded that cannot have been so. ``recorded`` and ``recomputed`` are shortened where they would be long."""

    position: int
    kind: DivergenceKind
    recorded: str
    recomputed: str


class Unjudged(Struct, frozen=True):
    """Positions, both included, that could not be held against the rules."""

    first: int
    last: int
    reason: str


class AuditRemark(Struct, frozen=True):
    """Odd, but no divergence: a clock may have been set back."""

    position: int
    text: str


class Audit(Struct, frozen=True):
    """``judged`` counts the events that were held against the rules. ``not_judged``: nothing diverges, but not all was judged."""

    game: UUID
    ruleset: str | None
    verdict: Verdict
    events: int
    judged: int
    divergences: tuple[Divergence, ...]
    unjudged: tuple[Unjudged, ...]
    remarks: tuple[AuditRemark, ...]


class Findings:
    """The notebook of one audit."""

    def __init__(self) -> None:
        self.judged = 0
        self._divergences: list[Divergence] = []
        self._unjudged: list[Unjudged] = []
        self._remarks: list[AuditRemark] = []

    def diverges(self, position: int, kind: DivergenceKind, recorded: str, recomputed: str) -> None:
        self._divergences.append(Divergence(position, kind, recorded, recomputed))

    def leaves(self, position: int, reason: str) -> None:
        """Not judged. Neighbours that are left for the same reason are told as one stretch."""
        last = self._unjudged[-1] if self._unjudged else None
        if last and last.reason == reason and last.last == position - 1:
            self._unjudged[-1] = Unjudged(last.first, position, reason)
        else:
            self._unjudged.append(Unjudged(position, position, reason))

    def remarks(self, position: int, text: str) -> None:
        self._remarks.append(AuditRemark(position, text))

    def conclude(self, game: UUID, ruleset: str | None, events: int) -> Audit:
        verdict: Verdict = "divergent" if self._divergences else "not_judged" if self._unjudged else "sound"
        found = tuple(self._divergences), tuple(self._unjudged), tuple(self._remarks)
        return Audit(game, ruleset, verdict, events, self.judged, *found)
