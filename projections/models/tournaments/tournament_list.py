"""Lists of tournaments, newest first, page by page; and where one stood in its events at a sequence or a moment."""

from datetime import datetime
from uuid import UUID

from msgspec import Struct

from projections.engine.store import Store
from projections.models.cursors import cursor_of, place_of
from projections.models.tournaments.projection import SELECT, State, TournamentRow, row_of
from projections.values import microseconds, storable

_POSITION = "SELECT max(position) FROM tournament_positions WHERE stream = ? AND "


class TournamentFilters(Struct, frozen=True):
    """All that are given must hold. Announced from a moment on, and before a moment."""

    ruleset: str | None = None
    state: State | None = None
    announced_from: datetime | None = None
    announced_before: datetime | None = None


class TournamentRows(Struct, frozen=True):
    """``next`` is the cursor of the following page, ``None`` on the last."""

    rows: tuple[TournamentRow, ...]
    next: str | None


def tournaments(store: Store, filters: TournamentFilters, cursor: str | None, limit: int) -> TournamentRows:
    """Raises ``Malformed`` with ``bad_cursor``."""
    conditions: dict[str, object] = {
        "ruleset = ?": storable(filters.ruleset),
        "state = ?": filters.state,
        "announced_at >= ?": filters.announced_from and microseconds(filters.announced_from),
        "announced_at < ?": filters.announced_before and microseconds(filters.announced_before),
        "announced < ?": None if cursor is None else place_of(cursor),
    }
    given = {condition: value for condition, value in conditions.items() if value is not None}
    where = "".join(f" AND {condition}" for condition in given)
    found = store.query(f"{SELECT} WHERE TRUE{where} ORDER BY announced DESC LIMIT ?", (*given.values(), limit + 1))
    page = tuple(row_of(row) for row in found[:limit])
    return TournamentRows(page, cursor_of(page[-1].announced) if len(found) > limit else None)


def position_at(store: Store, stream: UUID, *, sequence: int | None = None, at: datetime | None = None) -> int:
    """The position of the last event of a tournament up to a sequence or a moment; 0 before its announcement."""
    condition, value = ("sequence <= ?", sequence) if at is None else ("at <= ?", microseconds(at))
    return int(store.query(_POSITION + condition, (str(stream), value))[0][0] or 0)
