"""By what the last event in the tables of a projection is known again.

Its sequence does not tell: when the events are set back to an older copy, sequences are given a second time.
"""

from hashlib import sha256

from domain.events import Recorded
from projections.engine.checkpoints import Checkpoint
from projections.engine.projection import ReadEvents

SET_BACK = "the events were set back to an older copy"


def event_fingerprint(recorded: Recorded) -> str:
    """64 hexadecimal digits, of the event as it is stored and of its place."""
    place = f"{recorded.stream} {recorded.position} {recorded.name}\n"
    return sha256(place.encode() + recorded.state).hexdigest()


def fingerprint_at(sequence: int, read: ReadEvents) -> str | None:
    """``None`` if no event has this sequence."""
    return next((event_fingerprint(recorded) for found, recorded in read(sequence - 1, 1)[:1] if found == sequence), None)


def is_set_back(checkpoint: Checkpoint, read: ReadEvents) -> bool:
    """Whether the last event in the tables is gone, or another one has its sequence. Older versions kept no fingerprint to compare."""
    if checkpoint.position == 0:
        return False
    found = fingerprint_at(checkpoint.position, read)
    return found is None or checkpoint.fingerprint not in (None, found)
