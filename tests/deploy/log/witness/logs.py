"""Two logs of one name and key with a common beginning, and requests about them to a witness."""

from replay.proof.checkpoints import Checkpoint, read_checkpoint
from replay.proof.tree import consistency_path
from replay.proof.witness_protocol import Asked
from tests.replay.proof.made import Log, played

EVENTS = played("casino", 30).history
SHARED = 20


def log_of(*events: object) -> Log:
    log = Log()
    log.add(*events)  # pyrefly: ignore[bad-argument-type]
    return log


HONEST = log_of(*EVENTS)
FORKED = log_of(*EVENTS[:SHARED], *reversed(EVENTS[SHARED:]))


def at(log: Log, size: int) -> Checkpoint:
    return read_checkpoint(log.checkpoint(size))


def asked(log: Log, old: int, size: int) -> Asked:
    return Asked(old, consistency_path(log.subtrees, old, size) if old else (), log.checkpoint(size))
