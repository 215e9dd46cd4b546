"""The index of series: what the list shows to whom."""

from datetime import timedelta
from typing import Any

from domain import codec
from domain.access import PUBLISHED, WHOLE, OfSeries, visibility_within
from domain.events import Recorded, Stamp, digest
from domain.events.base import TextRef
from domain.events.series import (
    SeriesAnnounced,
    SeriesCorrected,
    SeriesEnded,
    SeriesPublished,
    SeriesTournamentAdded,
    SeriesTournamentRemoved,
)
from domain.series.series import series_stream
from projections.engine.store import Store
from projections.models.series import SERIES_INDEX, SeriesRow, series_page
from tests.domain.series.season import REASON, by_place
from tests.projections.helpers import projected
from tests.projections.histories import START, Log

ADDED = (SeriesTournamentAdded("march", "1"), SeriesTournamentAdded("april", "2"), SeriesTournamentRemoved("march", REASON))
EVENTS = (*ADDED, SeriesCorrected(TextRef("another title", "digest"), by_place()), SeriesEnded(None), SeriesPublished("aliases"))


def history(name: str, *events: Any) -> list[Recorded]:
    found: list[Recorded] = []
    for position, event in enumerate((SeriesAnnounced(name, None, by_place()), *events), 1):
        stamp = Stamp(START + timedelta(seconds=position), "p_director")
        found.append(codec.encode_event(series_stream(name), position, digest(found[-1].state) if found else None, stamp, event))
    return found


def test_a_row_says_what_its_series_is_now(store: Store):
    log = Log(history("cup", *EVENTS))
    projected(store, log, SERIES_INDEX)
    at = START + timedelta(seconds=1)
    row = SeriesRow(str(series_stream("cup")), "cup", log.events[0][0], at, "another title", 1, True, "aliases", 7)
    assert series_page(store, WHOLE, None, 10).rows == (row,)


def test_each_sees_their_own_series_and_the_published_ones(store: Store):
    log = Log([*history("cup", *EVENTS), *history("own"), *history("other")])
    projected(store, log, SERIES_INDEX)
    told = {
        name: [row.series for row in series_page(store, reach, None, 10).rows]
        for name, reach in (("all", WHOLE), ("public", PUBLISHED), ("own", visibility_within(OfSeries("own"))))
    }
    assert told == {"all": ["other", "own", "cup"], "public": ["cup"], "own": ["own", "cup"]}
