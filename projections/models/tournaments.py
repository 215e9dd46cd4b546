"""The index of tournaments: a row a tournament, and its position at each sequence and moment. It holds no free text."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, TypeAlias
from uuid import UUID

from msgspec import Struct
from msgspec.structs import asdict, replace

from domain.access import VisibilityScope
from domain.events import Recorded
from domain.events import tournament as events
from domain.standings.plan import Format
from projections.engine.store import Batch, Projection, Row, Store, Transaction, placeholders, rows_by_ids
from projections.models.reading import latest_first, struct_of, tournaments_within
from projections.values import as_json, microseconds, to_stored_value

TournamentState: TypeAlias = Literal["announced", "running", "finished", "cancelled"]
"""It runs from the pairing of its first round on."""

_COLUMNS = (
    "stream, tournament, announced, announced_at, title, ruleset, options, seats, format, state, entrants, rounds, closed, position,"
    " sequence, updated_at, publication, hall_names"
)
_TABLES: dict[str, tuple[str, ...]] = {
    "tournament_index": (
        """CREATE TABLE tournament_index (
    stream TEXT PRIMARY KEY,
    tournament TEXT NOT NULL UNIQUE,
    announced BIGINT NOT NULL,
    announced_at BIGINT NOT NULL,
    title TEXT,
    ruleset TEXT NOT NULL,
    options TEXT NOT NULL,
    seats INTEGER NOT NULL,
    format TEXT NOT NULL,
    state TEXT NOT NULL,
    entrants BIGINT NOT NULL,
    rounds BIGINT NOT NULL,
    closed BIGINT NOT NULL,
    position BIGINT NOT NULL,
    sequence BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    publication TEXT NOT NULL,
    hall_names TEXT
)""",
        "CREATE INDEX tournament_index_announced ON tournament_index (announced)",
        "CREATE INDEX tournament_index_ruleset ON tournament_index (ruleset, announced)",
        "CREATE INDEX tournament_index_published ON tournament_index (tournament) WHERE publication <> 'no'",
    ),
    "tournament_positions": (
        """CREATE TABLE tournament_positions (
    stream TEXT NOT NULL,
    position BIGINT NOT NULL,
    sequence BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (stream, position)
)""",
    ),
}
SELECT = f"SELECT {_COLUMNS} FROM tournament_index"
_POSITION = "INSERT INTO tournament_positions (stream, position, sequence, at) VALUES (?, ?, ?, ?)"
_UPSERT = (
    f"INSERT INTO tournament_index ({_COLUMNS}) VALUES ({placeholders(18)}) ON CONFLICT (stream) DO UPDATE SET title = excluded.title,"
    " ruleset = excluded.ruleset, options = excluded.options, seats = excluded.seats, format = excluded.format, state = excluded.state,"
    " entrants = excluded.entrants, rounds = excluded.rounds, closed = excluded.closed, position = excluded.position,"
    " sequence = excluded.sequence, updated_at = excluded.updated_at, publication = excluded.publication,"
    " hall_names = excluded.hall_names"
)


class TournamentRow(Struct, frozen=True):
    """A tournament as its last projected event left it.

    ``announced`` is the sequence of its announcement, ``title`` the id of a text. ``entrants`` counts those who have not withdrawn,
    ``rounds`` the rounds that were paired, ``closed`` those that were closed.
    """

    stream: str
    tournament: str
    announced: int
    announced_at: datetime
    title: str | None
    ruleset: str
    options: dict[str, Any]
    seats: int
    format: Format
    state: TournamentState
    entrants: int
    rounds: int
    closed: int
    position: int
    sequence: int
    updated_at: datetime
    publication: events.Publication
    hall_names: events.HallNames | None


def row_of(columns: Row) -> TournamentRow:
    """Return the row from the columns of ``SELECT``."""
    return struct_of(TournamentRow, columns, ("options",), ("announced_at", "updated_at"))


def _columns(row: TournamentRow) -> Row:
    times = {column: microseconds(getattr(row, column)) for column in ("announced_at", "updated_at")}
    values = {**asdict(row), **times, "options": as_json(row.options)}
    return tuple(values.values())


def _apply(tx: Transaction, batch: Batch) -> None:
    of_index = [one for one in batch if type(one[1].event) in events.NAMES]
    known = _read_rows(tx, tuple({str(recorded.stream) for _, recorded in of_index}))
    for sequence, recorded in of_index:
        stream = str(recorded.stream)
        after = _after(known.get(stream), sequence, recorded)
        if after is not None:
            known[stream] = replace(after, position=recorded.position, sequence=sequence, updated_at=recorded.stamp.at)
    tx.run_many(_UPSERT, [_columns(row) for row in known.values()])
    # Only of known tournaments: without its announcement a stream has no row, and its positions could not be queried.
    places = ((str(one.stream), one.position, sequence, microseconds(one.stamp.at)) for sequence, one in of_index)
    tx.run_many(_POSITION, [place for place in places if place[0] in known])


def _read_rows(tx: Transaction, streams: Sequence[str]) -> dict[str, TournamentRow]:
    return {row[0]: row_of(row) for row in rows_by_ids(tx, f"{SELECT} WHERE stream IN", streams)}


def _after(row: TournamentRow | None, sequence: int, recorded: Recorded) -> TournamentRow | None:
    """Return the row after the event; ``None`` for a tournament whose announcement could not be read."""
    event = recorded.event
    if row is None:
        return _row_of_announcement(sequence, recorded, event) if isinstance(event, events.TournamentAnnounced) else None
    match event:
        case events.TournamentCorrected() as plan:
            title = plan.title.id if plan.title else None
            return replace(row, title=title, ruleset=plan.ruleset, options=plan.options, seats=plan.seats, format=plan.format)
        case events.EntryAccepted() | events.EntryReturned():
            return replace(row, entrants=row.entrants + 1)
        case events.EntryWithdrawn():
            return replace(row, entrants=row.entrants - 1)
        case events.RoundPaired(round=round):
            return replace(row, rounds=round, state="running")
        case events.PairingWithdrawn(round=round):
            return replace(row, rounds=round - 1, state="running" if round > 1 else "announced")
        case events.RoundClosed(round=round):
            return replace(row, closed=round)
        case events.TournamentEnded() | events.TournamentReopened() as last:
            return replace(row, state=_state_after(row, last))
        case events.TournamentPublished() | events.HallNamesSet() as chosen:
            return replace(row, **asdict(chosen))
        case _:
            return row


def _state_after(row: TournamentRow, event: events.TournamentEnded | events.TournamentReopened) -> TournamentState:
    if isinstance(event, events.TournamentEnded):
        return event.how
    return "running" if row.rounds else "announced"


def _row_of_announcement(sequence: int, recorded: Recorded, plan: events.TournamentAnnounced) -> TournamentRow:
    at = recorded.stamp.at
    title = plan.title.id if plan.title else None
    name = (str(recorded.stream), to_stored_value(plan.tournament), sequence, at, title)
    what = (plan.ruleset, plan.options, plan.seats, plan.format)
    return TournamentRow(*name, *what, "announced", 0, 0, 0, recorded.position, sequence, at, "no", plan.hall_names or None)


TOURNAMENTS = Projection("tournaments", 4, _TABLES, _apply, known="SELECT stream, position FROM tournament_index", plain_moves=False)


# Lists of tournaments, newest first, page by page; and the position of one at a sequence or a moment.


_ANNOUNCED = 2  # its place among the columns
_NAMING = "SELECT tournament, publication, hall_names FROM tournament_index WHERE tournament IN "
_MOST = 500  # ids in a statement
_POSITION_OF = "SELECT max(position) FROM tournament_positions WHERE stream = ? AND "


class TournamentFilters(Struct, frozen=True):
    """Filters of tournaments; all that are given must hold. Announced from a moment on, and before a moment."""

    ruleset: str | None = None
    state: TournamentState | None = None
    announced_from: datetime | None = None
    announced_to: datetime | None = None
    tournament: str | None = None


class TournamentsPage(Struct, frozen=True):
    """A page of tournaments. ``next`` is the cursor of the following page, ``None`` on the last."""

    rows: tuple[TournamentRow, ...]
    next: str | None


def tournaments_page(store: Store, reach: VisibilityScope, filters: TournamentFilters, cursor: str | None, limit: int) -> TournamentsPage:
    """Return a page of tournaments. Raises ``BadCursor``."""
    conditions = {
        "ruleset = ?": to_stored_value(filters.ruleset),
        "state = ?": filters.state,
        "tournament = ?": to_stored_value(filters.tournament),
        "announced_at >= ?": filters.announced_from and microseconds(filters.announced_from),
        "announced_at < ?": filters.announced_to and microseconds(filters.announced_to),
        **tournaments_within(reach, "tournament"),
    }
    rows, next = latest_first(store, f"{SELECT} WHERE TRUE", "announced", conditions, cursor, limit, _ANNOUNCED)
    return TournamentsPage(tuple(map(row_of, rows)), next)


def naming_rules(store: Store, ids: Collection[str]) -> Mapping[str | None, tuple[events.Publication, events.HallNames | None]]:
    """Return how the players of these tournaments are called in public and in the hall, by tournament."""
    all = {to_stored_value(id): id for id in sorted(ids)}
    portions = (list(all)[start : start + _MOST] for start in range(0, len(all), _MOST))
    rows = (row for some in portions for row in store.query(f"{_NAMING}({placeholders(len(some))})", some))
    return {all[tournament]: (publication, hall_names) for tournament, publication, hall_names in rows}


def naming_tournaments(store: Store, hall: str | None) -> Collection[str]:
    """Return the tournaments that are published with names, and the one in whose hall somebody is."""
    return [
        one
        for (one,) in store.query(
            "SELECT tournament FROM tournament_index WHERE publication = 'names' OR tournament = ?", (to_stored_value(hall),)
        )
    ]


def position_at(store: Store, stream: UUID, *, sequence: int | None = None, at: datetime | None = None) -> int:
    """Return the position of the last event of a tournament up to a sequence or a moment; 0 before its announcement."""
    condition, value = ("sequence <= ?", sequence) if at is None else ("at <= ?", microseconds(at))
    return int(store.query(_POSITION_OF + condition, (str(stream), value))[0][0] or 0)
