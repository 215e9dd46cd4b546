"""The SQL of the snapshots, once for both databases."""

from collections.abc import Sequence
from uuid import UUID

from deploy.stores.statements import Statements
from domain.journal.store import SnapshotRow

_FITTING = """
SELECT snapshots.position, snapshots.link, snapshots.earliest, {state}events.state
FROM snapshots JOIN events ON events.originator_id = snapshots.game AND events.originator_version = snapshots.position
WHERE snapshots.game = ? AND snapshots.form = ? AND snapshots.position > ? AND snapshots.position <= ?
ORDER BY snapshots.position DESC
"""
_LAST = f"{_FITTING.format(state='snapshots.state, ')} LIMIT 1"
_MOMENTS = _FITTING.format(state="")
_KEEP = """
INSERT INTO snapshots (game, position, form, link, earliest, state) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (game, position)
DO UPDATE SET form = excluded.form, link = excluded.link, earliest = excluded.earliest, state = excluded.state
"""
_END = 2**31 - 1  # the highest position that PostgreSQL's column can hold


class SnapshotsSql(Statements):
    """As ``EventStore`` wants it."""

    def last_snapshot(self, game: UUID, form: str, after: int, upto: int) -> tuple[SnapshotRow, bytes] | None:
        for position, link, earliest, state, last in self.query(_LAST, (self.to_column(game), form, after, upto)):
            return SnapshotRow(game, position, form, link, earliest, state), last
        return None

    def snapshot_moments(self, game: UUID, form: str) -> list[tuple[int, str, str | None, bytes]]:
        return [
            (position, link, earliest, last)
            for position, link, earliest, last in self.query(_MOMENTS, (self.to_column(game), form, 0, _END))
        ]

    def keep_snapshots(self, snapshots: Sequence[SnapshotRow]) -> None:
        self.derive(_KEEP, [(self.to_column(snapshot.game), *snapshot[1:]) for snapshot in snapshots])
