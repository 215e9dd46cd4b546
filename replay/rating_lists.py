"""The audit of published rating lists: every publication decided again, without rating the games anew."""

from collections.abc import Sequence

from domain.events import Event, Recorded
from domain.events.ratings import RatingsPublished
from domain.rating_lists import RATING_LISTS, RatingLists, publish_ratings, rating_lists_stream
from replay.audit_result import NOTHING, AuditCollector, StoredContext, StreamAudit, compare_stored_context
from replay.streams import DecisionMismatchError, Decisions, walk


def audit_rating_lists(history: Sequence[Recorded], beside: StoredContext = NOTHING) -> StreamAudit:
    """Audit the whole history of the lists of one ruleset, in order. Raises nothing, whatever was recorded there."""
    if not history:
        raise ValueError("an audit needs a history")
    findings = AuditCollector()
    again = Decisions(RATING_LISTS, (RatingsPublished,), RatingsPublished, lambda first: _replay_event(None, first), _replay_next)
    known = walk(findings, history, again)
    compare_stored_context(findings, history, beside)
    return findings.of_stream("ratings", known.ruleset if known else None, history[0].stream, len(history))


def _replay_next(before: RatingLists, history: Sequence[Recorded], index: int) -> Event:
    return _replay_event(before, history[index])


def _replay_event(before: RatingLists | None, recorded: Recorded) -> Event:
    event = recorded.event
    assert isinstance(event, RatingsPublished)
    if rating_lists_stream(event.ruleset) != recorded.stream:
        raise DecisionMismatchError("stream", f"ruleset {event.ruleset!r}", f"stream {rating_lists_stream(event.ruleset)}")
    return publish_ratings(before, event.ruleset, event.to, event.minimum_games, event.publication, event.lines, recorded.stamp.at)
