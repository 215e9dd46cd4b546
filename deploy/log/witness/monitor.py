"""One look at a log: what is new is held against what was seen before, and kept."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from msgspec import Struct

from deploy.failures import Failure
from deploy.language import say
from deploy.log.witness.log_client import LogReader
from deploy.private import private_folder
from deploy.stores.monitor import Following, MonitorStore
from replay.proof.checkpoints import Checkpoint, read_checkpoint, verify_witnessed
from replay.proof.exact import Unproven
from replay.proof.monitoring import Contradicted, check_continued, follow, needs_path
from replay.proof.notes import COSIGNATURE, Signed, VerifierKey
from replay.proof.tiles import WIDTH, grown, subtrees_in
from replay.proof.tree import root_of

TRIES = 10
"""How often a checkpoint is fetched anew, a second apart, until every witness has signed the newest one."""


@contextmanager
def open_monitor(folder: Path) -> Iterator[MonitorStore]:
    """What was seen of a log, in a folder that is made if it is not there."""
    private_folder(folder)
    with closing(MonitorStore(folder / "monitor.db")) as store:
        yield store


class Seen(Struct, frozen=True):
    """``before``: the checkpoint that was seen last. ``read``: so many entries, of ``streams`` games, tournaments and players."""

    checkpoint: Checkpoint
    before: Checkpoint | None
    witnessed: tuple[tuple[str, int], ...]
    read: int
    streams: int


def look(reader: LogReader, store: MonitorStore, keys: Sequence[VerifierKey], sleep: Callable[[float], object]) -> Seen:
    """``keys``: of the log, and of witnesses who have to have signed. Raises ``Contradicted``, after it has kept both notes, ``Unproven``
    for what is not signed by all of them, and ``Failure``.
    """
    note, checkpoint, signed = _fetched(reader, keys, sleep)
    kept, read = store.followed()
    before = read_checkpoint(kept) if kept else None
    if before and before.origin != checkpoint.origin:
        raise Failure(say("monitor_other_log", before=before.origin, origin=checkpoint.origin), say("monitor_other_folder"))
    try:
        if before and needs_path(before, checkpoint):
            check_continued(before, checkpoint, reader.path(before.size, checkpoint.size))
        with store.following() as following:
            if reader.reads_entries:
                _read_on(following, reader, read, checkpoint)
                read = checkpoint.size
            streams = following.keep(note, read)
    except Contradicted as error:
        store.contradicted(note, kept or "", error.what)
        raise
    return Seen(checkpoint, before, tuple((key.name, at) for key, at in signed.items() if key.kind == COSIGNATURE), read, streams)


def _fetched(reader: LogReader, keys: Sequence[VerifierKey], sleep: Callable[[float], object]) -> tuple[str, Checkpoint, Signed]:
    left = TRIES
    while True:
        note = reader.checkpoint()
        try:
            return note, *verify_witnessed(note, keys)
        except Unproven as error:
            left -= 1
            if error.fault != "not_witnessed" or not left:
                raise
        sleep(1)


def _read_on(following: Following, reader: LogReader, begin: int, checkpoint: Checkpoint) -> None:
    """The entries behind those that were read, and the tree that they make."""
    for index in range(begin // WIDTH, -(-checkpoint.size // WIDTH)):
        first = index * WIDTH
        entries = reader.entries(index, min(WIDTH, checkpoint.size - first))
        if first + len(entries) < min(first + WIDTH, checkpoint.size):
            raise Contradicted("no_entry", first + len(entries))
        new = max(begin, first)
        marks = follow(entries[new - first :], new, following.lasts)
        following.lay(grown(following.tile, new, marks))
    if root_of(subtrees_in(following.tile), 0, checkpoint.size) != checkpoint.root:
        raise Contradicted("other_root")
