"""Results of games and tables for players, newest first: a row for each player, of a game of which a finished hand counts, or of a table
whose result was entered or forfeited.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import groupby
from operator import itemgetter

from msgspec import Struct

from domain.access import WHOLE, VisibilityScope
from projections.engine.store import Row, Store, placeholders
from projections.models.reading import latest_first, scores_within
from projections.models.score_lines.score_list import HOW, How
from projections.models.score_lines.tables import COUNTED, FOREVER
from projections.values import microseconds, to_datetime, to_stored_value

_STEP = 500  # games and tables read at a time
_VALID = f"b.until = {FOREVER} AND b.status = {COUNTED}"
_PLAYED = "b.kind IN ('hand', 'entered', 'forfeited')"
_OF_GAME = f"FROM score_blocks AS b WHERE b.opened = g.opened AND {_VALID} AND {_PLAYED}"
_GAMES = (
    "SELECT g.opened, g.game, g.ruleset, g.tournament, g.round, g.table_name, g.finished FROM score_games AS g"
    f" WHERE EXISTS (SELECT 1 {_OF_GAME})"
)
_OF_PLAYER = f"g.opened IN (SELECT opened FROM score_players WHERE {{of}} = ? AND until = {FOREVER})"
_SHARES = (
    "SELECT b.opened, b.party, b.seat, b.player, b.club, SUM(b.points), COUNT(DISTINCT CASE WHEN b.kind = 'hand' THEN b.position END),"
    f" MIN(CASE WHEN {_PLAYED} THEN b.played_at END), MAX(CASE WHEN {_PLAYED} THEN b.kind END), MIN(p.place), MAX(b.since)"
    " FROM score_blocks AS b LEFT JOIN score_places AS p ON p.opened = b.opened AND p.recorded = b.recorded"
    f" WHERE {_VALID} AND b.opened IN ({{games}})"
    " GROUP BY b.opened, b.party, b.seat, b.player, b.club ORDER BY b.opened, b.seat, b.player"
)


class ResultFilters(Struct, frozen=True):
    """Filters of results; all that are given must hold. Played from a moment on, and before a moment.

    ``player``, ``club``: their rows alone.
    """

    tournament: str | None = None
    round: int | None = None
    ruleset: str | None = None
    player: str | None = None
    played_from: datetime | None = None
    played_before: datetime | None = None
    table: str | None = None
    game: str | None = None
    club: str | None = None


class PlayerResult(Struct, frozen=True):
    """The result of a game or a table for a player. ``partners`` and ``opponents`` are the known players of their party and of the others.

    ``points`` are those that count for them, adjustments included; ``place`` is that of their party, for those who sat there at the end.
    """

    game: str | None
    ruleset: str
    tournament: str | None
    round: int | None
    table: str | None
    played_at: datetime
    party: int
    seat: int
    player: str | None
    club: str | None
    points: int
    place: int | None
    partners: tuple[str, ...]
    opponents: tuple[str, ...]
    how: How
    hands: int
    finished: bool
    sequence: int


class PlayerResultsPage(Struct, frozen=True):
    """A page of results. ``next`` is the cursor of the following page, ``None`` on the last."""

    results: tuple[PlayerResult, ...]
    next: str | None


def player_results_page(store: Store, reach: VisibilityScope, filters: ResultFilters, cursor: str | None, limit: int) -> PlayerResultsPage:
    """Return the rows of ``limit`` games and tables. Raises ``BadCursor``."""
    games, next = latest_first(store, _GAMES, "g.opened", {**_conditions(filters), **scores_within(reach, "g.opened")}, cursor, limit, 0)
    shares = _shares(store, [row[0] for row in games])
    found = (one for game in games for one in _results(game, shares.get(game[0], ())))
    player, club = to_stored_value(filters.player), to_stored_value(filters.club)
    return PlayerResultsPage(tuple(one for one in found if player in (None, one.player) and club in (None, one.club)), next)


def list_results_of(store: Store, player: str) -> Iterator[PlayerResult]:
    """Yield every result of a player, the newest first."""
    cursor: str | None = None
    while True:
        page = player_results_page(store, WHOLE, ResultFilters(player=player), cursor, _STEP)
        yield from page.results
        if (cursor := page.next) is None:
            return


def _conditions(filters: ResultFilters) -> dict[str, object]:
    return {
        "g.tournament = ?": to_stored_value(filters.tournament),
        "g.round = ?": to_stored_value(filters.round),
        "g.ruleset = ?": to_stored_value(filters.ruleset),
        "g.table_name = ?": to_stored_value(filters.table),
        "g.game = ?": filters.game,
        _OF_PLAYER.format(of="player"): to_stored_value(filters.player),
        _OF_PLAYER.format(of="club"): to_stored_value(filters.club),
        f"(SELECT MIN(b.played_at) {_OF_GAME}) >= ?": filters.played_from and microseconds(filters.played_from),
        f"(SELECT MIN(b.played_at) {_OF_GAME}) < ?": filters.played_before and microseconds(filters.played_before),
    }


def _shares(store: Store, games: Sequence[int]) -> dict[int, list[Row]]:
    rows = store.query(_SHARES.format(games=placeholders(len(games))), games) if games else []
    return {opened: list(some) for opened, some in groupby(rows, key=itemgetter(0))}


def _results(game: Row, shares: Sequence[Row]) -> Iterator[PlayerResult]:
    """Yield a row for each player, and for each seat without a known player. A player who brought points along and finished no hand has
    none.
    """
    _, id, ruleset, tournament, round, table, finished = game
    people: dict[tuple[str, int], list[Row]] = {}
    for share in shares:
        if share[7] is not None:
            people.setdefault((share[3], 0 if share[3] else 1 + share[2]), []).append(share)
    for own in people.values():
        _, party, seat, player, club, *_ = own[0]
        others = [(theirs[0][1], name) for (name, _), theirs in people.items() if name and name != player]
        places = [share[9] for share in own if share[9] is not None]
        yield PlayerResult(
            game=id,
            ruleset=ruleset,
            tournament=tournament,
            round=round,
            table=table,
            played_at=to_datetime(min(share[7] for share in own)),
            party=party,
            seat=seat,
            player=player or None,
            club=club or None,
            points=sum(int(share[5]) for share in own),
            place=min(places, default=None),
            partners=tuple(name for side, name in others if side == party),
            opponents=tuple(name for side, name in others if side != party),
            how=HOW.get(own[0][8], "recorded"),
            hands=sum(int(share[6]) for share in own),
            finished=bool(finished) or id is None,
            sequence=max(int(share[10]) for share in own),
        )
