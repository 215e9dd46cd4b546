"""The past of a game without folding all of it: a game is kept every so many events, and any other is a short fold away.

What was recorded does not change, so what is kept stays true for good, and a game that goes on only makes its past longer. Where
the store has a snapshot, what is kept begins there and not at the beginning of the game. A snapshot always goes before what was folded, so
that a position is the same game in whatever order positions are asked for, also where somebody has tampered with older events.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial
from threading import Lock
from typing import NamedTuple, TypeAlias
from uuid import UUID

from domain.errors import Unknown
from domain.events import Recorded
from domain.events.base import Unreadable
from domain.game import Game, evolve
from domain.table import Table

BLOCK = 64
"""Events between two games that are kept."""

ReadHistory: TypeAlias = Callable[[int, int], Sequence[Recorded]]
"""The events after a position, at most so many."""

ReadSnapshot: TypeAlias = Callable[[int, int], Game | None]
"""The newest snapshot of those after a position and up to another. Only those at a multiple of ``BLOCK`` are of use."""

ReadMoments: TypeAlias = Callable[[], Iterable[tuple[int, int, datetime]]]
"""After which position, up to which, and the earliest moment at which an event between them was recorded, as far as that is stored."""


class GameStep(NamedTuple):
    """An event, and the game before and after it; ``before`` is ``None`` for the first."""

    before: Game | None
    recorded: Recorded
    after: Game


class GamePast:
    """One game's past. May be used from several threads; ``until`` is how far the game is known to have come."""

    def __init__(
        self,
        read: ReadHistory,
        stored: ReadSnapshot = lambda after, upto: None,
        moments: ReadMoments = lambda: (),
        grown: Callable[[], None] = lambda: None,
    ) -> None:
        self._read = read
        self._stored = stored
        self._moments = moments
        self._grown = grown
        self._kept: dict[int, Game | None] = {0: None}
        """By the number of a stretch of ``BLOCK`` events: the game before it."""
        self._earliest: dict[int, datetime | None] = {}
        """The earliest moment at which an event of a whole stretch was recorded; ``None`` if that cannot be read of any."""
        self._lock = Lock()

    def __len__(self) -> int:
        """How many games it keeps."""
        return len(self._kept)

    def at(self, position: int, until: int) -> Table:
        """The table as it stood after the event at ``position``, void or not. Raises ``Unknown``."""
        game = None
        if 1 <= position <= until:
            start = self._start(position // BLOCK)
            game = self._kept[start]
            for step in self._from(start, position):
                game = step.after
        if game is None:
            raise Unknown("position", position)
        return game.table

    def steps(self, after: int, until: int) -> Iterator[GameStep]:
        """The events after position ``after``, up to ``until``. Lazy."""
        if after < until:
            start = self._start(after // BLOCK)
            yield from (step for step in self._from(start, until) if step.recorded.position > after)

    def backwards(self, before: int, after: int) -> Iterator[tuple[GameStep, ...]]:
        """The events before a position down to ``after``, the last stretch first; each stretch in its order. Lazy."""
        while before - 1 > after:
            start = max(after, (before - 2) // BLOCK * BLOCK)
            yield tuple(self.steps(start, before - 1))
            before = start + 1

    def position_at(self, moment: datetime, until: int) -> int:
        """The last event recorded at or before the moment; 0 if the game was opened later. Clocks may have gone back meanwhile."""
        later = {
            stretch for after, upto, earliest in self._moments() if earliest > moment for stretch in range(after // BLOCK, upto // BLOCK)
        }
        for stretch in range((until - 1) // BLOCK, -1, -1):
            if stretch in later or self._is_later(stretch, moment):
                continue
            for recorded in reversed(self._stretch(stretch, until)):
                if not isinstance(recorded.event, Unreadable) and recorded.stamp.at <= moment:
                    return recorded.position
        return 0

    def _is_later(self, stretch: int, moment: datetime) -> bool:
        earliest = self._earliest.get(stretch, moment)
        return earliest is None or earliest > moment

    def _start(self, stretch: int) -> int:
        """The last stretch up to this one of which the game before it is known; from here on it is kept."""
        with self._lock:
            known = max(kept for kept in self._kept if kept <= stretch)
        stored = self._stored(known * BLOCK, stretch * BLOCK) if known < stretch else None
        if stored is None or stored.position % BLOCK:
            return known
        self._keep(stored.position // BLOCK, stored)
        return stored.position // BLOCK

    def _from(self, stretch: int, until: int) -> Iterator[GameStep]:
        """Everything from the beginning of a stretch on; what is passed for the first time is kept."""
        game = self._kept[stretch]
        while stretch * BLOCK < until:
            for recorded in self._stretch(stretch, until):
                after = evolve(game, recorded)
                yield GameStep(game, recorded, after)
                game = after
            stretch += 1
            if stretch * BLOCK <= until:
                game = self._passed(stretch, game)

    def _stretch(self, stretch: int, until: int) -> Sequence[Recorded]:
        start, end = stretch * BLOCK, min((stretch + 1) * BLOCK, until)
        # Positions may be missing where history was damaged; then more is read than belongs here.
        events = [recorded for recorded in self._read(start, end - start) if recorded.position <= end]
        if end - start == BLOCK and stretch not in self._earliest:
            moments = (recorded.stamp.at for recorded in events if not isinstance(recorded.event, Unreadable))
            self._earliest[stretch] = min(moments, default=None)
        return events

    def _passed(self, stretch: int, folded: Game | None) -> Game | None:
        """The game before a stretch that was come to by folding."""
        if stretch not in self._kept:
            self._keep(stretch, self._stored(stretch * BLOCK - 1, stretch * BLOCK) or folded)
        return self._kept[stretch]

    def _keep(self, stretch: int, game: Game | None) -> None:
        with self._lock:
            if stretch in self._kept:
                return
            self._kept[stretch] = game
        self._grown()


class GamePasts:
    """The pasts of the games that were asked for last: no more games are kept in all of them together than ``most``."""

    def __init__(
        self,
        history: Callable[[UUID, int, int], Sequence[Recorded]],
        stored: Callable[[UUID, int, int], Game | None] = lambda id, after, upto: None,
        moments: Callable[[UUID], Iterable[tuple[int, int, datetime]]] = lambda id: (),
        most: int = 5_000,
    ) -> None:
        self._history = history
        self._stored = stored
        self._moments = moments
        self._most = most
        self._count = 0
        self._pasts: OrderedDict[UUID, GamePast] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        """How many games are kept, all pasts together."""
        return self._count

    def of(self, id: UUID) -> GamePast:
        """The past of a game that exists."""
        with self._lock:
            past = self._pasts.get(id)
            if past is None:
                past = self._pasts[id] = self._new(id)
                self._count += 1
            self._pasts.move_to_end(id)
        self._forget()
        return past

    def _new(self, id: UUID) -> GamePast:
        return GamePast(partial(self._history, id), partial(self._stored, id), partial(self._moments, id), self._grown)

    def _grown(self) -> None:
        with self._lock:
            self._count += 1
        self._forget()

    def _forget(self) -> None:
        with self._lock:
            if self._count <= self._most:
                return
            while self._count > self._most and len(self._pasts) > 1:
                self._pasts.popitem(last=False)
                # Counted anew: a past may have grown after it was forgotten.
                self._count = sum(len(past) for past in self._pasts.values())
