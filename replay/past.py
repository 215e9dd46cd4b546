"""Time travel in a game without folding all of it: events come in blocks, the game before each block is cached, and any position is at most
one block of folding away. Also what-if branches.

Within an epoch of the store recorded events do not change, so a cached game stays right, and a game in progress only makes its past longer.
If the store has a snapshot, folding begins there and not at the first event. A snapshot always goes before a folded game: so a position
gives the same game in any order of reading, even if somebody has tampered with older events.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial
from threading import Lock
from typing import NamedTuple, TypeAlias
from uuid import UUID

from msgspec import Struct

from domain.effects import Effects
from domain.errors import Refused, Unknown
from domain.events import Recorded
from domain.events.base import Unreadable
from domain.game import Game, fold_event
from domain.moves import MadeMove, move_with_codes
from domain.rules import Rulebook
from domain.table import Table, fold

BLOCK = 64
"""The number of events of a block, as many as between two snapshots of the journal: its snapshots then stand at the beginning of blocks."""

MOST_POSITIONS = 1_000_000
"""The sum of the positions of the games that are kept of one past: a game grows with its hands, so of a long one fewer are kept."""

ReadHistory: TypeAlias = Callable[[int, int], Sequence[Recorded]]
"""The events after a position, at most so many."""

ReadSnapshot: TypeAlias = Callable[[int, int], Game | None]
"""The newest snapshot after one position, up to another. Only those at a multiple of ``BLOCK`` are used."""

ReadMoments: TypeAlias = Callable[[], Iterable[tuple[int, int, datetime]]]
"""Spans of events, as far as the store knows them: after one position, up to another, and the earliest moment in between."""


class GameStep(NamedTuple):
    """An event, and the game before and after it; ``before`` is ``None`` for the first."""

    before: Game | None
    recorded: Recorded
    after: Game


class GamePast:
    """The past of one game. Thread-safe. ``until`` is the last position that the caller knows of."""

    def __init__(
        self,
        read: ReadHistory,
        stored: ReadSnapshot = lambda after, upto: None,
        moments: ReadMoments = lambda: (),
        on_kept: Callable[[], None] = lambda: None,
        most: int = MOST_POSITIONS,
    ) -> None:
        self._read = read
        self._stored = stored
        self._moments = moments
        self._on_kept = on_kept
        self._most = most
        self._kept: dict[int, Game | None] = {0: None}
        """By the number of a block the game before it."""
        self._earliest: dict[int, datetime | None] = {}
        """By the number of a whole block the earliest moment in it; ``None`` if none of its events can be read."""
        self._lock = Lock()

    def __len__(self) -> int:
        """Return how many games it keeps."""
        return len(self._kept)

    def at(self, position: int, until: int) -> Table:
        """Return the table as it stood after the event at ``position``, void or not. Raises ``Unknown``."""
        game = None
        if 1 <= position <= until:
            start, game = self._start(position // BLOCK)
            for step in self._from(start, game, position):
                game = step.after
        if game is None:
            raise Unknown("position", position)
        return game.table

    def steps(self, after: int, until: int) -> Iterator[GameStep]:
        """Yield the events after position ``after``, up to ``until``, lazily."""
        if after < until:
            yield from (step for step in self._from(*self._start(after // BLOCK), until) if step.recorded.position > after)

    def backwards(self, before: int, after: int) -> Iterator[tuple[GameStep, ...]]:
        """Yield the events before a position down to ``after``, lazily: the last block first, the events of a block in their order."""
        while before - 1 > after:
            start = max(after, (before - 2) // BLOCK * BLOCK)
            yield tuple(self.steps(start, before - 1))
            before = start + 1

    def position_at(self, moment: datetime, until: int) -> int:
        """Return the position of the last event recorded at or before the moment; 0 if the game was opened later. Clocks may have gone back
        meanwhile.
        """
        later = {block for after, upto, earliest in self._moments() if earliest > moment for block in range(after // BLOCK, upto // BLOCK)}
        for block in range((until - 1) // BLOCK, -1, -1):
            if block in later or self._is_later(block, moment):
                continue
            for recorded in reversed(self._read_block(block, until)):
                if not isinstance(recorded.event, Unreadable) and recorded.stamp.at <= moment:
                    return recorded.position
        return 0

    def _is_later(self, block: int, moment: datetime) -> bool:
        earliest = self._earliest.get(block, moment)
        return earliest is None or earliest > moment

    def _start(self, block: int) -> tuple[int, Game | None]:
        """Return the last block up to this one whose game before it is known, from here or from a snapshot, which is then kept."""
        with self._lock:
            known = max(kept for kept in self._kept if kept <= block)
            game = self._kept[known]
        stored = self._stored(known * BLOCK, block * BLOCK) if known < block else None
        if stored is None or stored.position % BLOCK:
            return known, game
        known = stored.position // BLOCK
        return known, self._keep(known, stored)

    def _from(self, block: int, game: Game | None, until: int) -> Iterator[GameStep]:
        """Yield the events from the beginning of a block on. Keeps the game before each block that it reaches for the first time."""
        while block * BLOCK < until:
            for recorded in self._read_block(block, until):
                after = fold_event(game, recorded)
                yield GameStep(game, recorded, after)
                game = after
            block += 1
            if block * BLOCK <= until:
                game = self._game_before(block, game)

    def _read_block(self, block: int, until: int) -> Sequence[Recorded]:
        start, end = block * BLOCK, min((block + 1) * BLOCK, until)
        # Positions may be missing where history was damaged; then more is read than belongs here.
        events = [recorded for recorded in self._read(start, end - start) if recorded.position <= end]
        if end - start == BLOCK and block not in self._earliest:
            moments = (recorded.stamp.at for recorded in events if not isinstance(recorded.event, Unreadable))
            self._earliest[block] = min(moments, default=None)
        return events

    def _game_before(self, block: int, folded: Game | None) -> Game | None:
        """Return the game before a block that folding has reached: the kept one, else the snapshot there, else ``folded``."""
        with self._lock:
            kept = self._kept.get(block)
        return kept or self._keep(block, self._stored(block * BLOCK - 1, block * BLOCK) or folded)

    def _keep(self, block: int, game: Game | None) -> Game | None:
        """Keep the game before a block, and drop those that were kept first where all are too much. Return the one that is kept."""
        with self._lock:
            if block in self._kept:
                return self._kept[block]
            while len(self._kept) > 1 and (sum(self._kept) + block) * BLOCK > self._most:
                del self._kept[next(kept for kept in self._kept if kept)]
            self._kept[block] = game
        self._on_kept()
        return game


class GamePasts:
    """The pasts of the games that were read last. All of them together keep at most ``most`` games."""

    def __init__(
        self,
        history: Callable[[UUID, int, int], Sequence[Recorded]],
        stored: Callable[[UUID, int, int], Game | None] = lambda id, after, upto: None,
        moments: Callable[[UUID], Iterable[tuple[int, int, datetime]]] = lambda id: (),
        most: int = 5_000,
        epoch: Callable[[], str] = lambda: "",
    ) -> None:
        self._present_epoch = epoch
        self._epoch = ""
        self._history = history
        self._stored = stored
        self._moments = moments
        self._most = most
        self._count = 0
        self._pasts: OrderedDict[UUID, GamePast] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        """Return how many games are kept, all pasts together."""
        return self._count

    def of(self, id: UUID) -> GamePast:
        """Return the past of a game that exists."""
        with self._lock:
            self._enter_epoch()
            past = self._pasts.get(id)
            if past is None:
                past = self._pasts[id] = self._new(id)
                self._count += 1
            self._pasts.move_to_end(id)
        self._evict()
        return past

    def _enter_epoch(self) -> None:
        """Drop pasts of another epoch: they may rest on events that are gone."""
        present = self._present_epoch()
        if present != self._epoch:
            self._epoch, self._count = present, 0
            self._pasts.clear()

    def _new(self, id: UUID) -> GamePast:
        return GamePast(partial(self._history, id), partial(self._stored, id), partial(self._moments, id), self._count_cached)

    def _count_cached(self) -> None:
        with self._lock:
            self._count += 1
        self._evict()

    def _evict(self) -> None:
        with self._lock:
            if self._count <= self._most:
                return
            # Counted again: a past drops games itself, and a reader may still use one that was evicted, and it would continue to count.
            self._count = sum(len(past) for past in self._pasts.values())
            # The last past stays: it is the one that is being read.
            while self._count > self._most and len(self._pasts) > 1:
                self._count -= len(self._pasts.popitem(last=False)[1])


# What-if: a line of moves tried out on a table of the past or the present. Nothing of it is recorded.
#
# A branch shows cards: the caller has to check who may see it.


class MoveAttempt(Struct, frozen=True):
    """A move of the line: its effects, or its refusal. Seat and move as they were given."""

    seat: object
    move: object
    effects: Effects = ()
    refused: Refused | None = None


class Branch(Struct, frozen=True):
    """A branch. ``table`` is the one at its end."""

    tried: tuple[MoveAttempt, ...]
    table: Table


def branch(rulebook: Rulebook, table: Table, moves: Iterable[MadeMove]) -> Branch:
    """Try each move on the table that the legal ones before it leave: a refused one changes nothing, and the next is tried all the same."""
    tried = []
    for seat, move, *told in (move_with_codes(rulebook, one) for one in moves):
        try:
            effects = rulebook.resolve(table, seat, move, *told)
        except Refused as refused:
            tried.append(MoveAttempt(seat, move, refused=refused))
            continue
        tried.append(MoveAttempt(seat, move, effects))
        table = fold(table, effects)
    return Branch(tuple(tried), table)
