"""The status of a projection, for health checks and the command line."""

from datetime import datetime

from msgspec import Struct

from projections.engine.checkpoints import SET_BACK, is_set_back
from projections.engine.run import ProjectionRun
from projections.engine.store import ReadEvents


class ProjectionStatus(Struct, frozen=True):
    """A status. ``lag`` counts sequences, gaps included; ``failed_at`` is the sequence at which the projection stopped.

    Below 100 ``percent`` its tables are being filled for the first time, or again: they should not be read yet. ``reason`` is why, if the
    version is the same.
    """

    name: str
    position: int
    head: int
    lag: int
    error: str | None
    failed_at: int | None
    advanced_at: datetime | None
    percent: int = 100
    reason: str | None = None


def status_of(run: ProjectionRun, head: int, read: ReadEvents, failure: str | None) -> ProjectionStatus:
    """Return the status. ``failure``: what keeps all projections from continuing."""
    name, version, checkpoint, other = run.projection.name, run.projection.version, run.checkpoint, run.other
    if checkpoint is None:
        error = other and f"the tables are of version {other.version}, this is version {version}"
        return ProjectionStatus(name, 0, head, head, error or failure, None, run.advanced_at, 0)
    position, percent, failed_at, reason = checkpoint.position, checkpoint.percent, checkpoint.failed_at, checkpoint.reason
    lag = max(head - position, 0)
    if is_set_back(checkpoint, read):
        return ProjectionStatus(name, position, head, lag, SET_BACK, None, run.advanced_at, percent)
    reason = None if checkpoint.is_complete else reason
    return ProjectionStatus(name, position, head, lag, checkpoint.error or failure, failed_at, run.advanced_at, percent, reason)
