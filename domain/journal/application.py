"""The journal: every command of a game from the request to the store, and everything read back. The library's application is its frame.

A command is decided on the game as it stands (from the cache, else folded from the store in a thread), stamped, linked to the
event before it and handed to the writer, which commits in groups. One lock a game from decide to commit; if another process
came first, the game is folded anew and the command decided again, unless the caller named the position he decided on.
"""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID
from weakref import WeakValueDictionary

from eventsourcing.application import AggregateNotFoundError, Application
from eventsourcing.persistence import ApplicationRecorder, IntegrityError, Mapper
from eventsourcing.utils import Environment, EnvType

from domain import codec
from domain.errors import Reused, Stale, Unknown
from domain.events import Event, Recorded, Stamp, digest
from domain.game import Game, project
from domain.journal.calls import Call, Note, Receipt
from domain.journal.mapper import EventMapper, read, stored
from domain.journal.storage import Commit, Conflict, KeyTaken, Recorder, StoredCommand
from domain.journal.writer import GroupWriter

Decide: TypeAlias = Callable[[Game], Sequence[Event]]
"""A decision on a game as it stands: the events that follow. May be asked again on a later game; raises what the rules raise."""

_ATTEMPTS = 3


class Journal(Application[UUID]):
    """Games by id. Reads are synchronous and thread-safe; ``commit`` runs in the server's loop, ``commit_now`` anywhere.

    ``alone``: no other process writes to this store, so that a cached game needs no look at the store before it is read.
    """

    name = "kiebitz"

    def __init__(self, recorder: Recorder, clock: Callable[[], datetime], *, alone: bool, cached_games: int = 2000) -> None:
        self._given = recorder
        self.clock = clock
        self.writer = GroupWriter(recorder)
        self._locks: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()
        super().__init__(
            {
                self.AGGREGATE_CACHE_MAXSIZE: str(cached_games),
                self.AGGREGATE_CACHE_FASTFORWARD: "n" if alone else "y",
                self.DEEPCOPY_FROM_AGGREGATE_CACHE: "n",
            }
        )

    # What the library asks for: nothing is taken from the process's environment or found by Python paths.
    def construct_env(self, name: str, env: EnvType | None = None) -> Environment:
        return Environment(name, env)

    def construct_mapper(self) -> Mapper[UUID]:
        return EventMapper()

    def construct_recorder(self) -> ApplicationRecorder:
        return self._given

    async def start(self) -> None:
        await self.writer.start()

    async def stop(self) -> None:
        """Commits what has been accepted, then closes the store."""
        await self.writer.close()
        self.close()

    # Reading

    def game(self, id: UUID) -> Game:
        """The game as it stands. Raises ``Unknown``."""
        try:
            return self.repository.get(id, projector_func=_projected)  # type: ignore[arg-type, type-var, return-value]
        except AggregateNotFoundError:
            raise Unknown("game", id) from None

    async def held(self, id: UUID) -> Game:
        """The game from the cache at once, else folded in a thread, once for all who ask for it meanwhile."""
        game = self._cached(id)
        if game is not None and not self.repository.fastforward:
            return game
        async with self._lock(id):
            return await asyncio.to_thread(self.game, id)

    def history(self, id: UUID, after: int = 0, limit: int | None = None) -> list[Recorded]:
        """The events of a game from position ``after`` + 1 on; empty where there is no such game."""
        return [read(event) for event in self._given.select_events(id, gt=after, limit=limit)]

    def feed(self, after: int, limit: int) -> list[tuple[int, Recorded]]:
        """Events of all games with their sequences, in commit order, those after ``after``."""
        rows = self._given.select_notifications(after, limit, inclusive_of_start=False)
        return [(row.id, read(row)) for row in rows]

    def head(self) -> int:
        """The newest sequence; 0 in an empty store."""
        return self._given.max_notification_id() or 0

    # Writing

    async def open_game(self, call: Call, id: UUID, events: Sequence[Event]) -> Receipt:
        """A new game with its first event or events (an import brings whole hands)."""
        repeated = await self._repeated(call)
        if repeated:
            return repeated
        recorded = self._recorded(call, id, None, events)
        try:
            sequences = await self.writer.append(_commit(call, recorded, None))
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
                game = self._cached(id) or await asyncio.to_thread(self.game, id)
                game = await self._expected(call, game)
                recorded = self._recorded(call, id, game, decide(game))
                try:
                    sequences = await self.writer.append(_commit(call, recorded, note))
                except Conflict:
                    self._evict(id)
                    continue
                except KeyTaken:
                    return await self._settled(call)
                return self._receipt(game, recorded, sequences)
        raise Stale(id, game.position, (await asyncio.to_thread(self.game, id)).position)

    def open_now(self, call: Call, id: UUID, events: Sequence[Event]) -> Receipt:
        """The synchronous door for the command line, imports and tests."""
        recorded = self._recorded(call, id, None, events)
        sequences = self._given.insert_events([stored(event) for event in recorded])
        return self._receipt(None, recorded, tuple(sequences or ()))

    def commit_now(self, call: Call, id: UUID, decide: Decide) -> Receipt:
        """The synchronous door; no idempotency keys, one attempt. Raises ``Stale`` if somebody else came first."""
        game = self.game(id)
        _check_expected(call, game)
        recorded = self._recorded(call, id, game, decide(game))
        try:
            sequences = self._given.insert_events([stored(event) for event in recorded])
        except IntegrityError:
            self._evict(id)
            raise Stale(id, game.position, self.game(id).position) from None
        return self._receipt(game, recorded, tuple(sequences or ()))

    # Steps

    def _lock(self, id: UUID) -> asyncio.Lock:
        return self._locks.setdefault(id, asyncio.Lock())

    def _cached(self, id: UUID) -> Game | None:
        try:
            return self.repository.cache.get(id)  # type: ignore[union-attr, return-value]
        except KeyError:
            return None

    def _evict(self, id: UUID) -> None:
        if self._cached(id) is not None:
            self.repository.cache.get(id, evict=True)  # type: ignore[union-attr]

    async def _expected(self, call: Call, game: Game) -> Game:
        if call.expected is not None and call.expected > game.position:
            # The cached game may be older than what the caller saw from another process.
            self._evict(game.id)
            game = await asyncio.to_thread(self.game, game.id)
        _check_expected(call, game)
        return game

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
        self.repository.cache.put(after.id, after)  # type: ignore[union-attr, arg-type]
        return Receipt(game.table if game else None, recorded, after, sequences[-1])

    async def _repeated(self, call: Call) -> Receipt | None:
        if call.key is None:
            return None
        command = await asyncio.to_thread(self._given.find_command, call.by, call.key)
        return await self._again(call, command) if command else None

    async def _settled(self, call: Call) -> Receipt:
        repeated = await self._repeated(call)
        assert repeated is not None
        return repeated

    async def _again(self, call: Call, command: StoredCommand) -> Receipt:
        if command.fingerprint != call.fingerprint:
            raise Reused(call.key or "")
        return await asyncio.to_thread(self._rebuilt, command)

    def _rebuilt(self, command: StoredCommand) -> Receipt:
        """The first answer, from the events: the same key gives the same answer for as long as the register keeps it."""
        history = self.history(command.game, limit=command.last)
        before = project(None, history[: command.first - 1])
        after = project(before, history[command.first - 1 :])
        assert after is not None
        return Receipt(before.table if before else None, tuple(history[command.first - 1 :]), after, command.sequence, True)


def _projected(game: Game | None, history: Any) -> Game | None:
    return project(game, history)


def _check_expected(call: Call, game: Game) -> None:
    if call.expected is not None and call.expected != game.position:
        raise Stale(game.id, call.expected, game.position)


def _commit(call: Call, recorded: tuple[Recorded, ...], note: Note | None) -> Commit:
    return Commit(tuple(stored(event) for event in recorded), call.command, (note.text,) if note else ())
