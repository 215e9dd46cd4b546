"""Shared audit of tournaments and players: a walk along the events, each compared with what is decided on the state before it."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Generic

from msgspec import Struct

from domain.aggregate import A, AggregateType
from domain.events import NAMES, Event, Recorded
from domain.events.base import Unreadable
from replay.audit_result import AuditCollector, DivergenceKind
from replay.chain import Chain
from replay.content import in_values, same_bytes, shorten
from replay.editions import judging

_NOT_KNOWN = "what was recorded before it is not known"


class MissingDataError(Exception):
    """The kept data cannot decide whether the event is right; the message says why."""


class DecisionMismatchError(Exception):
    """The decision could not have led to what was recorded."""

    def __init__(self, kind: DivergenceKind, recorded: str, recomputed: str) -> None:
        super().__init__(kind)
        self.kind = kind
        self.recorded = recorded
        self.recomputed = recomputed


class Decisions(Struct, Generic[A], frozen=True):
    """The decisions of a kind of stream.

    ``first`` answers the first event as it is decided; ``again`` the one at an index of the history, on the aggregate before it. Both raise
    the errors of the decision, ``DecisionMismatchError`` and ``MissingDataError``.
    """

    kind: AggregateType[A]
    events: tuple[type, ...]
    opens: type
    first: Callable[[Recorded], Event]
    again: Callable[[A, Sequence[Recorded], int], Event]


def walk(findings: AuditCollector, history: Sequence[Recorded], decisions: Decisions[A]) -> A | None:
    """Judge the events. Return the aggregate as recorded. Raises nothing, whatever was recorded."""
    chain, whole = Chain(findings, history), True
    known: A | None = None
    for index, recorded in enumerate(history):
        whole = chain.check_link(recorded) and whole
        if isinstance(recorded.event, Unreadable):
            continue
        if not _is_expected_kind(decisions, recorded):
            findings.add_mismatch(recorded.position, "misplaced", recorded.name, f"an event of a {decisions.kind.name} that belongs here")
        elif known is not None and not whole:
            findings.leaves(recorded.position, _NOT_KNOWN)
        else:
            _judge(findings, recorded, partial(_repeat_decision, decisions, known, history, index))
        if known is not None or isinstance(recorded.event, decisions.opens):
            known = decisions.kind.project(known, (recorded,))
    return known


def _is_expected_kind(decisions: Decisions[A], recorded: Recorded) -> bool:
    return isinstance(recorded.event, decisions.events) and isinstance(recorded.event, decisions.opens) is (recorded.position == 1)


def _repeat_decision(decisions: Decisions[A], known: A | None, history: Sequence[Recorded], index: int) -> Event:
    if known is not None:
        return decisions.again(known, history, index)
    if history[index].position > 1:
        raise MissingDataError(_NOT_KNOWN)
    return decisions.first(history[index])


def _judge(findings: AuditCollector, recorded: Recorded, decide: Callable[[], Event]) -> None:
    event: Any = recorded.event
    with judging(findings, recorded.position, event):
        try:
            expected = decide()
        except MissingDataError as unknowable:
            findings.judged -= 1
            findings.leaves(recorded.position, str(unknowable))
            return
        except DecisionMismatchError as amiss:
            findings.add_mismatch(recorded.position, amiss.kind, amiss.recorded, amiss.recomputed)
            return
        if type(expected) is not type(event):
            findings.add_mismatch(recorded.position, "act", recorded.name, shorten(NAMES[type(expected)]))
        elif not same_bytes(event, expected):
            findings.add_mismatch(recorded.position, "act", *in_values(event, expected))
