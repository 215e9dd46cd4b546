"""How far a projection is, for those who watch over it."""

from datetime import datetime

from msgspec import Struct

from projections.engine.fingerprints import SET_BACK, is_set_back
from projections.engine.projection import Read
from projections.engine.run import Track


class Status(Struct, frozen=True):
    """``lag`` counts sequences, gaps included; ``failed_at`` is the sequence at which the projection stopped.

    Below 100 ``percent`` its tables are being filled for the first time, or anew: nobody should read them yet. ``reason`` is why, if the
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


def status_of(track: Track, head: int, read: Read, trouble: str | None) -> Status:
    """``trouble``: what keeps all projections from going on."""
    name, version, place, other = track.projection.name, track.projection.version, track.place, track.other
    if place is None:
        error = other and f"the tables are of version {other.version}, this is version {version}"
        return Status(name, 0, head, head, error or trouble, None, track.advanced_at, 0)
    lag = max(head - place.position, 0)
    if is_set_back(place, read):
        return Status(name, place.position, head, lag, SET_BACK, None, track.advanced_at, place.percent)
    reason = None if place.whole else place.reason
    return Status(name, place.position, head, lag, place.error or trouble, place.failed_at, track.advanced_at, place.percent, reason)
