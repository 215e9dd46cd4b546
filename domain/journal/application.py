"""The journal: every command of a game on its way from the decision to the store.

A command is decided on the game as it stands (from the cache, else folded from the store in a thread), stamped, linked to the
event before it and handed to the writer, which commits in groups. One lock a game from decide to commit; if another process
came first, the game is folded anew and the command decided again, unless the caller named the position he decided on.
"""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeAlias
from uuid import UUID
from weakref import WeakValueDictionary

from eventsourcing.persistence import IntegrityError

from domain import codec
from domain.errors import Exists, Reused, Stale, Unavailable
from domain.events import Event, Recorded, Stamp, digest
from domain.game import Game, project
from domain.journal import storage
from domain.journal.archive import Archive
from domain.journal.calls import Call, Note, Receipt
from domain.journal.mapper import stored
from domain.journal.storage import Commit, Conflict, KeyTaken, Recorder, StoredCommand
from domain.journal.writer import GroupWriter

Decide: TypeAlias = Callable[[Game], Sequence[Event]]
"""A decision on a game as it stands: the events that follow. May be asked again on a later game; raises what the rules raise."""

_ATTEMPTS = 3


class Journal(Archive):
    """``commit`` and ``open_game`` run in the server's loop; ``commit_now`` and ``open_now`` anywhere."""

    def __init__(self, recorder: Recorder, clock: Callable[[], datetime], *, alone: bool, cached_games: int = 2000) -> None:
        super().__init__(recorder, clock, alone=alone, cached_games=cached_games)
        self.writer = GroupWriter(recorder)
        self._locks: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()

    async def start(self) -> None:
        await self.writer.start()

    async def stop(self) -> None:
        """Commits what has been accepted, then closes the store."""
        await self.writer.close()
        self.close()

    async def held(self, id: UUID) -> Game:
        """The game as it stands: from the cache at once, else folded in a thread, once for all who ask for it meanwhile."""
        game = self._cached(id)
        if game is not None and not self.repository.fastforward:
            return game
        async with self._lock(id):
            return await asyncio.to_thread(self.game, id)

    async def open_game(self, call: Call, id: UUID, events: Sequence[Event]) -> Receipt:
        """A new game with its first event or events (an import brings whole hands)."""
        repeated = await self._repeated(call)
        if repeated:
            return repeated
        recorded = self._recorded(call, id, None, events)
        try:
            sequences = await self._append(id, _commit(call, recorded, None))
        except KeyTaken:
            return await self._settled(call)
        return self._receipt(None, recorded, sequences)

    async def commit(self, call: Call, id: UUID, decide: Decide, note: Note | None = None) -> Receipt:
        """Decides and records. Raises ``Unknown``, ``Stale``, ``Reused``, ``Unavailable`` and whatever ``decide`` raises."""
        repeated = await self._repeated(call)
        if repeated:
            return repeated
        async with self._lock(id):
            for _ in range(_ATTEMPTS):
                game = await self._standing(call, id)
                recorded = self._recorded(call, id, game, decide(game))
                try:
                    sequences = await self._append(id, _commit(call, recorded, note))
                except Conflict:
                    self._evict(id)
                    continue
                except KeyTaken:
                    return await self._settled(call)
                return self._receipt(game, recorded, sequences)
        raise Unavailable(f"others keep recording in game {id}", unclear=False)

    async def take_over(self, call: Call, history: Sequence[Recorded]) -> Receipt:
        """A whole game as it was recorded elsewhere: ids, times and principals stay. ``call`` only names key and fingerprint.

        Raises ``Exists``. Whether the history is sound was for the caller to find out.
        """
        repeated = await self._repeated(call)
        if repeated:
            return repeated
        try:
            sequences = await self._append(history[0].game, _commit(call, tuple(history), None))
        except KeyTaken:
            return await self._settled(call)
        except Conflict:
            raise Exists(history[0].game) from None
        return self._receipt(None, tuple(history), sequences)

    def take_over_now(self, history: Sequence[Recorded]) -> Receipt:
        """The same by the synchronous door. Raises ``Exists``."""
        try:
            sequences = self.store.insert_events([stored(event) for event in history])
        except IntegrityError:
            raise Exists(history[0].game) from None
        return self._receipt(None, tuple(history), sequences)

    def open_now(self, call: Call, id: UUID, events: Sequence[Event]) -> Receipt:
        """The synchronous door for the command line, imports and tests. No idempotency keys."""
        recorded = self._recorded(call, id, None, events)
        return self._receipt(None, recorded, self.store.insert_events([stored(event) for event in recorded]))

    def commit_now(self, call: Call, id: UUID, decide: Decide) -> Receipt:
        """The synchronous door: one attempt. Raises ``Stale`` if somebody else came first."""
        game = self.game(id)
        _check_expected(call, game)
        recorded = self._recorded(call, id, game, decide(game))
        try:
            sequences = self.store.insert_events([stored(event) for event in recorded])
        except IntegrityError:
            self._evict(id)
            raise Stale(id, game.position, self.game(id).position) from None
        return self._receipt(game, recorded, sequences)

    def _lock(self, id: UUID) -> asyncio.Lock:
        return self._locks.setdefault(id, asyncio.Lock())

    async def _standing(self, call: Call, id: UUID) -> Game:
        """The game to decide on, which need not be the newest: what it misses shows as a conflict. Needs the lock."""
        game = self._cached(id)
        if game is None or (call.expected is not None and call.expected > game.position):
            self._evict(id)
            game = await asyncio.to_thread(self.game, id)
        _check_expected(call, game)
        return game

    async def _append(self, id: UUID, commit: Commit) -> tuple[int, ...]:
        try:
            return await self.writer.append(commit)
        except (Conflict, KeyTaken):
            raise
        except storage.Unavailable as error:
            raise Unavailable(str(error), unclear=False) from error
        except storage.Unclear as error:
            self._doubtful.add(id)
            raise Unavailable(str(error), unclear=True) from error
        except BaseException:
            # The caller was cancelled; what he sent may be on its way to the disk.
            self._doubtful.add(id)
            raise

    def _recorded(self, call: Call, id: UUID, game: Game | None, events: Sequence[Event]) -> tuple[Recorded, ...]:
        stamp = Stamp(self.clock(), call.by, call.happened_at)
        position = game.position if game else 0
        link = digest(game.last) if game else None
        recorded = []
        for event in events:
            position += 1
            recorded.append(codec.record(id, position, link, stamp, event))
            link = digest(recorded[-1].state)
        return tuple(recorded)

    def _receipt(self, game: Game | None, recorded: tuple[Recorded, ...], sequences: Sequence[int]) -> Receipt:
        after = project(game, recorded)
        assert after is not None
        self._keep(after)
        return Receipt(game.table if game else None, recorded, after, sequences[-1])

    async def _repeated(self, call: Call) -> Receipt | None:
        if call.key is None:
            return None
        command = await asyncio.to_thread(self.store.find_command, call.by, call.key)
        if command is None:
            return None
        if command.fingerprint != call.fingerprint:
            raise Reused(call.key)
        return await asyncio.to_thread(self._rebuilt, command)

    async def _settled(self, call: Call) -> Receipt:
        """The answer of the same command that came first by another way."""
        repeated = await self._repeated(call)
        assert repeated is not None
        return repeated

    def _rebuilt(self, command: StoredCommand) -> Receipt:
        """The first answer, from the events: the same key gives the same answer for as long as the register keeps it."""
        history = self.history(command.game, limit=command.last)
        before = project(None, history[: command.first - 1])
        after = project(before, history[command.first - 1 :])
        assert after is not None
        return Receipt(before.table if before else None, tuple(history[command.first - 1 :]), after, command.sequence, True)


def _check_expected(call: Call, game: Game) -> None:
    if call.expected is not None and call.expected != game.position:
        raise Stale(game.id, call.expected, game.position)


def _commit(call: Call, recorded: tuple[Recorded, ...], note: Note | None) -> Commit:
    return Commit(tuple(stored(event) for event in recorded), call.command, (note.text,) if note else ())
