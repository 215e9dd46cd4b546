"""The event store port of the journal: appending in groups, reading, epochs, news. The stores themselves are in ``deploy/stores/``."""

from collections.abc import Callable, Collection, Sequence
from typing import Literal, NamedTuple, Protocol, TypeAlias
from uuid import UUID

from domain.journal.commits import (
    BoardReplaced,
    CommandKey,
    Commit,
    CommitOutcome,
    Conflict,
    DuplicateKeyError,
    DuplicateRefError,
    Origin,
    Ref,
    StoredEvent,
    Text,
)
from domain.journal.epochs import Epoch
from domain.journal.registers import Registers

PATIENCE = 10.0  # seconds that an append may take by default
Told: TypeAlias = Callable[[list[CommitOutcome] | Exception | None], None]


class SnapshotRow(NamedTuple):
    """A snapshot as it lies in a store (``snapshots.py`` explains it). ``seal`` is ``None`` for those of older versions."""

    game: UUID
    position: int
    form: str
    link: str
    earliest: str | None
    state: bytes
    seal: str | None


class StoredStream(NamedTuple):
    """A stream and the number of its events. Its kind is that of most of its event names; unknown names count for a game."""

    id: UUID
    kind: Literal["game", "tournament", "player", "series", "ratings"]
    events: int


class Pool(NamedTuple):
    """The state of connections to a database: how many are open, how many of them idle, and how many callers wait for one."""

    open: int
    idle: int
    waiting: int


class EventStore(Registers, Protocol):
    """An event store. Usable from any thread, beside other processes that write to the same database. All methods raise
    ``StoreUnavailableError``.
    """

    def commit_group(self, commits: Sequence[Commit], patience: float = PATIENCE) -> list[CommitOutcome]:
        """Store all commits in one transaction, in their order; those with an objection are left out whole.

        Raises ``StoreUnavailableError`` if nothing was stored, ``OutcomeUnknownError`` if that could not be found out within ``patience``
        seconds, and the driver's own error for values that it cannot store; then nothing was stored either.
        """

    def commit_at_once(self, commits: Sequence[Commit]) -> list[CommitOutcome] | None:
        """Store the commits within a server's loop, if only the disk has to be waited for, and no other writer or machine. Otherwise return
        ``None``; then nothing was done, and nothing stored.
        """

    def send_in_loop(self, commits: Sequence[Commit], patience: float, told: Told) -> bool:
        """Send the commits beside the other work of a server's loop, if the answer of another machine is all that has to be waited for.
        False if there is more; then nothing was done.

        Later ``told`` is called in the loop, once: with the outcomes, with an error that ``commit_group`` would raise, or with ``None`` if
        there was more after all, or the answer did not come. Then ``commit_group`` has to be called with these very ``commits``. It knows
        whether they may be stored already.
        """

    async def take_turn(self, stream: UUID, patience: float) -> bool:
        """Wait for this process's turn to record in a stream, behind those that came before; it has one at a time. False if that takes too
        long, or if there are no turns. A turn keeps nobody from appending; an urgent caller need not take it.
        """

    def release_turn(self) -> None:
        """Hand on the turn that was taken. Waits for nothing."""

    def interrupt(self) -> None:
        """Break off a ``commit_group`` that hangs, from another thread."""

    def close(self) -> None:
        """Close all connections. Nothing can be read or written afterwards."""

    def select_events(self, stream: UUID, after: int = 0, upto: int | None = None, limit: int | None = None) -> list[StoredEvent]:
        """Return the events of a stream beyond one position, up to another; empty where there is no such stream."""

    def events_after(
        self,
        sequence: int,
        limit: int,
        *,
        upto: int | None = None,
        names: Collection[str] | None = None,
        others: Collection[str] = (),
        stream: UUID | None = None,
    ) -> list[tuple[int, StoredEvent]]:
        """Return events of all streams with their sequences, in the order of the commits.

        ``upto``: not beyond this sequence. ``names``: of these names only. ``others``: of none of these names. ``stream``: of this one
        only; no others are looked at.
        """

    def first_states(self, streams: Collection[UUID]) -> dict[UUID, bytes]:
        """Return the stored bytes of the first event of each stream."""

    def select_snapshots(
        self, game: UUID, form: str, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> list[tuple[SnapshotRow, bytes]]:
        """Return the snapshots of this form beyond one position, up to another, each with the bytes of the event there; newest first."""

    def keep_snapshots(self, snapshots: Sequence[SnapshotRow]) -> None:
        """Keep all or none, in the place of those that lie at their positions. A power cut may undo it: they can be made again."""

    def select_sequences(self, stream: UUID) -> list[int]:
        """Return the sequences of the events of a stream, in the order of their positions."""

    def streams(self) -> list[StoredStream]:
        """Return every stream, the one with the oldest event first."""

    def games(self) -> list[UUID]:
        """Return every game that has an event, of any name, the oldest first."""

    def head(self) -> int:
        """Return the newest sequence; 0 in an empty store. Also checks whether the epoch is still the same."""

    @property
    def epoch(self) -> Epoch:
        """The present epoch, as of the last look at the store."""

    def epochs(self) -> Sequence[Epoch]:
        """Return all epochs, the first one first."""

    def check_epoch(self) -> None:
        """Prepare for recording; to be called before anything is recorded. If this is a copy that lies elsewhere than where its epoch
        began, a new epoch begins here.

        From then on every new connection is checked: if it leads to a store without the events that this process has seen, or to a copy
        that lies elsewhere, an epoch begins, too.
        """

    def begin_epoch(self, common: int | None) -> None:
        """Begin an epoch; called by a process that has found that events are gone. ``common``: as in ``Epoch``."""

    def wait_for(self, after: int, timeout: float) -> bool:
        """Return True as soon as an event beyond the sequence ``after`` is stored, by this process or another; False when ``timeout``
        seconds are over.
        """

    def on_news(self, heard: Callable[[], object]) -> None:
        """Call ``heard`` whenever this process knows of something newer, in the thread that found it: it must wait for nothing."""

    def insert_events(
        self,
        events: Sequence[StoredEvent],
        *,
        command: CommandKey | None = None,
        texts: Sequence[Text] = (),
        ref: Ref | None = None,
        origin: Origin | None = None,
    ) -> Sequence[int]:
        """Store one commit alone, synchronously. Raises ``Conflict``, ``DuplicateKeyError``, ``DuplicateRefError``, and the errors of
        ``commit_group``.
        """
        if not events:
            return ()
        [outcome] = self.commit_group([Commit(tuple(events), command, tuple(texts), ref, None, origin)])
        if isinstance(outcome, Conflict | DuplicateKeyError | DuplicateRefError | BoardReplaced):
            raise outcome
        return outcome
