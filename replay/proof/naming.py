"""A checkpoint as an event names it, without a signature."""

from domain.events.tournament import NamedCheckpoint
from replay.proof.checkpoints import Checkpoint
from replay.proof.exact import Unproven, from_base64, to_base64


def named(checkpoint: Checkpoint) -> NamedCheckpoint:
    return NamedCheckpoint(checkpoint.origin, checkpoint.size, to_base64(checkpoint.root))


def checkpoint_of(event: NamedCheckpoint) -> Checkpoint | None:
    """``None`` for what no log could have had: somebody damaged the event."""
    if event.size < 0:
        return None
    try:
        return Checkpoint(event.origin, event.size, from_base64(event.root, "root", 32))
    except Unproven:
        return None
