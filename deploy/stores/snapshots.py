"""The SQL of the snapshots, once for both databases."""

from collections.abc import Sequence
from uuid import UUID

from deploy.stores.statements import Statements
from domain.journal.store import SnapshotRow

_FITTING = """
SELECT snapshots.position, snapshots.link, snapshots.earliest, snapshots.state, snapshots.seal, events.state
FROM snapshots JOIN events ON events.originator_id = snapshots.game AND events.originator_version = snapshots.position
WHERE snapshots.game = ? AND snapshots.form = ? AND snapshots.position > ? AND snapshots.position <= ?
ORDER BY snapshots.position DESC
"""
_KEEP = """
INSERT INTO snapshots (game, position, form, link, earliest, state, seal) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (game, position)
DO UPDATE SET form = excluded.form, link = excluded.link, earliest = excluded.earliest, state = excluded.state, seal = excluded.seal
"""
_END = 2**31 - 1  # the highest position that PostgreSQL's column can hold


class SnapshotsSql(Statements):
    """As ``EventStore`` wants it."""

    def select_snapshots(
        self, game: UUID, form: str, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> list[tuple[SnapshotRow, bytes]]:
        some = "" if limit is None else f" LIMIT {int(limit)}"
        rows = self.query(f"{_FITTING}{some}", (self.to_column(game), form, after, _END if upto is None else upto))
        return [
            (SnapshotRow(game, position, form, link, earliest, state, seal), last) for position, link, earliest, state, seal, last in rows
        ]

    def keep_snapshots(self, snapshots: Sequence[SnapshotRow]) -> None:
        self.derive(_KEEP, [(self.to_column(snapshot.game), *snapshot[1:]) for snapshot in snapshots])
