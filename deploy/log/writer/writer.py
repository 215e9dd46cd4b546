"""Log writer: reads events in the order of the store, grows the tree and signs it; halts if the store is not what was signed.

It reads the journal and may write nothing in it. One thread uses it.
"""

import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import cache
from typing import Protocol, TypeAlias
from uuid import UUID

from deploy.log.writer.key_files import SignedFile
from domain.errors import Worded
from domain.journal.commits import StoredEvent
from domain.journal.log import LogEpoch, Sequenced, blinding_at, merge_own_entries, own_entries
from domain.journal.store import EventStore
from projections.engine.checkpoints import Checkpoint as Reaching
from projections.engine.driver import Reached
from replay.proof.checkpoints import Checkpoint, Signer, sign
from replay.proof.log import Head, HeldTree, Leaf, LogTree, mark_at
from replay.proof.tiles import TilesMissing, build_tree_reader, grow_tiles
from replay.proof.tree import ZEROS, commitment_of, mark_of, root_of
from replay.proof.witnesses import Standing

_LOG = logging.getLogger("kiebitz.log")
BATCH = 1_000
PAUSE = 1.0  # seconds between two checkpoints
_ENOUGH = 100
"""Batch size from which on an event costs no less in a larger batch; a larger one would only delay concurrent writers."""
_HAND_OVER = b'["closed",'
"""Bytes in an event that ends a hand. A free text that contains them only causes an early checkpoint."""
_KEPT = 10_000  # last marks of streams

SignerOf: TypeAlias = Callable[[LogEpoch], Signer | None]
"""Function that returns the key that signs an epoch at present, if it is here."""


class LogBlockedError(Worded):
    """Raised when signing would publish another history under the same name.

    Remedies are ``kiebitz log adopt``, ``kiebitz log fork``, or the right store.
    """


class OtherStore(LogBlockedError):
    """Raised when the store has begun another epoch than the one that the log follows."""


class StoreIncompleteError(LogBlockedError):
    """Raised when the store has fewer events than were signed."""


class StoreChangedError(LogBlockedError):
    """Raised when the store has other events than were signed."""


class WitnessConflictError(LogBlockedError):
    """Raised when a witness has signed another history of this log than the one here."""


class Witnesses(Protocol):
    """Witnesses of the log: notified of each checkpoint, and possibly aware of another history."""

    def tell(self, epoch: LogEpoch) -> None:
        """Notify the witnesses. Returns at once."""

    def find_conflict(self, epoch: LogEpoch) -> Standing | None: ...


class LogWriter:
    """Implementation of ``DriverTarget``, stepped by a thread or a process. It does nothing if another key signs this log."""

    is_awaited = False

    def __init__(
        self,
        events: EventStore,
        tree: LogTree,
        signer_of: SignerOf,
        signed: SignedFile,
        clock: Callable[[], float] = time.time,
        witnesses: Witnesses | None = None,
        gather: float = 0.0,
    ) -> None:
        """``clock``: POSIX time in seconds. ``gather``: for so many seconds after a checkpoint, a few new events are only looked at, unless
        one of them ends a hand. Entering them together locks the tables less often.
        """
        self._events = events
        self._tree = tree
        self._signer_of = signer_of
        self._file = signed
        self._clock = clock
        self._witnesses = witnesses
        self._gather = gather
        self._epoch: LogEpoch | None = None
        self._signer: Signer | None = None
        self._head: Head | None = None
        self._is_checked = False
        """Whether the tree was compared with what was signed last."""
        self._marks: OrderedDict[UUID, tuple[int, bytes]] = OrderedDict()
        self._rows: list[Sequenced] = []
        """Events that were read and are not entered yet."""
        self._due = False
        self._signed_at = -PAUSE
        self._failure: str | None = None

    @property
    def leads(self) -> bool:
        return self._signer is not None

    @property
    def last_sequence(self) -> int:
        return self._head.sequence if self._head else 0

    def step(self) -> bool:
        """Enter a batch, and sign a checkpoint if one is due. Raises ``LogBlockedError``, which is published in the tree from then on."""
        try:
            moved = self._step()
        except LogBlockedError as error:
            self._record_failure(f"{type(error).__name__}: {error}")
            raise
        except TilesMissing as error:
            self._recover(error)
            moved = True
        self._record_failure(None)
        return moved

    def _record_failure(self, failure: str | None) -> None:
        if self._signer is not None and failure != self._failure:
            self._tree.note_failure(failure)
            self._failure = failure

    def _step(self) -> bool:
        if self._should_wait():
            return False
        self._events.head()
        [*_, epoch] = self._events.log_epochs()
        if epoch != self._epoch or self._signer is None:
            self._signer = self._signer_of(epoch)
        if self._signer is None:
            return False
        head = self._current_head(epoch)
        rows = self._read_next(head)
        moved = bool(rows) or any(own.leaf >= head.size for own in self._events.own_entries(epoch.number))
        if moved:
            head = self._append_batch(epoch, head, rows)
        if not moved or head.size >= self._last_signed_size():
            self._check_signed_prefix(head)
            self._sign_if_pending(epoch, self._signer, self._head or head, at_once=self._due and len(rows) < BATCH)
        return moved

    def _recover(self, missing: TilesMissing) -> None:
        """Continue from the tree's head, since the tree has less than this process wrote; rebuild it if tree and head disagree."""
        head = self._tree.head()
        disagree = head is not None and self._head is not None and head.place == self._head.place
        if disagree and self._epoch is not None:
            self._tree.begin(self._epoch.number)
        _LOG.warning(
            "%s, as after a crash of its database: %s", missing, "made anew from the events" if disagree else "continues from there"
        )
        self._head = None
        self._reset()

    def _should_wait(self) -> bool:
        """Return whether the new events can wait for more."""
        head = self._head
        if head is None or self._clock() - self._signed_at >= self._gather:
            return False
        return len(self._read_next(head)) < _ENOUGH and not self._due

    def _read_next(self, head: Head) -> list[Sequenced]:
        after = self._rows[-1][0] if self._rows else head.sequence
        rows = self._events.events_after(after, BATCH - len(self._rows)) if len(self._rows) < BATCH else []
        self._due = self._due or any(_HAND_OVER in event.state for _, event in rows)
        self._rows += rows
        return self._rows

    def report_progress(self, failure: str | None = None) -> Reached:
        head = self._head
        known = None if head is None else Reaching(head.epoch, (), head.signed, 0)
        return Reached(None, {"log": known}, failure)

    def take(self, reached: Reached) -> bool:
        return False

    def _current_head(self, epoch: LogEpoch) -> Head:
        """Return the head of the tree, which is begun if there is none. Raises ``LogBlockedError`` if the store is another one."""
        if epoch.store != self._events.epoch.id:
            advice = "kiebitz log adopt continues it, kiebitz log fork begins the next log"
            raise OtherStore(f"the store is in another epoch than the log {epoch.origin}; {advice}")
        if self._epoch != epoch:
            self._epoch, self._head = epoch, None
            self._reset()
        if self._head is None:
            self._head = self._tree.head()
            self._failure = self._head.failure if self._head else None
        if self._head is None or self._head.epoch != epoch.number:
            self._head = self._tree.begin(epoch.number)
            self._reset()
        return self._head

    def _reset(self) -> None:
        self._is_checked = False
        self._marks.clear()
        self._rows = []

    def _append_batch(self, epoch: LogEpoch, head: Head, rows: Sequence[Sequenced]) -> Head:
        """Append these events; return the new head.

        The register's keys and own entries are read while the tree is locked, when no one else can write them (``epochs.py``).
        """
        with self._tree.lock() as held:
            if held.head is None or held.head.place != head.place:  # another process wrote: the next step continues from there
                self._head = None
                self._reset()
                return head
            self._head = self._write_leaves(held, epoch, held.head, rows)
        self._rows = []
        return self._head

    def _write_leaves(self, held: HeldTree, epoch: LogEpoch, head: Head, rows: Sequence[Sequenced]) -> Head:
        entries = merge_own_entries(rows, own_entries(self._events, epoch), head.size, head.sequence)
        blinding = self._events.blinding_keys(epoch.number)
        marks = [self._mark(event, blinding_at(blinding, leaf)) for leaf, (_, event) in enumerate(entries, head.size)]
        leaves = [Leaf(leaf, event.stream, event.position, sequence) for leaf, (sequence, event) in enumerate(entries, head.size)]
        return held.append(grow_tiles(self._tree.tile, head.size, marks), leaves, entries[-1][0])

    def _mark(self, event: StoredEvent, blinding: bytes) -> bytes:
        stream, position = event.stream, event.position
        known, prev = self._marks.pop(stream, (0, ZEROS))
        if known != position - 1:
            prev = self._mark_at(stream, position - 1)
        mark = mark_of(stream, position, prev, commitment_of(blinding, stream, position, event.name, event.state))
        self._marks[stream] = position, mark
        if len(self._marks) > _KEPT:
            self._marks.popitem(last=False)
        return mark

    def _mark_at(self, stream: UUID, position: int) -> bytes:
        leaf = self._tree.leaf_of(stream, position)
        return ZEROS if leaf is None else mark_at(self._tree, leaf.leaf)

    def _last_signed_size(self) -> int:
        then = None if self._is_checked else self._last_signed()
        return then.size if then else 0

    def _last_signed(self) -> Checkpoint | None:
        """Return what was signed last of this epoch. Raises ``LogBlockedError`` if it was of a log that the store does not know."""
        then, epoch = self._file.checkpoint(), self._epoch
        if then is None or epoch is None or then.origin == epoch.origin:
            return then
        if then.origin not in {one.origin for one in self._events.log_epochs()}:
            raise StoreIncompleteError(f"the log {then.origin} was signed last, of which this store knows nothing")
        return None

    def _check_signed_prefix(self, head: Head) -> None:
        """Compare the tree with what was signed last. Raises ``LogBlockedError``."""
        if self._is_checked:
            return
        then = self._last_signed()
        if then is not None and head.size < then.size:
            raise StoreIncompleteError(f"{then.size} entries were signed, and the store has {head.size}")
        if then is not None and root_of(build_tree_reader(self._tree.tile), 0, then.size) != then.root:
            raise StoreChangedError(f"the first {then.size} entries are not those that were signed")
        self._is_checked = True
        self._notify_witnesses()
        if then is not None and then.size > head.signed:  # it was signed, but not published
            self._publish(head, then.size, self._file.note() or "")

    def _sign_if_pending(self, epoch: LogEpoch, signer: Signer, head: Head, *, at_once: bool) -> None:
        self._check_witnesses(epoch)
        told = head.note is not None and head.size == head.signed
        if told or not (at_once or self._clock() - self._signed_at >= PAUSE):
            return
        tile = cache(self._tree.tile)  # computing a root reads several parts of the same tile
        checkpoint = Checkpoint(epoch.origin, head.size, root_of(build_tree_reader(tile), 0, head.size))
        note = sign(checkpoint.text, signer)
        # The file comes before publication: after a crash it shows what may have been published.
        self._file.write(note)
        self._publish(head, head.size, note)
        self._due, self._signed_at = False, self._clock()

    def _check_witnesses(self, epoch: LogEpoch) -> None:
        """Raise ``LogBlockedError`` if a witness contradicts this log."""
        if self._witnesses is not None and (stopping := self._witnesses.find_conflict(epoch)):
            signed = f"{stopping.named} entries" if stopping.trouble == "ahead" else "another history"
            raise WitnessConflictError(f"the witness {stopping.name} has signed {signed} of {epoch.origin}")

    def _publish(self, head: Head, size: int, note: str) -> None:
        at = self._clock()
        self._tree.publish(head.epoch, size, note, at)
        self._head = head._replace(signed=size, note=note, signed_at=at)
        self._notify_witnesses()

    def _notify_witnesses(self) -> None:
        if self._witnesses is not None and self._epoch is not None:
            self._witnesses.tell(self._epoch)
