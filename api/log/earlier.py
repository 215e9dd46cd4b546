"""Since when a record stood: the first checkpoint behind it that was kept, and the path from it to the newest."""

from typing import TypeAlias

from api.log.kept import Signed, subtrees_of
from api.services import KeptLog
from replay.proof.checkpoints import Checkpoint, read_checkpoint, signed_alike
from replay.proof.tree import consistency_path, verify_consistency

Earlier: TypeAlias = tuple[str, tuple[bytes, ...]]


def earlier_of(log: KeptLog, signed: Signed, leaf: int) -> Earlier | None:
    """Of what was kept before the newest. None where another key signed since: who has only that one could not verify the file."""
    note = log.kept.first_behind(signed.epoch, leaf, signed.size)
    if note is None or not signed_alike(note, signed.note):
        return None
    size = read_checkpoint(note).size
    return note, consistency_path(subtrees_of(log, size - 1, size=signed.size), size, signed.size)


def goes_on(earlier: Earlier, newest: Checkpoint) -> bool:
    then = read_checkpoint(earlier[0])
    return verify_consistency(then.size, newest.size, earlier[1], then.root, newest.root)
