"""The findings of an audit: its result, and the notebook in which they are collected."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Literal, TypeAlias
from uuid import UUID

from msgspec import Struct

from domain.events import Recorded
from domain.events.base import TextRef, text_ref_of
from domain.game import Game

DivergenceKind: TypeAlias = Literal[
    "gap",
    "link",
    "stream",
    "sequence",
    "unknown_name",
    "unreadable",
    "misplaced",
    "opening",
    "refused",
    "failed",
    "act",
    "pairing",
    "lots",
    "other_half",
    "effects",
    "cards",
    "restored",
    "score_sheet",
    "words",
    "snapshot",
    "deck",
]
Verdict: TypeAlias = Literal["sound", "divergent", "not_judged"]


class AuditMismatch(Struct, frozen=True):
    """Something recorded that cannot have been so. ``recorded`` and ``recomputed`` are shortened if they would be long."""

    position: int
    kind: DivergenceKind
    recorded: str
    recomputed: str


class SkippedRange(Struct, frozen=True):
    """Positions, both included, that could not be compared with the rules."""

    first: int
    last: int
    reason: str


class AuditRemark(Struct, frozen=True):
    """Something odd that is no divergence: for example, a clock may have been set back."""

    position: int
    text: str


class Audit(Struct, frozen=True):
    """The audit of a game. ``judged`` counts the events that were compared with the rules. ``not_judged``: nothing diverges, but not all
    was judged.
    """

    game: UUID
    ruleset: str | None
    verdict: Verdict
    events: int
    judged: int
    divergences: tuple[AuditMismatch, ...]
    unjudged: tuple[SkippedRange, ...]
    remarks: tuple[AuditRemark, ...]


class StreamAudit(Struct, frozen=True):
    """The audit of another stream. ``id`` is the one that people use, of rating lists the ruleset; null where the first event has none."""

    kind: Literal["tournament", "player", "series", "ratings"]
    id: str | None
    stream: UUID
    verdict: Verdict
    events: int
    judged: int
    divergences: tuple[AuditMismatch, ...]
    unjudged: tuple[SkippedRange, ...]
    remarks: tuple[AuditRemark, ...]


class AuditCollector:
    """The notebook of one audit."""

    def __init__(self) -> None:
        self.judged = 0
        self._divergences: list[AuditMismatch] = []
        self._unjudged: list[SkippedRange] = []
        self._remarks: list[AuditRemark] = []

    def add_mismatch(self, position: int, kind: DivergenceKind, recorded: str, recomputed: str) -> None:
        self._divergences.append(AuditMismatch(position, kind, recorded, recomputed))

    def leaves(self, position: int, reason: str) -> None:
        """Leave a position unjudged. Neighbours that are left for the same reason become one range."""
        last = self._unjudged[-1] if self._unjudged else None
        if last and last.reason == reason and last.last == position - 1:
            self._unjudged[-1] = SkippedRange(last.first, position, reason)
        else:
            self._unjudged.append(SkippedRange(position, position, reason))

    def add_remark(self, position: int, text: str) -> None:
        self._remarks.append(AuditRemark(position, text))

    @property
    def final_result(self) -> Verdict:
        return "divergent" if self._divergences else "not_judged" if self._unjudged else "sound"

    def of_game(self, game: UUID, ruleset: str | None, events: int) -> Audit:
        return Audit(game, ruleset, self.final_result, events, self.judged, self._in_order(), tuple(self._unjudged), tuple(self._remarks))

    def of_stream(
        self, kind: Literal["tournament", "player", "series", "ratings"], id: str | None, stream: UUID, events: int
    ) -> StreamAudit:
        found = self._in_order(), tuple(self._unjudged), tuple(self._remarks)
        return StreamAudit(kind, id, stream, self.final_result, events, self.judged, *found)

    def _in_order(self) -> tuple[AuditMismatch, ...]:
        return tuple(sorted(self._divergences, key=lambda one: one.position))


# Audit of the stored data beside a stream's events, which has to match them: sequences, words of people, and stored states.


Words: TypeAlias = Literal["as_said", "others", "erased", "missing"]
"""The state of the words that an event refers to. ``missing``: not even a trace that they were erased."""


class StoredContext(Struct, frozen=True):
    """The stored data beside a stream. ``sequences`` are those of the events, in the order of their positions. ``snapshots`` are those of a
    game by their positions, ``None`` for one that cannot be read.
    """

    sequences: Sequence[int] = ()
    words: Callable[[TextRef], Words] = lambda _: "as_said"
    snapshots: Mapping[int, Game | None] = {}


NOTHING = StoredContext()


def compare_stored_context(findings: AuditCollector, history: Sequence[Recorded], beside: StoredContext) -> None:
    """Compare everything except the snapshots, which are compared while the history is folded."""
    for (before, _), (sequence, recorded) in pairwise(zip(beside.sequences, history, strict=False)):
        if sequence <= before:
            findings.add_mismatch(recorded.position, "sequence", f"sequence {sequence}", f"one after {before}")
    for recorded in history:
        ref = text_ref_of(recorded.event)
        words = "as_said" if ref is None else beside.words(ref)
        if ref is not None and words == "others":
            # No digest is given: a short text can be found from its digest by trying.
            findings.add_mismatch(recorded.position, "words", f"text {ref.id}", "the words of this event")
        elif words == "missing":
            # A remark: a record may have come here without words that were erased where it was recorded.
            findings.add_remark(recorded.position, "nothing is kept of the words of this event, not even that they were erased")
