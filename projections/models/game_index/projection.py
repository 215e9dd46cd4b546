"""The index of games: a row a game, kept up to date from effects, so that lists need no folding."""

from collections.abc import Iterable

import msgspec

from domain.effects import GameClosed, HandClosed, HandOpened, TurnPassed
from domain.events import Recorded, effects_of
from domain.events.game import GameOpened, GameRewound, Openness, OpensAt, OrderLifted, PlayerSeated
from domain.events.played import moment_said
from domain.score import totals
from projections.engine.projection import Batch, Projection, by_game
from projections.engine.store import Params, Tx, placeholders
from projections.models.folded_scores import FoldedScore, FoldedScores, totals_only
from projections.models.game_index.dockets import TABLES, advance_dockets
from projections.values import as_json, microseconds, storable

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
_PLAYED = "UPDATE game_index SET played_at = ? WHERE game = ? AND said = 0"
_MOVE_ON = "UPDATE game_index SET position = ?, sequence = ?, updated_at = ? WHERE game = ?"
_PASS = "UPDATE game_index SET position = ?, sequence = ?, updated_at = ?, phase = ?, turn = ?, to_act = ? WHERE game = ?"
_STAND = "UPDATE game_index SET standing = ?, disclosed = ? WHERE game = ?"
_PLAYERS_OF = "SELECT players, opened FROM game_index WHERE game = ?"
_SEATED = "UPDATE game_index SET players = ? WHERE game = ?"
_ALSO_PLAYS = f"{_SEAT} ON CONFLICT (player, opened) DO NOTHING"
_SCORE = "UPDATE game_index SET hand = ?, totals = ?, finished = ?, winners = ? WHERE game = ?"


_SCORES = FoldedScores("game_index_scores", totals_only)


def _apply(tx: Tx, batch: Batch) -> None:
    opened = [(sequence, recorded) for sequence, recorded in batch if _opens(recorded)]
    tx.run_many(_OPEN, [_opened(sequence, recorded) for sequence, recorded in opened])
    tx.run_many(_SEAT, [row for sequence, recorded in opened for row in _seated(sequence, recorded)])
    games = by_game(batch)
    tx.run_many(_PLAYED, [row for _, recorded in batch for row in _first_hand(recorded)])
    still, passed = _turns(games)
    tx.run_many(_MOVE_ON, still)
    tx.run_many(_PASS, passed)
    tx.run_many(_SCORE, [_scored(game, folded) for game, folded in _SCORES.advance(tx, games).items()])
    tx.run_many(_STAND, [(docket.standing, int(docket.disclosed), game) for game, docket in advance_dockets(tx, games).items()])
    for game, events in games.items():
        for _, recorded in events:
            if isinstance(recorded.event, PlayerSeated):
                _seat_anew(tx, game, recorded.event)


def _opens(recorded: Recorded) -> bool:
    """Damaged history may hold a second opening: it opens nothing."""
    return isinstance(recorded.event, GameOpened) and recorded.position == 1


def _opened(sequence: int, recorded: Recorded) -> Params:
    event = recorded.event
    assert isinstance(event, GameOpened)
    setup, stamp = event.setup, recorded.stamp
    seating = (setup.ruleset, as_json(setup.options), setup.seats, as_json(event.players))
    place = (
        storable(event.tournament),
        storable(event.round),
        storable(event.table),
        *_opens_when(event.openness),
        int(event.live is not False),
    )
    said = moment_said(recorded)
    times = (microseconds(stamp.at), microseconds(said or stamp.at), int(said is not None))
    return (str(recorded.stream), sequence, *times, stamp.by, *seating, *place)


def _opens_when(openness: Openness) -> tuple[str, int | None]:
    """Its word, and the moment where it is one."""
    return ("at", microseconds(openness.at)) if isinstance(openness, OpensAt) else (openness, None)


def _first_hand(recorded: Recorded) -> Iterable[Params]:
    """Where nobody says when the game was played, it was when its first hand was."""
    said = moment_said(recorded)
    if said is None or isinstance(recorded.event, GameOpened):
        return ()
    opens = any(isinstance(effect, HandOpened) and effect.hand == 1 for effect in effects_of(recorded.event))
    return [(microseconds(said), str(recorded.stream))] if opens else ()


def _seated(sequence: int, recorded: Recorded) -> Iterable[Params]:
    event = recorded.event
    assert isinstance(event, GameOpened)
    return [(storable(player), sequence) for player in dict.fromkeys(event.players) if player is not None]


def _seat_anew(tx: Tx, game: str, event: PlayerSeated) -> None:
    """The player who sat there before stays in ``game_players``: he has played in this game."""
    for players, opened in tx.query(_PLAYERS_OF, (game,)):
        known = msgspec.json.decode(players)
        seating = [event.player if seat == event.seat else player for seat, player in enumerate(known)]
        tx.run_many(_SEATED, [(as_json(seating), game)])
        if event.player is not None:
            tx.run_many(_ALSO_PLAYS, [(storable(event.player), opened)])


def _turns(games: dict[str, list[tuple[int, Recorded]]]) -> tuple[list[Params], list[Params]]:
    """The games in which nobody's turn changed, and those in which it did."""
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
    """Whose turn it is after the last of these events that says so."""
    for _, recorded in reversed(events):
        if isinstance(recorded.event, OrderLifted) and recorded.event.reopened:
            return TurnPassed("hand_over", None, ())
        if isinstance(recorded.event, GameRewound | OrderLifted) and recorded.event.restored:
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


def _scored(game: str, folded: FoldedScore) -> Params:
    score = folded.score
    winners = None if score.places is None else as_json([party for party, place in enumerate(score.places) if place == 1])
    return (score.hand, as_json(totals(folded.setup, score)), int(score.places is not None), winners, game)


GAME_INDEX = Projection(
    name="game_index",
    version=10,
    tables={"game_index": (_GAMES, *_INDEXES), "game_players": (_PLAYERS,), **_SCORES.tables, **TABLES},
    apply=_apply,
    known="SELECT game, position FROM game_index",
)
