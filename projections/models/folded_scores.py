"""Folded scores of many games in a side table. A batch reads and writes only those games on whose sheets it writes.

They have a table of their own, because a score grows with the hands: a move that scores nothing should not have to rewrite it.
"""

from collections.abc import Callable, Iterable

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.dispute import score_after
from domain.events import Recorded, effects_of
from domain.events.game import GameOpened, MovePlayed
from domain.score import Score, fold_score
from domain.setup import Setup
from projections.engine.store import Row, Transaction, rows_by_ids, scores
from projections.values import as_json

_SETUP = msgspec.json.Decoder(Setup)
_SCORE = msgspec.json.Decoder(Score)
_BLANK = Score()


class FoldedScore(Struct, frozen=True):
    """The setup of a game and its score so far."""

    setup: Setup
    score: Score


def totals_only(score: Score) -> Score:
    """Return the score without what totals do not need: rows, facts and struck hands."""
    return replace(score, hands=tuple(replace(hand, rows={}, facts={}) for hand in score.hands), facts={}, struck=())


def keep_score(score: Score) -> Score:
    return score


class FoldedScores:
    """Folds scores in a side table. ``kept`` reduces a score to what the projection needs."""

    def __init__(self, table: str, kept: Callable[[Score], Score] = keep_score) -> None:
        self._kept = kept
        self._select = f"SELECT game, setup, score FROM {table} WHERE game IN"
        columns = "(game, setup, score) VALUES (?, ?, ?) ON CONFLICT (game) DO UPDATE SET setup = excluded.setup, score = excluded.score"
        self._upsert = f"INSERT INTO {table} {columns}"
        self.tables = {table: (f"CREATE TABLE {table} (game TEXT PRIMARY KEY, setup TEXT NOT NULL, score TEXT NOT NULL)",)}

    def advance(self, tx: Transaction, games: dict[str, list[tuple[int, Recorded]]]) -> dict[str, FoldedScore]:
        """Fold the events, of which plain moves may be left out, and keep the result. Return the games on whose sheets something was
        written.
        """
        writing = {game: [recorded for _, recorded in events if writes_on_sheet(recorded)] for game, events in games.items()}
        written = {game: events for game, events in writing.items() if events}
        known = {row[0]: decode_folded_score(row[1:]) for row in rows_by_ids(tx, self._select, written)}
        changed = {}
        for game, events in written.items():
            score = _after(known.get(game), events)
            if score is not None:
                changed[game] = score
        tx.run_many(self._upsert, [(game, as_json(new.setup), as_json(self._kept(new.score))) for game, new in changed.items()])
        return changed


def decode_folded_score(row: Row) -> FoldedScore:
    """Return the folded score from the columns setup and score."""
    return FoldedScore(_SETUP.decode(row[0]), _SCORE.decode(row[1]))


def writes_on_sheet(recorded: Recorded) -> bool:
    """Return whether the event writes on a sheet: as an opening, by an effect, or as an act."""
    event = recorded.event
    if type(event) is MovePlayed:  # the usual event: nothing else can write on the sheet
        return scores(event.effects)
    return isinstance(event, GameOpened) or scores(effects_of(event)) or score_after(_BLANK, recorded) is not _BLANK


def _after(before: FoldedScore | None, events: Iterable[Recorded]) -> FoldedScore | None:
    """Return the score after the events; ``None`` for a game whose opening could not be read: it has no sheet."""
    for recorded in events:
        event = recorded.event
        if isinstance(event, GameOpened):
            before = FoldedScore(event.setup, Score())
        elif before is None:
            continue
        else:
            before = FoldedScore(before.setup, score_after(fold_score(before.setup, before.score, effects_of(event)), recorded))
    return before
