"""The audit of a series decides every event again."""

from datetime import UTC, datetime
from typing import Any

from domain import codec
from domain.events import Recorded, Stamp
from domain.events.series import (
    SeriesAdjusted,
    SeriesAnnounced,
    SeriesCategoryGiven,
    SeriesCorrected,
    SeriesEnded,
    SeriesPublished,
    SeriesTournamentAdded,
    SeriesTournamentRemoved,
)
from domain.series.series import series_stream
from replay.streams import audit_series
from tests.domain.series.season import REASON, by_place

ADDED = SeriesTournamentAdded("march", "1")
ALL = (
    SeriesAnnounced("cup", None, by_place()),
    SeriesCorrected(None, by_place(3, 1)),
    ADDED,
    SeriesTournamentRemoved("march", REASON),
    SeriesAdjusted("anna", 3, REASON),
    SeriesCategoryGiven("anna", "junior"),
    SeriesEnded(None),
    SeriesPublished("names"),
)


def history(*events: Any) -> tuple[Recorded, ...]:
    return codec.link_events(series_stream("cup"), 0, None, Stamp(datetime(2026, 3, 1, tzinfo=UTC), "p_director"), events)


def a_series() -> tuple[Recorded, ...]:
    """A series to which nobody said a word."""
    return history(*(one for one in ALL if getattr(one, "reason", None) is None))


def test_a_whole_series_is_sound():
    found = audit_series(history(*ALL))
    assert (found.kind, found.id, found.verdict, found.judged) == ("series", "cup", "sound", len(ALL))


def test_what_could_not_have_been_decided_is_found():
    found = audit_series(history(ALL[0], ADDED, ADDED, SeriesEnded(None), SeriesAdjusted("anna", 3, REASON)))
    assert (found.verdict, [one.position for one in found.divergences]) == ("divergent", [3, 5])
