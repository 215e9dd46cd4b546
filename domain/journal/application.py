"""Command handling with optimistic concurrency: a command is decided on an aggregate, and appended only if no other commit came first.

A command is decided on the aggregate as it stands (from the cache, else folded from the store in a thread), stamped, linked to the event
before it and handed to the writer, which commits in groups. Each aggregate has one lock, held from decide to commit. If another process
came first, the aggregate is read again and the command decided again. A refused command is also decided again if others write to the store:
a refusal must not rest on an outdated position.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import chain
from random import random
from typing import Any, TypeAlias
from uuid import UUID

from domain import codec
from domain.errors import Exists, Stale, Unavailable
from domain.events import A, Aggregate, AggregateType, Event, Recorded, Stamp
from domain.game import GAME, Game
from domain.journal.archive import Archive, LockedStreams, StreamLock, StreamLocks
from domain.journal.cleanup import run_cleanup, watch
from domain.journal.commits import (
    Board,
    BoardReplaced,
    Call,
    Commit,
    Conflict,
    DuplicateKeyError,
    DuplicateRefError,
    ImportResult,
    LinkedStreams,
    OutcomeUnknownError,
    Receipt,
    RegisteredText,
    StoreBlockedError,
    StoreUnavailableError,
    Text,
    to_stored,
)
from domain.journal.idempotency import Repeats
from domain.journal.store import EventStore
from domain.journal.writer import GroupWriter

Decide: TypeAlias = Callable[[A], Sequence[Event]]
"""Maps an aggregate to the events that follow; raises what the rules raise. Called again if another process recorded first, or may have."""
DecideGame: TypeAlias = Decide[Game]
DecideBoth: TypeAlias = Callable[[A, A], tuple[Sequence[Event], Sequence[Event]]]
"""Decides on two aggregates of a kind: returns the events of the first and those of the second."""
_DecideAll: TypeAlias = Callable[[Sequence[Any]], Sequence[Sequence[Event]]]
"""Decides on any number of streams, of any kinds."""
_Streams: TypeAlias = Sequence[tuple[AggregateType[Any], UUID]]

PATIENCE = 5.0
"""Seconds for which a command waits for another one under its key, and for which it is decided again while other processes come first."""


_FIRST_PAUSE = 0.002  # seconds
_LONGEST_PAUSE = 0.1


def growing_pauses(chance: Callable[[], float] = random) -> Iterator[float]:
    """Yield pauses in seconds, without end. They are random, so that two processes that collided once do not collide again and again;
    ``chance`` returns a number from 0 to 1.
    """
    longest = _FIRST_PAUSE
    while True:
        yield chance() * longest
        longest = min(2 * longest, _LONGEST_PAUSE)


class Journal(Archive):
    """The journal. ``commit`` and ``open_game`` run in the server's loop; ``commit_now`` and ``open_now`` anywhere.

    These are for games; ``commit_to``, ``begin`` and ``current_of`` do the same for any kind of aggregate. ``pauses`` are the seconds
    between two decisions of a command if other processes keep coming first. ``keeps_up``: this journal also does the daily upkeep. All
    methods that record also raise ``StoreBlockedError``.
    """

    def __init__(
        self,
        store: EventStore,
        clock: Callable[[], datetime],
        *,
        alone: bool,
        cached_games: int = 2000,
        snapshot_key: bytes | None = None,
        patience: float = PATIENCE,
        pauses: Callable[[], Iterable[float]] = growing_pauses,
        keeps_up: bool = True,
    ) -> None:
        super().__init__(store, clock, alone=alone, cached_games=cached_games, snapshot_key=snapshot_key)
        self.writer = GroupWriter(store)
        self._patience = patience
        self._pauses = pauses
        self._repeats = Repeats(self, patience)
        self._keeps_up = keeps_up
        self._tasks: list[asyncio.Task[None]] = []
        self._turns = StreamLocks(store.take_turn, store.release_turn)
        self._held = LockedStreams()

    @property
    def keys_held(self) -> int:
        """The number of keys under which a command is in progress in this process."""
        return self._repeats.pending_key_count

    @property
    def streams_held(self) -> int:
        """The number of games and other streams in which a command of this process is in progress."""
        return len(self._held)

    async def start(self) -> None:
        await self.writer.start()
        kept_up = [run_cleanup(self.store, self.clock)] if self._keeps_up else []
        self._tasks = [asyncio.create_task(one) for one in (watch(self.store), *kept_up)]

    async def stop(self) -> None:
        """Commit what has been accepted, then close the store."""
        for task in self._tasks:
            task.cancel()
        await self.writer.close()
        self.close()

    async def current(self, id: UUID) -> Game:
        """Return the game as it stands. Raises ``Unknown``."""
        return await self.current_of(GAME, id)

    async def open_game(self, call: Call, id: UUID, events: Sequence[Event]) -> Receipt[Game]:
        """Record a new game with its first event or events. Raises ``Exists``, ``KeyConflictError``, ``RequestPendingError`` and
        ``Unavailable``.
        """
        return await self.begin(GAME, call, id, events)

    async def commit(
        self, call: Call, id: UUID, decide: DecideGame, note: RegisteredText | None = None, *, dry_run: bool = False
    ) -> Receipt[Game]:
        """Decide and record. Raises ``Unknown``, ``Stale``, ``KeyConflictError``, ``RequestPendingError``, ``Unavailable`` and what
        ``decide`` raises.
        """
        return await self.commit_to(GAME, call, id, decide, note, dry_run=dry_run)

    async def current_of(self, kind: AggregateType[A], id: UUID) -> A:
        """Return the aggregate as it stands: from the cache, else folded in a thread. Callers that wait for the same one share one fold.
        Raises ``Unknown``.
        """
        found = self._find_cached(kind, id)
        if found is not None and not self.repository.fastforward:
            # Followers may hear of an event while its command is still finishing. A reader who asks then has to find it, so the store
            # is read.
            return found if not self._held.is_storing(id) else await asyncio.to_thread(self.read_on, kind, found)
        held = self._held.acquire(id)
        try:
            async with held.folding:
                return await asyncio.to_thread(self.aggregate, kind, id)
        finally:
            self._held.release(held)

    async def begin(
        self,
        kind: AggregateType[A],
        call: Call,
        id: UUID,
        events: Sequence[Event],
        note: RegisteredText | None = None,
        *,
        dry_run: bool = False,
    ) -> Receipt[A]:
        """Record a new stream with its first events. Raises ``Exists``, ``KeyConflictError``, ``RequestPendingError`` and
        ``Unavailable``.
        """
        async with self._repeats.one_at_a_time(call):
            repeated = await self.find_receipt(kind, call)
            if repeated:
                return repeated
            recorded = self._link(call, id, None, events)
            if dry_run:
                await asyncio.to_thread(self._check_new_stream, kind, id)
                return _would_be(kind, None, recorded)
            try:
                sequences = await self._append(_commit(call, recorded, (note.text,) if note else ()))
            except DuplicateKeyError:
                return await self._first_receipt(kind, call)
            except Conflict:
                raise Exists(kind.name, id) from None
            return self._receipt(kind, None, recorded, sequences)

    async def commit_to(
        self,
        kind: AggregateType[A],
        call: Call,
        id: UUID,
        decide: Decide[A],
        note: RegisteredText | None = None,
        *,
        beside: LinkedStreams[A] | None = None,
        board: Board | None = None,
        dry_run: bool = False,
    ) -> Receipt[A]:
        """Decide and record on an aggregate of any kind. Raises as ``commit`` does.

        ``dry_run``, here and elsewhere: return the receipt that the command would get, or raise its refusal; nothing is recorded, and no
        key is kept. ``beside``: games in which the same commit records, all or nothing; the receipt says nothing of them except the
        sequence. ``board``: the board that is dealt, as it was read. Raises ``BoardReplaced`` if it has another deck by now.
        """
        if beside is None:
            return await self._continue(call, ((kind, id),), lambda known: (decide(known[0]),), note, board, dry_run=dry_run)
        games: _Streams = [(GAME, game) for game in beside.games]
        streams: _Streams = [(kind, id), *games]
        also = beside.decide

        def decide_all(known: Sequence[Any]) -> Sequence[Sequence[Event]]:
            return (decide(known[0]), *(also(known[0], game) for game in known[1:]))

        return await self._continue(call, streams, decide_all, note, dry_run=dry_run)

    async def commit_to_both(
        self, kind: AggregateType[A], call: Call, first: UUID, second: UUID, decide: DecideBoth[A], *, dry_run: bool = False
    ) -> Receipt[A]:
        """Decide on two different streams as they stand together and record in both, all or nothing; each gets an event.

        The call's ``expected`` is a position of the first, and so is the receipt except for its sequence, which is the last of all.
        """
        return await self._continue(call, ((kind, first), (kind, second)), lambda known: decide(*known), None, dry_run=dry_run)

    async def find_receipt(self, kind: AggregateType[A], call: Call) -> Receipt[A] | None:
        """Return the receipt recorded earlier under the call's key, if there is one: for callers that refuse before they commit. Raises
        ``KeyConflictError``.
        """
        return await self._repeats.receipt(kind, call)

    async def import_game(self, call: Call, commit: Commit, *, whole: bool, dry_run: bool = False) -> ImportResult:
        """Import a whole game that comes from elsewhere. The caller has made sure that it is sound, and put the call's key into the commit.

        ``whole``: with its id, too. Raises ``Exists`` if another game has its id, and ``RefInUse`` if another record has the same ref.
        """
        async with self._repeats.one_at_a_time(call):
            if dry_run:
                repeated = await self.find_receipt(GAME, call)
                if repeated is not None:
                    return _to_import_result(repeated)
                known = await asyncio.to_thread(self.find_imported, commit, whole=whole)
                return ImportResult(known or commit.events[0].stream, len(commit.events), 0, already=known is not None)
            try:
                sequences = await self._append(commit)
            except DuplicateKeyError:
                return _to_import_result(await self._first_receipt(GAME, call))
            except (DuplicateRefError, Conflict):
                known = await asyncio.to_thread(self.find_imported, commit, whole=whole)
                if known is None:
                    raise
                return ImportResult(known, len(commit.events), 0, already=True)
            return ImportResult(commit.events[0].stream, len(commit.events), sequences[-1])

    def open_now(self, call: Call, id: UUID, events: Sequence[Event]) -> Receipt[Game]:
        """Record a new game synchronously, for the command line and tests. Keeps no key."""
        recorded = self._link(call, id, None, events)
        return self._receipt(GAME, None, recorded, self.store.insert_events(list(map(to_stored, recorded))))

    def commit_now(self, call: Call, id: UUID, decide: DecideGame) -> Receipt[Game]:
        """Decide and record synchronously, with one attempt. Raises ``Stale`` if another command was recorded first."""
        game = self.game(id)
        _check_expected(call, game)
        recorded = self._link(call, id, game, decide(game))
        try:
            sequences = self.store.insert_events(list(map(to_stored, recorded)))
        except Conflict:
            self._evict(id)
            raise Stale(id, game.position, self.game(id).position) from None
        return self._receipt(GAME, game, recorded, sequences)

    async def _continue(
        self,
        call: Call,
        streams: _Streams,
        decide: _DecideAll,
        note: RegisteredText | None,
        board: Board | None = None,
        *,
        dry_run: bool = False,
    ) -> Receipt[Any]:
        """Record the next events of streams, all or nothing. The receipt is that of the first one."""
        if call.key is None:
            return await self._in_turn(call, streams, decide, note, board, dry_run=dry_run)
        kind = streams[0][0]
        async with self._repeats.one_at_a_time(call):
            repeated = await self.find_receipt(kind, call) if dry_run else None
            if repeated:
                return repeated
            # The store finds a used key when the commit is appended, so there is no look-up before.
            try:
                return await self._in_turn(call, streams, decide, note, board, dry_run=dry_run)
            except (StoreUnavailableError, Unavailable):
                raise
            except DuplicateKeyError:
                return await self._first_receipt(kind, call)
            except Exception:
                # This very command may be recorded already, and its refusal may follow from that. Its key is in the store by now.
                repeated = await self.find_receipt(kind, call)
                if repeated:
                    return repeated
                raise

    async def _in_turn(
        self, call: Call, streams: _Streams, decide: _DecideAll, note: RegisteredText | None, board: Board | None, *, dry_run: bool
    ) -> Receipt[Any]:
        """Run a command after the other commands of these streams that are in progress here."""
        held = [self._held.acquire(id) for _, id in streams]
        held[0].commands += 1
        locked: list[StreamLock] = []
        try:
            for one in sorted(held, key=_by_id):  # the same order for every command, so that no two wait for each other
                await one.lock.acquire()
                locked.append(one)
            return await self._record_streams(call, streams, held, decide, note, board, dry_run=dry_run)
        finally:
            for one in locked:
                one.lock.release()
            self._leave(held)

    async def _record_streams(
        self,
        call: Call,
        streams: _Streams,
        held: Sequence[StreamLock],
        decide: _DecideAll,
        note: RegisteredText | None,
        board: Board | None,
        *,
        dry_run: bool,
    ) -> Receipt[Any]:
        """Decide and append, again while other processes come first. Needs the locks. Raises ``Unavailable`` once the patience is over."""
        if dry_run:
            known, recorded = await self._decide_events(call, streams, decide, anew=self.repository.fastforward)
            return _would_be(streams[0][0], known[0], recorded[0])
        (kind, id), texts = streams[0], (note.text,) if note else ()
        loop, pauses = asyncio.get_running_loop(), None
        until = loop.time() + self._patience
        anew = await self._turns.begin(id)
        while True:
            known, recorded = await self._decide_events(call, streams, decide, anew=anew)
            try:
                sequences = await self._append(_commit(call, chain.from_iterable(recorded), texts, board=board), held)
            except Conflict:
                if loop.time() > until:
                    break
                pauses = pauses or iter(self._pauses())
                if anew and not await self._turns.after_conflict(id):
                    await asyncio.sleep(next(pauses))
                anew = True
                continue
            # A receipt of every stream is made, because that also puts each new aggregate into the cache.
            receipts = [
                self._receipt(kind, before, events, sequences) for (kind, _), before, events in zip(streams, known, recorded, strict=True)
            ]
            return receipts[0]
        names = " or ".join(str(id) for _, id in streams)
        raise Unavailable(f"others keep recording in {kind.name} {names}", unclear=False)

    def _leave(self, held: Sequence[StreamLock]) -> None:
        """End a command of these streams."""
        first = held[0]
        first.commands -= 1
        self._turns.end(first.id, more=first.commands > 0)
        for one in held:
            self._held.release(one)

    async def _decide_events(
        self, call: Call, streams: _Streams, decide: _DecideAll, *, anew: bool
    ) -> tuple[list[Any], list[tuple[Recorded, ...]]]:
        """Return the aggregates as they stand, and the events that follow. Raises what ``decide`` raises, but only on the newest state.

        Unless read ``anew`` the aggregates may be out of date; then the append ends in a conflict. Needs the locks.
        """
        known: list[Any] = []
        for kind, id in streams:
            cached = None if anew else self._find_cached(kind, id)
            known.append(cached or await asyncio.to_thread(self.latest, kind, id))
        try:
            _check_expected(call, known[0])  # the expected position is one of the first stream only
            decided = zip(streams, known, decide(known), strict=True)
            return known, [self._link(call, id, before, events) for (_, id), before, events in decided]
        except Exception:
            # A refusal on a cached state may be outdated where other processes write: decide once more on what the store has.
            if anew or not self.repository.fastforward:
                raise
        return await self._decide_events(call, streams, decide, anew=True)

    async def _append(self, commit: Commit, held: Sequence[StreamLock] = ()) -> tuple[int, ...]:
        for stream in held:
            stream.storing = True
        try:
            return await self.writer.append(commit)
        except (Conflict, DuplicateKeyError, DuplicateRefError, BoardReplaced, StoreBlockedError):
            raise
        except StoreUnavailableError as error:
            raise Unavailable(str(error), unclear=False) from error
        except OutcomeUnknownError as error:
            # Until the next commit succeeds, the cache is not used for these streams: the commit may or may not be stored.
            self._doubtful.update(commit.bases())
            raise Unavailable(str(error), unclear=True) from error
        except BaseException:
            # The caller was cancelled, but the commit may still be stored.
            self._doubtful.update(commit.bases())
            raise
        finally:
            for stream in held:
                stream.storing = False

    def _link(self, call: Call, id: UUID, known: Aggregate | None, events: Sequence[Event]) -> tuple[Recorded, ...]:
        stamp = Stamp(self.clock(), call.by, call.happened_at)
        if known is None:
            return codec.link_events(id, 0, None, stamp, events)
        return codec.link_events(id, known.position, known.last, stamp, events, bound=known.bound)

    def _check_new_stream(self, kind: AggregateType[A], id: UUID) -> None:
        """Raise ``Exists``, as appending would."""
        if self.store.select_events(id, limit=1):
            raise Exists(kind.name, id)

    def _receipt(self, kind: AggregateType[A], known: A | None, recorded: tuple[Recorded, ...], sequences: Sequence[int]) -> Receipt[A]:
        after = self._after(kind, known, recorded)
        assert after is not None
        self._keep(after)
        return Receipt(known, recorded, after, sequences[-1])

    async def _first_receipt(self, kind: AggregateType[A], call: Call) -> Receipt[A]:
        """Return the receipt of the same command, which came in twice at once and was recorded the other time."""
        repeated = await self.find_receipt(kind, call)
        if repeated is None:
            raise Unavailable("what was recorded under this key has just been forgotten", unclear=False)
        return repeated


def _would_be(kind: AggregateType[A], known: A | None, recorded: tuple[Recorded, ...]) -> Receipt[A]:
    """Return the receipt of events that are not recorded: without a sequence."""
    after = kind.project(known, recorded)
    assert after is not None
    return Receipt(known, recorded, after, 0)


def _by_id(held: StreamLock) -> UUID:
    return held.id


def _check_expected(call: Call, known: Aggregate) -> None:
    if call.expected is not None and call.expected != known.position:
        raise Stale(known.id, call.expected, known.position)


def _to_import_result(receipt: Receipt[Game]) -> ImportResult:
    return ImportResult(receipt.after.id, receipt.after.position, receipt.sequence, receipt.repeated)


def _commit(call: Call, recorded: Iterable[Recorded], texts: tuple[Text, ...], *, board: Board | None = None) -> Commit:
    return Commit(tuple(map(to_stored, recorded)), call.command, texts, None, board)
