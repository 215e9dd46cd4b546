"""Lists of games from the index, newest first, page by page."""

from datetime import datetime
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from domain.access.reach import Reach
from domain.dispute import Standing
from domain.effects import Plain
from domain.events.game import Openness
from domain.sight import COVERED
from projections.engine.checkpoints import checkpoints
from projections.engine.store import Row, Store
from projections.models.dark import is_dark
from projections.models.game_index.projection import GAME_INDEX
from projections.models.reach import openings_within
from projections.models.reading import newest_first, struct_of
from projections.values import microseconds, moment, storable

_COLUMNS = (
    "g.game, g.opened, g.opened_at, g.played_at, g.opened_by, g.ruleset, g.options, g.seats, g.players, g.tournament, g.round,"
    " g.table_name, g.openness, g.position, g.sequence, g.updated_at, g.phase,"
    " g.turn, g.to_act, g.hand, g.totals, g.finished, g.winners, g.standing, g.live, g.disclosed, g.opens_at"
)
_ALL = f"SELECT {_COLUMNS} FROM game_index AS g WHERE TRUE"
_OPENED, _OPENNESS = 1, 12  # their places among the columns
# A cross join, because SQLite keeps its order: it begins with the games of a player, not with all games of a ruleset.
_PLAYED = f"SELECT {_COLUMNS} FROM game_players AS p CROSS JOIN game_index AS g WHERE g.opened = p.opened"
# Its games by their places in the order: SQLite would rather go through all finished games than sort the few of a tournament.
_OF_TOURNAMENT = "g.opened IN (SELECT opened FROM game_index WHERE tournament = ?)"

_OPENED_FIRST = "SELECT min(opened) FROM game_index WHERE tournament = ? AND sequence > ?"


class GameRow(Struct, frozen=True):
    """A game as its last projected event left it. ``opened`` is the sequence of its opening, ``sequence`` that of its last event.

    ``played_at``: when it was played, as it was said of the game or of its first hand; else when it was opened. ``live``: the public is
    told of it while it is played; ``disclosed``: an official has opened it to everybody.
    """

    id: UUID
    opened: int
    opened_at: datetime
    played_at: datetime
    opened_by: str
    ruleset: str
    options: dict[str, Plain]
    seats: int
    players: tuple[str | None, ...]
    tournament: str | None
    round: int | None
    table: str | None
    openness: Openness
    position: int
    sequence: int
    updated_at: datetime
    phase: str
    turn: int | None
    to_act: tuple[int, ...]
    hand: int
    totals: tuple[int, ...]
    finished: bool
    winners: tuple[int, ...] | None
    standing: Standing
    live: bool
    disclosed: bool

    @property
    def is_dark(self) -> bool:
        """As ``Game.is_dark``."""
        return not self.live and not self.disclosed and self.phase != "game_over" and self.standing in ("open", "suspended")

    @property
    def for_the_public(self) -> "GameRow":
        """Of a game that is dark, that it is on, and the points of closed hands."""
        if not self.is_dark:
            return self
        closed = self.hand - (self.phase not in ("no_hand", "hand_over"))
        return replace(self, phase=COVERED, turn=None, to_act=(), hand=closed)


class GameFilters(Struct, frozen=True):
    """All that are given must hold. Opened, and played, from a moment on, and before a moment; ``game``: this one alone."""

    ruleset: str | None = None
    tournament: str | None = None
    round: int | None = None
    table: str | None = None
    player: str | None = None
    phase: str | None = None
    finished: bool | None = None
    standing: Standing | None = None
    opened_from: datetime | None = None
    opened_before: datetime | None = None
    played_from: datetime | None = None
    played_before: datetime | None = None
    game: UUID | None = None


class GamesPage(Struct, frozen=True):
    """``next`` is the cursor of the following page, ``None`` on the last."""

    games: tuple[GameRow, ...]
    next: str | None


def games_page(store: Store, reach: Reach, filters: GameFilters, cursor: str | None, limit: int, *, public: bool) -> GamesPage:
    """Newest first. ``public``: as everybody may know them. Raises ``BadCursor``."""
    conditions = {**_conditions(filters, public=public), **openings_within(reach, "g.opened")}
    source, order = (_ALL, "g.opened") if filters.player is None else (_PLAYED, "p.opened")
    rows, next = newest_first(store, source, order, conditions, cursor, limit, _OPENED)
    games = map(_game, rows)
    return GamesPage(tuple(game.for_the_public for game in games) if public else tuple(games), next)


def game_row(store: Store, id: UUID) -> GameRow | None:
    """``None`` where no such game has been projected yet."""
    for row in store.query(f"{_ALL} AND g.game = ?", (str(id),)):
        return _game(row)
    return None


def games_of_round(store: Store, tournament: str, round: int) -> tuple[UUID, ...]:
    """All games that name the round, whatever became of them."""
    rows = store.query("SELECT game FROM game_index WHERE tournament = ? AND round = ? ORDER BY opened", (tournament, round))
    return tuple(UUID(str(game)) for (game,) in rows)


def opens_next(store: Store, tournament: str, after: int) -> int:
    """A sequence beyond which something of its games may have been recorded, ``after`` at least: before the first opening among the games
    that know of something beyond ``after``, and never farther than the index goes.
    """
    with store.snapshot() as reads:
        index = checkpoints(reads).get(GAME_INDEX.name)
        [(opened,)] = reads.query(_OPENED_FIRST, (storable(tournament), after))
    reached = index.position if index is not None and index.whole else 0
    return max(after, reached if opened is None else min(reached, int(str(opened)) - 1))


def _in_phase(phase: str | None, *, public: bool) -> str:
    """To the public a game that is dark is in no phase of its own."""
    if not public:
        return "g.phase = ?"
    return f"{is_dark('g')} AND 'covered' = ?" if phase == COVERED else f"NOT {is_dark('g')} AND g.phase = ?"


def _conditions(filters: GameFilters, *, public: bool) -> dict[str, object]:
    return {
        "g.game = ?": None if filters.game is None else str(filters.game),
        "g.ruleset = ?": storable(filters.ruleset),
        _OF_TOURNAMENT: storable(filters.tournament),
        "g.round = ?": storable(filters.round),
        "g.table_name = ?": storable(filters.table),
        "p.player = ?": storable(filters.player),
        _in_phase(filters.phase, public=public): storable(filters.phase),
        "g.finished = ?": None if filters.finished is None else int(filters.finished),
        "g.standing = ?": filters.standing,
        "g.opened_at >= ?": filters.opened_from and microseconds(filters.opened_from),
        "g.opened_at < ?": filters.opened_before and microseconds(filters.opened_before),
        "g.played_at >= ?": filters.played_from and microseconds(filters.played_from),
        "g.played_at < ?": filters.played_before and microseconds(filters.played_before),
    }


def _game(row: Row) -> GameRow:
    *told, opens_at = row
    if opens_at is not None:
        told[_OPENNESS] = {"at": moment(int(str(opens_at)))}
    json, moments = ("options", "players", "to_act", "totals", "winners"), ("opened_at", "played_at", "updated_at")
    return struct_of(GameRow, tuple(told), json, moments, ("finished", "live", "disclosed"))
