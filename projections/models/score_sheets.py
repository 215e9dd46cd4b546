"""The score sheet of every game, as it stood after the last event projected."""

from uuid import UUID

from msgspec import Struct

from domain.score import Sheet, sheet
from projections.engine.projection import Batch, Projection, by_game
from projections.engine.store import Store, Tx
from projections.models.folded_scores import FoldedScores, folded_score

_SCORES = FoldedScores("score_sheet_scores")
_UPSERT = (
    "INSERT INTO score_sheets (game, position, sequence) VALUES (?, ?, ?)"
    " ON CONFLICT (game) DO UPDATE SET position = excluded.position, sequence = excluded.sequence"
)
_SELECT = "SELECT position, sequence, setup, score FROM score_sheets JOIN score_sheet_scores USING (game) WHERE game = ?"


class ScoreSheet(Struct, frozen=True):
    """A sheet, and the event after which it stood so."""

    position: int
    sequence: int
    sheet: Sheet


def score_sheet(store: Store, game: UUID) -> ScoreSheet | None:
    """``None`` where no such game has been projected yet."""
    for position, sequence, *columns in store.query(_SELECT, (str(game),)):
        found = folded_score(tuple(columns))
        return ScoreSheet(position, sequence, sheet(found.setup, found.score))
    return None


def _apply(tx: Tx, batch: Batch) -> None:
    games = by_game(batch)
    _SCORES.advance(tx, games)
    tx.run_many(_UPSERT, [(game, events[-1][1].position, events[-1][0]) for game, events in games.items()])


SCORE_SHEETS = Projection(
    name="score_sheets",
    version=2,
    tables={
        "score_sheets": ("CREATE TABLE score_sheets (game TEXT PRIMARY KEY, position BIGINT NOT NULL, sequence BIGINT NOT NULL)",),
        **_SCORES.tables,
    },
    apply=_apply,
    known="SELECT game, position FROM score_sheets",
)
