"""What a ruling struck out counts again once it was overturned. Blocks are versions: what counts again is written once more."""

from projections.engine.store import Tx, placeholders
from projections.models.score_lines.boards import BlocksRestored
from projections.models.score_lines.tables import COLUMNS, FOREVER, STRUCK

_ONCE_MORE = {"since": "CAST(? AS BIGINT)", "until": str(FOREVER), "status": "CAST(? AS INTEGER)", "ruling": "NULL"}
_AGAIN = (
    f"INSERT INTO score_blocks ({COLUMNS}) SELECT {', '.join(_ONCE_MORE.get(column, column) for column in COLUMNS.split(', '))}"
    " FROM score_blocks AS b WHERE "
)
_BY_RULING = f"opened = ? AND until = {FOREVER} AND status = {STRUCK} AND ruling = ? AND (kind <> 'hand' OR hand <= ?)"
_ENDED = (
    f"opened = ? AND kind = 'adjustment' AND until < {FOREVER} AND NOT EXISTS (SELECT 1 FROM score_blocks AS n"
    " WHERE n.opened = b.opened AND n.position = b.position AND n.seat = b.seat AND n.since > b.since) AND position IN"
)


def restore_blocks(tx: Tx, opened: int, sequence: int, restored: BlocksRestored, status: int) -> None:
    """``status`` is that of what counts in this game now. An adjustment of a hand that was taken back ended without being struck."""
    ruled = (opened, restored.ruling, restored.last)
    tx.run(f"{_AGAIN}{_BY_RULING}", (sequence, status, *ruled))
    tx.run(f"UPDATE score_blocks SET until = ? WHERE {_BY_RULING} AND since < ?", (sequence, *ruled, sequence))
    if restored.adjustments:
        marks = placeholders(len(restored.adjustments))
        tx.run(f"{_AGAIN}{_ENDED} ({marks})", (sequence, status, opened, *restored.adjustments))
