"""The index of series: a row a series, newest first. It holds no free text."""

from datetime import datetime

from msgspec import Struct
from msgspec.structs import asdict, replace

from domain.access import VisibilityScope
from domain.events import Recorded
from domain.events import series as events
from domain.events.tournament import Publication
from projections.engine.store import Batch, Projection, Row, Store, Transaction, placeholders, rows_by_ids
from projections.models.reading import latest_first, struct_of
from projections.values import microseconds, to_stored_value

_COLUMNS = "stream, series, announced, announced_at, title, tournaments, ended, publication, position"
_TABLES: dict[str, tuple[str, ...]] = {
    "series_index": (
        """CREATE TABLE series_index (
    stream TEXT PRIMARY KEY,
    series TEXT NOT NULL UNIQUE,
    announced BIGINT NOT NULL,
    announced_at BIGINT NOT NULL,
    title TEXT,
    tournaments BIGINT NOT NULL,
    ended INTEGER NOT NULL,
    publication TEXT NOT NULL,
    position BIGINT NOT NULL
)""",
        "CREATE INDEX series_index_announced ON series_index (announced)",
    ),
}
_SELECT = f"SELECT {_COLUMNS} FROM series_index"
_UPSERT = (
    f"INSERT INTO series_index ({_COLUMNS}) VALUES ({placeholders(9)}) ON CONFLICT (stream) DO UPDATE SET title = excluded.title,"
    " tournaments = excluded.tournaments, ended = excluded.ended, publication = excluded.publication, position = excluded.position"
)
_ANNOUNCED = 2  # its place among the columns


class SeriesRow(Struct, frozen=True):
    """A series as its last projected event left it. ``announced`` is the sequence of its announcement, ``title`` the id of a text."""

    stream: str
    series: str
    announced: int
    announced_at: datetime
    title: str | None
    tournaments: int
    ended: bool
    publication: Publication
    position: int


class SeriesPage(Struct, frozen=True):
    """A page of series. ``next`` is the cursor of the following page, ``None`` on the last."""

    rows: tuple[SeriesRow, ...]
    next: str | None


def series_page(store: Store, reach: VisibilityScope, cursor: str | None, limit: int) -> SeriesPage:
    """Return a page of the series within the reach. Raises ``BadCursor``."""
    own = {} if reach.whole else {"(publication <> 'no' OR series = ?)": to_stored_value(reach.series or "")}
    rows, next = latest_first(store, f"{_SELECT} WHERE TRUE", "announced", own, cursor, limit, _ANNOUNCED)
    return SeriesPage(tuple(map(_row_of, rows)), next)


def list_series(store: Store) -> tuple[SeriesRow, ...]:
    """Return all series, the oldest first."""
    return tuple(map(_row_of, store.query(f"{_SELECT} ORDER BY announced")))


def _row_of(columns: Row) -> SeriesRow:
    return struct_of(SeriesRow, columns, moments=("announced_at",), flags=("ended",))


def _apply(tx: Transaction, batch: Batch) -> None:
    of_index = [one for one in batch if type(one[1].event) in events.NAMES]
    streams = tuple({str(recorded.stream) for _, recorded in of_index})
    known = {row[0]: _row_of(row) for row in rows_by_ids(tx, f"{_SELECT} WHERE stream IN", streams)}
    for sequence, recorded in of_index:
        stream = str(recorded.stream)
        after = _after(known.get(stream), sequence, recorded)
        if after is not None:
            known[stream] = replace(after, position=recorded.position)
    tx.run_many(_UPSERT, [_columns(row) for row in known.values()])


def _columns(row: SeriesRow) -> Row:
    values = {**asdict(row), "announced_at": microseconds(row.announced_at), "ended": int(row.ended)}
    return tuple(values.values())


def _after(row: SeriesRow | None, sequence: int, recorded: Recorded) -> SeriesRow | None:
    """Return the row after the event; ``None`` for a series whose announcement could not be read."""
    event = recorded.event
    if row is None:
        if not isinstance(event, events.SeriesAnnounced):
            return None
        at, title = recorded.stamp.at, event.title.id if event.title else None
        return SeriesRow(str(recorded.stream), to_stored_value(event.series), sequence, at, title, 0, False, "no", recorded.position)
    match event:
        case events.SeriesCorrected(title=title_ref):
            return replace(row, title=title_ref.id if title_ref else None)
        case events.SeriesTournamentAdded():
            return replace(row, tournaments=row.tournaments + 1)
        case events.SeriesTournamentRemoved():
            return replace(row, tournaments=row.tournaments - 1)
        case events.SeriesEnded():
            return replace(row, ended=True)
        case events.SeriesPublished(publication=publication):
            return replace(row, publication=publication)
        case _:
            return row


SERIES_INDEX = Projection("series", 1, _TABLES, _apply, known="SELECT stream, position FROM series_index", plain_moves=False)
