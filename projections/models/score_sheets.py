"""The score sheet of every game, as it stood after the last event projected."""

from collections.abc import Sequence
from uuid import UUID

from msgspec import Struct

from domain.events import Recorded
from domain.events.game import RewindRecorded, SheetSigned
from domain.events.shuffles import ShuffleCommitmentMade
from domain.score import Sheet, sheet
from projections.engine.store import Batch, Projection, Store, Transaction, sort_batch
from projections.models.folded_scores import FoldedScores, decode_folded_score

_SCORES = FoldedScores("score_sheet_scores")
_UPSERT = (
    "INSERT INTO score_sheets (game, position, sequence, signatures, shuffles, rewinds) VALUES (?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (game) DO UPDATE SET position = excluded.position, sequence = excluded.sequence,"
    " signatures = score_sheets.signatures + excluded.signatures, shuffles = score_sheets.shuffles + excluded.shuffles,"
    " rewinds = score_sheets.rewinds + excluded.rewinds"
)
_NUMBERS = ", ".join(f"{name} BIGINT NOT NULL" for name in ("position", "sequence", "signatures", "shuffles", "rewinds"))
_SELECT = (
    "SELECT position, sequence, signatures, shuffles, rewinds, setup, score FROM score_sheets"
    " JOIN score_sheet_scores USING (game) WHERE game = ?"
)


class ScoreSheet(Struct, frozen=True):
    """A sheet, and the event after which it stood so. ``signatures``: how many were noted. ``shuffles``: how many fair shuffles were begun.
    ``rewinds``: how many rewinds there were.
    """

    position: int
    sequence: int
    sheet: Sheet
    signatures: int = 0
    shuffles: int = 0
    rewinds: int = 0


def score_sheet(store: Store, game: UUID) -> ScoreSheet | None:
    """Return the sheet; ``None`` where no such game has been projected yet."""
    for position, sequence, signatures, shuffles, rewinds, *columns in store.query(_SELECT, (str(game),)):
        found = decode_folded_score(tuple(columns))
        return ScoreSheet(position, sequence, sheet(found.setup, found.score), signatures, shuffles, rewinds)
    return None


def _apply(tx: Transaction, batch: Batch) -> None:
    news = sort_batch(batch)
    special = news.special.games
    _SCORES.advance(tx, special)
    last = ((game, events[-1]) for game, events in news.games.items())
    tx.run_many(_UPSERT, [(game, one.position, sequence, *_count(special.get(game, ()))) for game, (sequence, one) in last])


def _count(events: Sequence[tuple[int, Recorded]]) -> tuple[int, int, int]:
    """Return how many signatures, shuffles and rewinds came."""
    kinds = [type(recorded.event) for _, recorded in events]
    return kinds.count(SheetSigned), kinds.count(ShuffleCommitmentMade), kinds.count(RewindRecorded)


SCORE_SHEETS = Projection(
    name="score_sheets",
    version=5,
    tables={
        "score_sheets": (f"CREATE TABLE score_sheets (game TEXT PRIMARY KEY, {_NUMBERS})",),
        **_SCORES.tables,
    },
    apply=_apply,
    known="SELECT game, position FROM score_sheets",
)
