"""The keeper: reads events in the order of the store, grows the tree, signs it. Where the store is not the one that was signed it stops.

It reads the journal and may write nothing in it. One thread uses it.
"""

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from uuid import NAMESPACE_URL, UUID, uuid5

from deploy.keeping.signed import SignedFile
from domain.journal.commits import StoredEvent
from domain.journal.log.register import LogEpoch
from domain.journal.store import EventStore
from projections.engine.checkpoints import Checkpoint as Reaching
from projections.engine.drive import Reached
from replay.proof.checkpoints import Checkpoint
from replay.proof.log import Head, Leaf, LogTree
from replay.proof.marks import ZEROS, commitment_to, head_of, mark_of, salt_of
from replay.proof.notes import Signer, sign
from replay.proof.tiles import HASH, WIDTH, grown, subtrees_in
from replay.proof.tree import root_of

BATCH = 1_000
FORKED = "log.forked/1"
"""The first entry of an epoch that is not the first."""
_PAUSE = 1.0  # seconds between two checkpoints
_HAND_OVER = b'["closed",'
"""Stands in the bytes of an event that ends a hand; a text that holds it only brings a checkpoint early."""
_KEPT = 10_000  # last marks of streams


class Stopped(Exception):
    """Nothing is signed, because it would be another history under the same name; only ``kiebitz log fork`` or the right store helps."""


class OtherStore(Stopped):
    """The store has begun another epoch than the one that the log follows."""


class StoreBehind(Stopped):
    """The store has fewer events than were signed."""


class StoreRewritten(Stopped):
    """The store has other events than were signed."""


def stream_of_log(origin: str) -> UUID:
    """Under which the entries of a log about itself stand in its tree."""
    return uuid5(NAMESPACE_URL, origin)


class Keeper:
    """As ``Driven``: a thread or a process steps it. Where another key keeps this log it does nothing."""

    awaited = False

    def __init__(
        self, events: EventStore, tree: LogTree, seed: bytes, signed: SignedFile, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """``seed``: the secret of the signing key."""
        self._events = events
        self._tree = tree
        self._seed = seed
        self._file = signed
        self._clock = clock
        self._epoch: LogEpoch | None = None
        self._blinding = b""
        self._head: Head | None = None
        self._held = False
        """Whether the tree was held against what was signed last."""
        self._marks: OrderedDict[UUID, tuple[int, bytes]] = OrderedDict()
        self._due = False
        self._signed_at = -_PAUSE
        self._leads = True

    @property
    def leads(self) -> bool:
        return self._leads

    @property
    def newest(self) -> int:
        return self._head.sequence if self._head else 0

    def step(self) -> bool:
        """A batch, and a checkpoint if one is due. Raises ``Stopped``."""
        [*_, epoch] = self._events.log_epochs()
        self._leads = epoch.key == str(Signer(epoch.origin, self._seed).key)
        if not self._leads:
            return False
        head = self._followed(epoch)
        rows = self._events.events_after(head.sequence, BATCH)
        if rows:
            self._append(head, rows)
        head = self._head or head
        if not rows or head.size >= self._signed_size():
            self._hold(head)
            self._publish(head)
        return bool(rows)

    def reached(self, failure: str | None = None) -> Reached:
        head = self._head
        known = None if head is None else Reaching(head.epoch, (), head.signed, 0)
        return Reached(None, {"log": known}, failure)

    def take(self, reached: Reached) -> bool:
        return False

    def _followed(self, epoch: LogEpoch) -> Head:
        """The head of the tree, which is begun where there is none. Raises ``Stopped`` where the store is another one."""
        self._events.head()
        if epoch.store != self._events.epoch.id:
            raise OtherStore(f"the store is in another epoch than the log {epoch.origin}; kiebitz log fork begins the next log")
        if self._epoch != epoch:
            self._epoch, self._head, self._held = epoch, None, False
            self._marks.clear()
            [blinding, *_] = self._events.blinding_keys(epoch.number)
            self._blinding = blinding.key
        head = self._head or self._tree.head()
        if head is None or head.epoch != epoch.number:
            head = self._begun(epoch)
        self._head = head
        return head

    def _begun(self, epoch: LogEpoch) -> Head:
        head = self._tree.begin(epoch.number)
        self._marks.clear()
        self._held = False
        if epoch.forked is None:
            return head
        entry = StoredEvent(stream_of_log(epoch.origin), 1, FORKED, epoch.forked.encode())
        return self._appended(head, [(0, entry)])

    def _append(self, head: Head, rows: Sequence[tuple[int, StoredEvent]]) -> None:
        self._head = self._appended(head, rows)
        self._due = self._due or any(_HAND_OVER in event.state for _, event in rows)

    def _appended(self, head: Head, rows: Sequence[tuple[int, StoredEvent]]) -> Head:
        marks = [self._mark(event) for _, event in rows]
        leaves = [Leaf(leaf, event.stream, event.position, sequence) for leaf, (sequence, event) in enumerate(rows, head.size)]
        tiles = grown(self._tree.tile, head.size, marks)
        after = self._tree.append(head, tiles, leaves, rows[-1][0])
        if after is None:  # somebody else wrote: what is there now is read at the next step
            self._head, self._held = None, False
            self._marks.clear()
            return self._tree.head() or head
        return after

    def _mark(self, event: StoredEvent) -> bytes:
        stream, position = event.stream, event.position
        salt, head = salt_of(self._blinding, stream, position), head_of(stream, position, event.name)
        mark = mark_of(stream, position, self._mark_before(stream, position), commitment_to(salt, head, event.state))
        self._marks[stream] = position, mark
        self._marks.move_to_end(stream)
        if len(self._marks) > _KEPT:
            self._marks.popitem(last=False)
        return mark

    def _mark_before(self, stream: UUID, position: int) -> bytes:
        known, mark = self._marks.get(stream, (0, ZEROS))
        if known == position - 1:
            return mark
        leaf = self._tree.leaf_of(stream, position - 1)
        return ZEROS if leaf is None else mark_at(self._tree, leaf.leaf)

    def _signed_size(self) -> int:
        then = None if self._held else self._signed()
        return then.size if then else 0

    def _signed(self) -> Checkpoint | None:
        """What was signed last of this epoch. Raises ``Stopped`` where it was of a log that the store does not know."""
        then, epoch = self._file.checkpoint(), self._epoch
        if then is None or epoch is None or then.origin == epoch.origin:
            return then
        if then.origin not in {one.origin for one in self._events.log_epochs()}:
            raise StoreBehind(f"the log {then.origin} was signed last, of which this store knows nothing")
        return None

    def _hold(self, head: Head) -> None:
        """The tree against what was signed last. Raises ``Stopped``."""
        if self._held:
            return
        then = self._signed()
        if then is not None and head.size < then.size:
            raise StoreBehind(f"{then.size} entries were signed, and the store has {head.size}")
        if then is not None and root_of(subtrees_in(self._tree.tile), 0, then.size) != then.root:
            raise StoreRewritten(f"the first {then.size} entries are not those that were signed")
        self._held = True
        if then is not None and then.size > head.signed:  # it was signed, and nobody was told
            self._tell(head, then.size, self._file.note() or "")

    def _publish(self, head: Head) -> None:
        head = self._head or head
        told = head.note is not None and head.size == head.signed
        if told or not (self._due or self._clock() - self._signed_at >= _PAUSE) or self._epoch is None:
            return
        checkpoint = Checkpoint(self._epoch.origin, head.size, root_of(subtrees_in(self._tree.tile), 0, head.size))
        note = sign(checkpoint.text, Signer(self._epoch.origin, self._seed))
        self._file.write(note)
        self._tell(head, head.size, note)
        self._due, self._signed_at = False, self._clock()

    def _tell(self, head: Head, size: int, note: str) -> None:
        self._tree.publish(head.epoch, size, note)
        self._head = head._replace(signed=size, note=note)


def mark_at(tree: LogTree, leaf: int) -> bytes:
    tile, place = divmod(leaf, WIDTH)
    return tree.tile(0, tile)[place * HASH : (place + 1) * HASH]
