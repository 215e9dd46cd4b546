"""Lists of tournaments, newest first, page by page; and the position of one at a sequence or a moment."""

from collections.abc import Collection, Mapping
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from domain.access.reach import Reach
from domain.events.tournament import HallNames, Publication
from projections.engine.store import Store, placeholders
from projections.models.reach import tournaments_within
from projections.models.reading import newest_first
from projections.models.tournaments.projection import SELECT, TournamentRow, TournamentState, row_of
from projections.values import microseconds, storable

_ANNOUNCED = 2  # its place among the columns
_NAMING = "SELECT tournament, publication, hall_names FROM tournament_index WHERE tournament IN "
_MOST = 500  # ids in a statement
_POSITION = "SELECT max(position) FROM tournament_positions WHERE stream = ? AND "


class TournamentFilters(Struct, frozen=True):
    """All that are given must hold. Announced from a moment on, and before a moment."""

    ruleset: str | None = None
    state: TournamentState | None = None
    announced_from: datetime | None = None
    announced_before: datetime | None = None


class TournamentsPage(Struct, frozen=True):
    """``next`` is the cursor of the following page, ``None`` on the last."""

    rows: tuple[TournamentRow, ...]
    next: str | None


def tournaments_page(store: Store, reach: Reach, filters: TournamentFilters, cursor: str | None, limit: int) -> TournamentsPage:
    """Raises ``BadCursor``."""
    conditions = {
        "ruleset = ?": storable(filters.ruleset),
        "state = ?": filters.state,
        "announced_at >= ?": filters.announced_from and microseconds(filters.announced_from),
        "announced_at < ?": filters.announced_before and microseconds(filters.announced_before),
        **tournaments_within(reach, "tournament"),
    }
    rows, next = newest_first(store, f"{SELECT} WHERE TRUE", "announced", conditions, cursor, limit, _ANNOUNCED)
    return TournamentsPage(tuple(map(row_of, rows)), next)


def naming_rules(store: Store, ids: Collection[str]) -> Mapping[str | None, tuple[Publication, HallNames | None]]:
    """How the players of these tournaments are called in public and in the hall, by tournament."""
    all = {storable(id): id for id in sorted(ids)}
    portions = (list(all)[start : start + _MOST] for start in range(0, len(all), _MOST))
    rows = (row for some in portions for row in store.query(f"{_NAMING}({placeholders(len(some))})", some))
    return {all[tournament]: (publication, hall_names) for tournament, publication, hall_names in rows}


def position_at(store: Store, stream: UUID, *, sequence: int | None = None, at: datetime | None = None) -> int:
    """The position of the last event of a tournament up to a sequence or a moment; 0 before its announcement."""
    condition, value = ("sequence <= ?", sequence) if at is None else ("at <= ?", microseconds(at))
    return int(store.query(_POSITION + condition, (str(stream), value))[0][0] or 0)
