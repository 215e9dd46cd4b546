"""Rating lists of a ruleset now or of an earlier date, and the course of a player's rating from game to game."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from domain.errors import BadCursor
from domain.ratings import Rating
from projections.engine.store import Row, Store
from projections.models.reading import cursor_of, text_place_of, where
from projections.models.score_lines.tables import FOREVER
from projections.values import microseconds, to_datetime, to_stored_value

_LATEST = (
    "(SELECT t.opened FROM rating_steps AS t WHERE t.player = f.player AND t.ruleset = ? AND t.played_at < ?"
    " ORDER BY t.played_at DESC, t.opened DESC LIMIT 1)"
)
_LIST = (
    "SELECT s.player, s.mu, s.sigma, s.games, s.played_at, p.club"
    " FROM (SELECT DISTINCT player FROM rating_steps WHERE ruleset = ? AND games = 1) AS f"
    f" JOIN rated_games AS g ON g.opened = {_LATEST}"
    " JOIN rating_steps AS s ON s.player = f.player AND s.ruleset = g.ruleset AND s.played_at = g.played_at AND s.opened = g.opened"
    " LEFT JOIN score_people AS p ON p.player = s.player WHERE TRUE"
)
_SINCE = "SELECT since FROM rating_changes WHERE ruleset = ?"
_OF_PLAYER = "PARTITION BY ruleset ORDER BY played_at, opened"
_STEPS = (
    "SELECT s.opened, s.ruleset, g.game, g.tournament, g.round, g.table_name, s.played_at, s.mu, s.sigma, s.games, s.expected, s.place,"
    " s.mu_before, s.sigma_before FROM (SELECT rating_steps.*,"
    f" LAG(mu) OVER ({_OF_PLAYER}) AS mu_before, LAG(sigma) OVER ({_OF_PLAYER}) AS sigma_before FROM rating_steps WHERE player = ?) AS s"
    " JOIN score_games AS g ON g.opened = s.opened WHERE TRUE"
)


class RatingFilters(Struct, frozen=True):
    """Filters of a list. ``before``: by the games that were played before a moment; ``minimum``: players with so many games."""

    ruleset: str
    before: datetime | None = None
    club: str | None = None
    minimum: int = 1


class RatedPlayer(Struct, frozen=True):
    """A player of a list. Players with equal ratings share the place."""

    place: int
    player: str
    club: str | None
    rating: Rating
    last_played_at: datetime


class PlayerStep(Struct, frozen=True):
    """A game of a player, with the rating before and after it. ``game`` is ``None`` for a table whose result was entered."""

    ruleset: str
    game: UUID | None
    tournament: str | None
    round: int | None
    table: str | None
    played_at: datetime
    before: Rating
    expected: float
    place: int
    after: Rating


def list_ratings(store: Store, filters: RatingFilters) -> list[RatedPlayer]:
    """Return the list, the best rating first; equal ones in the order of ids."""
    ruleset, before = to_stored_value(filters.ruleset), FOREVER if filters.before is None else microseconds(filters.before)
    more, values = where({"s.games >= ?": filters.minimum, "p.club = ?": to_stored_value(filters.club)})
    rows = store.query(f"{_LIST}{more}", (ruleset, ruleset, before, *values))
    found = [(Rating(mu, sigma, int(games)), player, club or None, at) for player, mu, sigma, games, at, club in rows]
    found.sort(key=lambda one: (-one[0].ordinal, one[1]))
    listed: list[RatedPlayer] = []
    for number, (rating, player, club, at) in enumerate(found, 1):
        shared = listed and listed[-1].rating.points == rating.points
        listed.append(RatedPlayer(listed[-1].place if shared else number, player, club, rating, to_datetime(at)))
    return listed


def find_update_start(store: Store, ruleset: str) -> datetime | None:
    """Return since when the ratings of the ruleset are being recomputed; ``None`` while they are those of the results."""
    for (since,) in store.query(_SINCE, (to_stored_value(ruleset),)):
        return to_datetime(since)
    return None


def rating_steps(store: Store, player: str, ruleset: str | None, cursor: str | None, limit: int) -> tuple[list[PlayerStep], str | None]:
    """Return a page of the games of a player, newest first, and the cursor of the next one. Raises ``BadCursor``."""
    place = None if cursor is None else _place_of(cursor)
    more, values = where({"s.ruleset = ?": to_stored_value(ruleset), "(s.played_at, s.opened) < (?, ?)": place})
    rows = store.query(f"{_STEPS}{more} ORDER BY s.played_at DESC, s.opened DESC LIMIT ?", (to_stored_value(player), *values, limit + 1))
    last = rows[limit - 1] if len(rows) > limit else None
    return [_step(row) for row in rows[:limit]], None if last is None else cursor_of(f"{last[6]}:{last[0]}")


def _place_of(cursor: str) -> tuple[int, int]:
    numbers: Sequence[str] = text_place_of(cursor).split(":")
    try:
        played_at, opened = map(int, numbers)
    except ValueError:
        raise BadCursor from None
    return to_stored_value(played_at), to_stored_value(opened)


def _step(row: Row) -> PlayerStep:
    _, ruleset, game, tournament, round, table, at, mu, sigma, games, expected, place, mu_before, sigma_before = row
    before = Rating() if mu_before is None else Rating(mu_before, sigma_before, int(games) - 1)
    place_at = (ruleset, game and UUID(game), tournament, round, table, to_datetime(at))
    return PlayerStep(*place_at, before, expected, int(place), Rating(mu, sigma, int(games)))
