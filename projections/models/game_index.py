"""The index of games: a row a game, kept up to date from effects, so that lists need no folding."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.access import VisibilityScope
from domain.dispute import Docket, Standing, docket_after
from domain.effects import GameClosed, HandClosed, HandOpened, Plain, TurnPassed
from domain.events import Recorded, effects_of
from domain.events.game import (
    CardsTold,
    GameOpened,
    HandDealt,
    HandReported,
    MovePlayed,
    Openness,
    OpensAt,
    OrderLifted,
    PlayersCorrected,
    RewindRecorded,
    SeatAct,
    players_after,
)
from domain.events.played import parse_time_at_table
from domain.score import totals
from domain.sight import COVERED
from projections.engine.checkpoints import checkpoints
from projections.engine.store import Batch, Params, Projection, Row, Store, Transaction, placeholders, rows_by_ids, sort_batch
from projections.models.folded_scores import FoldedScore, FoldedScores, totals_only
from projections.models.reading import build_opened_condition, is_hidden_until_over, latest_first, struct_of, where
from projections.values import as_json, microseconds, to_datetime, to_stored_value

# The dockets of games in which officials did something: few games, hence a table of its own.


_DOCKET = msgspec.json.Decoder(Docket)
_JSON = msgspec.json.Encoder(order="deterministic")  # a docket holds sets, which have no order of their own
_SELECT = "SELECT game, docket FROM game_index_dockets WHERE game IN"
_UPSERT = "INSERT INTO game_index_dockets (game, docket) VALUES (?, ?) ON CONFLICT (game) DO UPDATE SET docket = excluded.docket"
TABLES = {"game_index_dockets": ("CREATE TABLE game_index_dockets (game TEXT PRIMARY KEY, docket TEXT NOT NULL)",)}


def advance_docket_rows(tx: Transaction, games: dict[str, list[tuple[int, Recorded]]]) -> dict[str, Docket]:
    """Return the dockets of the games in which officials did something, after these events."""
    acts = {game: [recorded for _, recorded in events if _is_act(recorded)] for game, events in games.items()}
    acted = {game: events for game, events in acts.items() if events}
    if not acted:
        return {}
    known = {str(game): _DOCKET.decode(str(docket)) for game, docket in rows_by_ids(tx, _SELECT, acted)}
    for game, events in acted.items():
        docket = known.get(game, Docket())
        for recorded in events:
            docket = docket_after(docket, recorded)
        known[game] = docket
    tx.run_many(_UPSERT, [(game, _JSON.encode(docket).decode()) for game, docket in known.items()])
    return known


_PLAY = frozenset((GameOpened, HandDealt, HandReported, MovePlayed, CardsTold, RewindRecorded))


def _is_act(recorded: Recorded) -> bool:
    return type(recorded.event) not in _PLAY


_GAMES = """CREATE TABLE game_index (
    game TEXT PRIMARY KEY,
    opened BIGINT NOT NULL UNIQUE,
    opened_at BIGINT NOT NULL,
    played_at BIGINT NOT NULL,
    said INTEGER NOT NULL,
    opened_by TEXT NOT NULL,
    ruleset TEXT NOT NULL,
    options TEXT NOT NULL,
    seats INTEGER NOT NULL,
    players TEXT NOT NULL,
    tournament TEXT,
    round BIGINT,
    table_name TEXT,
    openness TEXT NOT NULL,
    opens_at BIGINT,
    live INTEGER NOT NULL,
    position BIGINT NOT NULL,
    sequence BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    phase TEXT NOT NULL,
    turn INTEGER,
    to_act TEXT NOT NULL,
    hand BIGINT NOT NULL,
    totals TEXT NOT NULL,
    finished INTEGER NOT NULL,
    winners TEXT,
    standing TEXT NOT NULL,
    disclosed INTEGER NOT NULL
)"""
# No index on opened_at: moments rise with ``opened``, by which games are listed, and SQLite would use it and then sort all it found.
_INDEXES = (
    "CREATE INDEX game_index_ruleset ON game_index (ruleset, opened)",
    "CREATE INDEX game_index_tournament ON game_index (tournament, round, table_name, opened)",
    "CREATE INDEX game_index_phase ON game_index (phase, opened)",
    "CREATE INDEX game_index_finished ON game_index (finished, opened)",
)
_PLAYERS = "CREATE TABLE game_players (player TEXT NOT NULL, opened BIGINT NOT NULL, PRIMARY KEY (player, opened))"

_COLUMNS = (
    "game, opened, opened_at, played_at, said, opened_by, ruleset, options, seats, players, tournament, round, table_name, openness,"
    " opens_at, live, position, sequence, updated_at, phase, turn, to_act, hand, totals, finished, winners, standing, disclosed"
)
_FRESH = "0, 0, 0, 'no_hand', NULL, '[]', 0, '[]', 0, NULL, 'open', 0"
_OPEN = f"INSERT INTO game_index ({_COLUMNS}) VALUES ({placeholders(16)}, {_FRESH})"
_SEAT = "INSERT INTO game_players (player, opened) VALUES (?, ?)"
# A time that was reported with the opening (said = 1) goes before that of the first hand.
_PLAYED = "UPDATE game_index SET played_at = ? WHERE game = ? AND said = 0"
_MOVE_ON = "UPDATE game_index SET position = ?, sequence = ?, updated_at = ? WHERE game = ?"
_PASS = "UPDATE game_index SET position = ?, sequence = ?, updated_at = ?, phase = ?, turn = ?, to_act = ? WHERE game = ?"
_STAND = "UPDATE game_index SET standing = ?, disclosed = ? WHERE game = ?"
_PLAYERS_OF = "SELECT players, opened FROM game_index WHERE game = ?"
_SEATED = "UPDATE game_index SET players = ? WHERE game = ?"
_NOBODY_PLAYED = "DELETE FROM game_players WHERE opened = ?"
_ALSO_PLAYS = f"{_SEAT} ON CONFLICT (player, opened) DO NOTHING"
_SCORE = "UPDATE game_index SET hand = ?, totals = ?, finished = ?, winners = ? WHERE game = ?"


_SCORES = FoldedScores("game_index_scores", totals_only)


def _apply(tx: Transaction, batch: Batch) -> None:
    news = sort_batch(batch)
    special = news.special
    opened = [(sequence, recorded) for sequence, recorded in special if _opens(recorded)]
    tx.run_many(_OPEN, [_row_of_opening(sequence, recorded) for sequence, recorded in opened])
    tx.run_many(_SEAT, [row for sequence, recorded in opened for row in _rows_of_players(sequence, recorded)])
    tx.run_many(_PLAYED, [row for _, recorded in special for row in _first_hand(recorded)])
    still, passed = _turns(news.games)
    tx.run_many(_MOVE_ON, still)
    tx.run_many(_PASS, passed)
    tx.run_many(_SCORE, [_row_of_score(game, folded) for game, folded in _SCORES.advance(tx, special.games).items()])
    dockets = advance_docket_rows(tx, special.games)
    tx.run_many(_STAND, [(docket.standing, int(docket.disclosed), game) for game, docket in dockets.items()])
    for game, events in special.games.items():
        for _, recorded in events:
            if isinstance(recorded.event, SeatAct):
                _change_seats(tx, game, recorded.event)


def _opens(recorded: Recorded) -> bool:
    """Return whether the event opens a game. A second opening in damaged history opens nothing."""
    return isinstance(recorded.event, GameOpened) and recorded.position == 1


def _row_of_opening(sequence: int, recorded: Recorded) -> Params:
    event = recorded.event
    assert isinstance(event, GameOpened)
    setup, stamp = event.setup, recorded.stamp
    seating = (setup.ruleset, as_json(setup.options), setup.seats, as_json(event.players))
    place = (
        to_stored_value(event.tournament),
        to_stored_value(event.round),
        to_stored_value(event.table),
        *_opens_when(event.openness),
        int(event.live is not False),
    )
    said = parse_time_at_table(recorded)
    times = (microseconds(stamp.at), microseconds(said or stamp.at), int(said is not None))
    return (str(recorded.stream), sequence, *times, stamp.by, *seating, *place)


def _opens_when(openness: Openness) -> tuple[str, int | None]:
    """Return the word of the openness, and the moment if it is one."""
    return ("at", microseconds(openness.at)) if isinstance(openness, OpensAt) else (openness, None)


def _first_hand(recorded: Recorded) -> Iterable[Params]:
    """Return the time of the first hand: it stands for the time of the game where none is given."""
    said = parse_time_at_table(recorded)
    if said is None or isinstance(recorded.event, GameOpened):
        return ()
    opens = any(isinstance(effect, HandOpened) and effect.hand == 1 for effect in effects_of(recorded.event))
    return [(microseconds(said), str(recorded.stream))] if opens else ()


def _rows_of_players(sequence: int, recorded: Recorded) -> Iterable[Params]:
    event = recorded.event
    assert isinstance(event, GameOpened)
    return [(to_stored_value(player), sequence) for player in dict.fromkeys(event.players) if player is not None]


def _change_seats(tx: Transaction, game: str, event: SeatAct) -> None:
    """Update the seating. Who sat there before stays in ``game_players``, unless others sat there from the first hand on."""
    for players, opened in tx.query(_PLAYERS_OF, (game,)):
        seating = players_after(tuple(msgspec.json.decode(players)), event)
        tx.run_many(_SEATED, [(as_json(seating), game)])
        if isinstance(event, PlayersCorrected) and event.from_hand == 1:
            tx.run(_NOBODY_PLAYED, (opened,))
        tx.run_many(_ALSO_PLAYS, [(to_stored_value(player), opened) for player in seating if player is not None])


def _turns(games: dict[str, list[tuple[int, Recorded]]]) -> tuple[list[Params], list[Params]]:
    """Return the games in which the turn did not change, and those in which it did."""
    still: list[Params] = []
    passed: list[Params] = []
    for game, events in games.items():
        sequence, last = events[-1]
        head = (last.position, sequence, microseconds(last.stamp.at))
        turn = _turn(events)
        if turn is None:
            still.append((*head, game))
        else:
            passed.append((*head, turn.phase, turn.turn, as_json(turn.to_act), game))
    return still, passed


def _turn(events: list[tuple[int, Recorded]]) -> TurnPassed | None:
    """Return the turn after the last of these events that changes it."""
    for _, recorded in reversed(events):
        if isinstance(recorded.event, OrderLifted) and recorded.event.reopened:
            return TurnPassed("hand_over", None, ())
        if isinstance(recorded.event, RewindRecorded | OrderLifted) and recorded.event.restored:
            table = recorded.event.restored
            return TurnPassed(table.phase, table.turn, table.to_act)
        for effect in reversed(effects_of(recorded.event)):
            match effect:
                case TurnPassed():
                    return effect
                case HandClosed():
                    return TurnPassed("hand_over", None, ())
                case GameClosed():
                    return TurnPassed("game_over", None, ())
    return None


def _row_of_score(game: str, folded: FoldedScore) -> Params:
    score = folded.score
    winners = None if score.places is None else as_json([party for party, place in enumerate(score.places) if place == 1])
    return (score.hand, as_json(totals(folded.setup, score)), int(score.places is not None), winners, game)


GAME_INDEX = Projection(
    name="game_index",
    version=11,
    tables={"game_index": (_GAMES, *_INDEXES), "game_players": (_PLAYERS,), **_SCORES.tables, **TABLES},
    apply=_apply,
    known="SELECT game, position FROM game_index",
)


# Lists of games from the index, newest first, page by page.


_SHOWN = (
    "g.game, g.opened, g.opened_at, g.played_at, g.opened_by, g.ruleset, g.options, g.seats, g.players, g.tournament, g.round,"
    " g.table_name, g.openness, g.position, g.sequence, g.updated_at, g.phase,"
    " g.turn, g.to_act, g.hand, g.totals, g.finished, g.winners, g.standing, g.live, g.disclosed, g.opens_at"
)
_ALL = f"SELECT {_SHOWN} FROM game_index AS g WHERE TRUE"
_OPENED, _OPENNESS = 1, 12  # their places among the columns
# A cross join, because SQLite keeps its order: it begins with the games of a player, not with all games of a ruleset.
_PLAYED_BY = f"SELECT {_SHOWN} FROM game_players AS p CROSS JOIN game_index AS g WHERE g.opened = p.opened"
# Its games by their places in the order: SQLite would rather go through all finished games than sort the few of a tournament.
_OF_TOURNAMENT = "g.opened IN (SELECT opened FROM game_index WHERE tournament = ?)"

_FINISHED = "SELECT g.game, g.sequence, g.position FROM game_index AS g WHERE g.standing <> 'annulled'"
_OPENED_FIRST = "SELECT min(opened) FROM game_index WHERE tournament = ? AND sequence > ?"


class GameRow(Struct, frozen=True):
    """A game as its last projected event left it. ``opened`` is the sequence of its opening, ``sequence`` that of its last event.

    ``played_at``: when it was played, as reported for the game or its first hand; else when it was opened. ``live``: the public sees it
    while it is played; ``disclosed``: an official has opened it to everybody.
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
    state: Standing
    live: bool
    disclosed: bool

    @property
    def is_hidden_until_over(self) -> bool:
        """Return whether the game is dark, as ``Game.is_dark``."""
        return not self.live and not self.disclosed and self.phase != "game_over" and self.state in ("open", "suspended")

    @property
    def for_the_public(self) -> "GameRow":
        """The row for the public: of a dark game only that it is on, and the points of closed hands."""
        if not self.is_hidden_until_over:
            return self
        closed = self.hand - (self.phase not in ("no_hand", "hand_over"))
        return replace(self, phase=COVERED, turn=None, to_act=(), hand=closed)


class GameFilters(Struct, frozen=True):
    """Filters of games; all given ones must hold. Opened, and played, from a moment on, and before a moment; ``game``: this one alone;
    ``changed_since``: with an event after this sequence.
    """

    ruleset: str | None = None
    tournament: str | None = None
    round: int | None = None
    table: str | None = None
    player: str | None = None
    phase: str | None = None
    finished: bool | None = None
    state: Standing | None = None
    opened_from: datetime | None = None
    opened_to: datetime | None = None
    played_from: datetime | None = None
    played_before: datetime | None = None
    game: UUID | None = None
    changed_since: int | None = None


class GamesPage(Struct, frozen=True):
    """A page of games. ``next`` is the cursor of the following page, ``None`` on the last."""

    items: tuple[GameRow, ...]
    next: str | None


def games_page(store: Store, reach: VisibilityScope, filters: GameFilters, cursor: str | None, limit: int, *, public: bool) -> GamesPage:
    """Return a page, newest first. ``public``: as everybody may know them. Raises ``BadCursor``."""
    conditions = {**_conditions(filters, public=public), **build_opened_condition(reach, "g.opened")}
    source, order = (_ALL, "g.opened") if filters.player is None else (_PLAYED_BY, "p.opened")
    rows, next = latest_first(store, source, order, conditions, cursor, limit, _OPENED)
    games = map(_game, rows)
    return GamesPage(tuple(game.for_the_public for game in games) if public else tuple(games), next)


class FinishedGame(NamedTuple):
    """A game that is over, by the sequence and the position of its last event."""

    id: UUID
    sequence: int
    position: int


def list_finished_games(store: Store, reach: VisibilityScope, filters: GameFilters) -> tuple[FinishedGame, ...]:
    """Return all finished games but annulled ones, as everybody may know them."""
    conditions = _conditions(replace(filters, finished=True), public=True)
    more, values = where({**conditions, **build_opened_condition(reach, "g.opened")})
    rows = store.query(
        f"SELECT g.game, g.sequence, g.position FROM game_index AS g WHERE g.standing <> 'annulled'{more} ORDER BY g.opened", values
    )
    return tuple(FinishedGame(UUID(str(game)), int(sequence), int(position)) for game, sequence, position in rows)


def game_row(store: Store, id: UUID) -> GameRow | None:
    """Return the row of a game; ``None`` where no such game has been projected yet."""
    for row in store.query(f"{_ALL} AND g.game = ?", (str(id),)):
        return _game(row)
    return None


def games_of_round(store: Store, tournament: str, round: int) -> tuple[UUID, ...]:
    """Return all games that name the round, in any state."""
    rows = store.query("SELECT game FROM game_index WHERE tournament = ? AND round = ? ORDER BY opened", (tournament, round))
    return tuple(UUID(str(game)) for (game,) in rows)


def list_changed_tournaments(store: Store, since: int) -> frozenset[str]:
    """Return the tournaments with games that have events after this sequence."""
    rows = store.query("SELECT DISTINCT tournament FROM game_index WHERE sequence > ? AND tournament IS NOT NULL", (since,))
    return frozenset(str(tournament) for (tournament,) in rows)


def opens_next(store: Store, tournament: str, after: int) -> int:
    """Return a sequence after which events of the tournament's games may have been recorded, at least ``after``: before the first opening
    among the games with events after ``after``, and never farther than the index has come.
    """
    with store.snapshot() as reads:
        index = checkpoints(reads).get(GAME_INDEX.name)
        [(opened,)] = reads.query(_OPENED_FIRST, (to_stored_value(tournament), after))
    reached = index.position if index is not None and index.is_complete else 0
    return max(after, reached if opened is None else min(reached, int(str(opened)) - 1))


def _in_phase(phase: str | None, *, public: bool) -> str:
    """Return the condition on the phase. For the public a dark game is in no phase of its own."""
    if not public:
        return "g.phase = ?"
    return f"{is_hidden_until_over('g')} AND 'covered' = ?" if phase == COVERED else f"NOT {is_hidden_until_over('g')} AND g.phase = ?"


def _conditions(filters: GameFilters, *, public: bool) -> dict[str, object]:
    return {
        "g.game = ?": None if filters.game is None else str(filters.game),
        "g.ruleset = ?": to_stored_value(filters.ruleset),
        _OF_TOURNAMENT: to_stored_value(filters.tournament),
        "g.round = ?": to_stored_value(filters.round),
        "g.table_name = ?": to_stored_value(filters.table),
        "p.player = ?": to_stored_value(filters.player),
        _in_phase(filters.phase, public=public): to_stored_value(filters.phase),
        "g.finished = ?": None if filters.finished is None else int(filters.finished),
        "g.standing = ?": filters.state,
        "g.opened_at >= ?": filters.opened_from and microseconds(filters.opened_from),
        "g.opened_at < ?": filters.opened_to and microseconds(filters.opened_to),
        "g.played_at >= ?": filters.played_from and microseconds(filters.played_from),
        "g.played_at < ?": filters.played_before and microseconds(filters.played_before),
        "g.sequence > ?": filters.changed_since,
    }


def _game(row: Row) -> GameRow:
    *told, opens_at = row
    if opens_at is not None:
        told[_OPENNESS] = {"at": to_datetime(int(str(opens_at)))}
    json, moments = ("options", "players", "to_act", "totals", "winners"), ("opened_at", "played_at", "updated_at")
    return struct_of(GameRow, tuple(told), json, moments, ("finished", "live", "disclosed"))
