"""Score history of a player: their games with points, totals, and the course from month to month."""

from datetime import datetime

from msgspec import Struct

from domain.access import VisibilityScope
from projections.engine.store import Row, Store
from projections.models.reading import latest_first, players_within, scores_within, struct_of, where
from projections.models.score_lines.tables import FOREVER
from projections.values import microseconds, to_stored_value

_FROM = f"FROM score_players AS p JOIN score_games AS g ON g.opened = p.opened WHERE p.until = {FOREVER} AND p.played_at IS NOT NULL"
_GAMES = (
    "SELECT g.opened, g.game, g.ruleset, g.tournament, g.round, g.table_name, p.played_at, g.opened_at, p.hands, p.points, p.place,"
    f" g.finished {_FROM}"
)
_SUMS = (
    "SELECT p.ruleset, p.month, COUNT(*), SUM(g.finished), SUM(CASE WHEN p.place = 1 THEN 1 ELSE 0 END), SUM(p.hands), SUM(p.points),"
    f" SUM(CASE WHEN g.finished = 1 THEN p.points ELSE 0 END) {_FROM}"
)
_LATEST = f"SELECT p.points {_FROM} AND g.finished = 1"


class HistoryFilters(Struct, frozen=True):
    """Filters of a history; all that are given must hold. Played from a moment on, and before a moment."""

    ruleset: str | None = None
    tournament: str | None = None
    played_from: datetime | None = None
    played_before: datetime | None = None


class PlayerGame(Struct, frozen=True):
    """A game of which some finished hand counts, or a table whose result was entered: then ``game`` and ``opened_at`` are null.

    ``points`` are those that count for the player, adjustments included; ``played_at`` is when their first hand was played. ``place`` is
    that of their party, for those who sat there at the end; null in a game in progress, for a lost solitaire, and for one whose result was
    entered.
    """

    game: str | None
    ruleset: str
    tournament: str | None
    round: int | None
    table: str | None
    played_at: datetime
    opened_at: datetime | None
    hands: int
    points: int
    place: int | None
    finished: bool


class PlayerGamesPage(Struct, frozen=True):
    games: tuple[PlayerGame, ...]
    next: str | None


class Totals(Struct, frozen=True):
    """The totals of a ruleset. ``average`` is points a finished game, ``latest_average`` the same of the last ones; ``trend`` is the excess
    of the latter. The averages are null while no game is finished.
    """

    ruleset: str
    games: int
    finished: int
    wins: int
    hands: int
    points: int
    average: float | None
    latest_average: float | None
    trend: float | None


class Month(Struct, frozen=True):
    """Games of a ruleset that were played in a month, in the time zone in which each was opened or entered. ``running_average`` is that of
    all finished games up to its end.
    """

    ruleset: str
    month: str
    games: int
    finished: int
    wins: int
    hands: int
    points: int
    average: float | None
    running_average: float | None


def find_counted_player(store: Store, reach: VisibilityScope, player: str) -> str | None:
    """Return the id for which the lines of this player count; ``None`` for a player who, within the reach, is neither registered nor has
    any.
    """
    id = to_stored_value(player)
    more, values = where(players_within(reach, "player"))
    for (root,) in store.query(f"SELECT root FROM score_people WHERE player = ?{more}", (id, *values)):
        return str(root)
    more, values = where(scores_within(reach, "opened"))
    return player if store.query(f"SELECT 1 FROM score_players WHERE player = ?{more} LIMIT 1", (id, *values)) else None


def player_games_page(
    store: Store, reach: VisibilityScope, player: str, filters: HistoryFilters, cursor: str | None, limit: int
) -> PlayerGamesPage:
    """Return a page of games, newest first. Raises ``BadCursor``."""
    rows, next = latest_first(store, _GAMES, "p.opened", _conditions(reach, player, filters), cursor, limit, 0)
    return PlayerGamesPage(tuple(map(_game, rows)), next)


def months(store: Store, reach: VisibilityScope, player: str, filters: HistoryFilters) -> tuple[Month, ...]:
    """Return the months by ruleset, oldest first."""
    more, values = where(_conditions(reach, player, filters))
    sums: dict[str, tuple[int, int]] = {}
    rows = []
    for ruleset, month, played, finished, wins, hands, points, of_finished in store.query(
        f"{_SUMS}{more} GROUP BY p.ruleset, p.month ORDER BY p.ruleset, p.month", values
    ):
        before = sums.get(ruleset, (0, 0))
        sums[ruleset] = (before[0] + int(of_finished), before[1] + int(finished))
        numbers = (int(played), int(finished), int(wins), int(hands), int(points))
        rows.append(Month(ruleset, month, *numbers, _mean(int(of_finished), int(finished)), _mean(*sums[ruleset])))
    return tuple(rows)


def player_totals(
    store: Store, reach: VisibilityScope, player: str, filters: HistoryFilters, by_month: tuple[Month, ...], latest: int
) -> tuple[Totals, ...]:
    """Return the totals from the months, by ruleset. ``latest``: the number of finished games in the latest average."""
    by_ruleset: dict[str, list[Month]] = {}
    for month in by_month:
        by_ruleset.setdefault(month.ruleset, []).append(month)
    return tuple(_totals(ruleset, some, _latest(store, reach, player, filters, ruleset, latest)) for ruleset, some in by_ruleset.items())


def _totals(ruleset: str, some: list[Month], latest: float | None) -> Totals:
    average = some[-1].running_average
    return Totals(
        ruleset=ruleset,
        games=sum(month.games for month in some),
        finished=sum(month.finished for month in some),
        wins=sum(month.wins for month in some),
        hands=sum(month.hands for month in some),
        points=sum(month.points for month in some),
        average=average,
        latest_average=latest,
        trend=None if latest is None or average is None else latest - average,
    )


def _latest(store: Store, reach: VisibilityScope, player: str, filters: HistoryFilters, ruleset: str, count: int) -> float | None:
    more, values = where({**_conditions(reach, player, filters), "p.ruleset = ?": ruleset})
    points = [row[0] for row in store.query(f"{_LATEST}{more} ORDER BY p.played_at DESC, p.opened DESC LIMIT ?", (*values, count))]
    return _mean(sum(points), len(points))


def _mean(points: int, games: int) -> float | None:
    return points / games if games else None


def _conditions(reach: VisibilityScope, player: str, filters: HistoryFilters) -> dict[str, object]:
    return {
        "p.player = ?": to_stored_value(player),
        "p.ruleset = ?": to_stored_value(filters.ruleset),
        "p.tournament = ?": to_stored_value(filters.tournament),
        "p.played_at >= ?": filters.played_from and microseconds(filters.played_from),
        "p.played_at < ?": filters.played_before and microseconds(filters.played_before),
        **scores_within(reach, "p.opened"),
    }


def _game(row: Row) -> PlayerGame:
    return struct_of(PlayerGame, row[1:], moments=("played_at", "opened_at"), flags=("finished",))
