"""Audit of the stored data beside a stream's events, which has to match them: sequences, words of people, and stored states."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Literal, TypeAlias

from msgspec import Struct

from domain.events import Recorded
from domain.events.base import TextRef, text_ref_of
from domain.game import Game
from replay.audit_result import AuditCollector

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
