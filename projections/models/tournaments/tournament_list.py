"""Lists of tournaments, newest first, page by page; and the position of one at a sequence or a moment."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from domain.access.reach import Reach
from projections.engine.store import Store, placeholders
from projections.models.reach import tournaments_within
from projections.models.reading import newest_first
from projections.models.tournaments.projection import SELECT, TournamentRow, TournamentState, row_of
from projections.values import microseconds, storable

_ANNOUNCED = 2  # its place among the columns
_NAMED = "SELECT tournament FROM tournament_index WHERE publication = 'names' AND tournament IN "
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


def named_tournaments(store: Store, ids: Collection[str]) -> frozenset[str]:
    """Those of the tournaments that are published with the names of their players."""
    all = sorted(ids)
    portions = (all[start : start + _MOST] for start in range(0, len(all), _MOST))
    return frozenset(named for some in portions for (named,) in store.query(f"{_NAMED}({placeholders(len(some))})", some))


def position_at(store: Store, stream: UUID, *, sequence: int | None = None, at: datetime | None = None) -> int:
    """The position of the last event of a tournament up to a sequence or a moment; 0 before its announcement."""
    condition, value = ("sequence <= ?", sequence) if at is None else ("at <= ?", microseconds(at))
    return int(store.query(_POSITION + condition, (str(stream), value))[0][0] or 0)
