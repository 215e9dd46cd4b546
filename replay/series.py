"""The audit of a series: every event decided again on the series before it. What a tournament was like when it was added is not judged."""

from collections.abc import Sequence
from typing import get_args

from domain.events import Event, Recorded
from domain.events.series import (
    SeriesAdjusted,
    SeriesAnnounced,
    SeriesCategoryGiven,
    SeriesCorrected,
    SeriesEnded,
    SeriesEvent,
    SeriesPublished,
    SeriesTournamentAdded,
    SeriesTournamentRemoved,
)
from domain.series import decisions
from domain.series.series import SERIES, Series, series_stream
from replay.audit_result import AuditCollector, StreamAudit
from replay.stored_context import NOTHING, StoredContext, compare_stored_context
from replay.streams import DecisionMismatchError, Decisions, walk


def audit_series(history: Sequence[Recorded], beside: StoredContext = NOTHING) -> StreamAudit:
    """Audit the whole history of one series, in order. Raises nothing, whatever was recorded there."""
    if not history:
        raise ValueError("an audit needs a history")
    findings = AuditCollector()
    known = walk(findings, history, Decisions(SERIES, get_args(SeriesEvent), SeriesAnnounced, _expect_announcement, _replay_event))
    compare_stored_context(findings, history, beside)
    return findings.of_stream("series", known.series if known else None, history[0].stream, len(history))


def _expect_announcement(first: Recorded) -> Event:
    event = first.event
    assert isinstance(event, SeriesAnnounced)
    if series_stream(event.series) != first.stream:
        raise DecisionMismatchError("stream", f"series {event.series!r}", f"stream {series_stream(event.series)}, not {first.stream}")
    return decisions.announce_series(event.series, event.title, event.plan, event.plan.rulesets or ())


def _replay_event(before: Series, history: Sequence[Recorded], index: int) -> Event:
    event = history[index].event
    match event:
        case SeriesCorrected(title=title, plan=plan):
            return decisions.correct_series(before, title, plan, plan.rulesets or (), ())
        case SeriesTournamentAdded(tournament=tournament, weight=weight):
            return decisions.record_added_tournament(before, tournament, weight)
        case SeriesTournamentRemoved(tournament=tournament, reason=reason):
            return decisions.remove_tournament(before, tournament, reason)
        case SeriesAdjusted(player=player, points=points, reason=reason):
            return decisions.adjust_points(before, player, points, reason)
        case SeriesCategoryGiven(player=player, category=category):
            return decisions.set_category(before, player, category)
        case SeriesEnded(reason=reason):
            return decisions.end_series(before, reason, ())
        case SeriesPublished(publication=publication):
            return decisions.publish_series(before, publication)
    raise ValueError("no event that follows another one of a series")
