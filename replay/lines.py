"""The past of a game without folding all of it: a game is kept every so many events, and any other is a short fold away.

What was recorded does not change, so what is kept stays true for good, and a game that goes on only makes its line longer. Nothing
is stored: a line that was forgotten is folded again from the events when somebody asks for it.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from threading import Lock
from typing import NamedTuple, TypeAlias
from uuid import UUID

from domain.errors import Unknown
from domain.events import Recorded, Unreadable
from domain.game import Game, evolve
from domain.table import Table

STRIDE = 64
"""Events between two games that are kept."""

Read: TypeAlias = Callable[[int, int], Sequence[Recorded]]
"""The events after a position, at most so many."""


class Step(NamedTuple):
    """An event, and the game before and after it; ``before`` is ``None`` for the first."""

    before: Game | None
    recorded: Recorded
    after: Game


class _Kept(NamedTuple):
    """The game at the end of a stretch of events, and the earliest moment at which one of them was recorded."""

    game: Game | None
    earliest: datetime | None


class Line:
    """One game's past. May be used from several threads; ``until`` is how far the game is known to have come."""

    def __init__(self, read: Read, grown: Callable[[], None] = lambda: None) -> None:
        self._read = read
        self._grown = grown
        self._kept = [_Kept(None, None)]
        self._lock = Lock()

    def __len__(self) -> int:
        """How many games it keeps."""
        return len(self._kept)

    def at(self, position: int, until: int) -> Table:
        """The table as it stood after the event at ``position``, void or not. Raises ``Unknown``."""
        game = None
        if 1 <= position <= until:
            game = self._kept[position // STRIDE].game if position % STRIDE == 0 and position // STRIDE < len(self._kept) else None
            for step in () if game else self._from(min(position // STRIDE, len(self._kept) - 1), position):
                game = step.after
        if game is None:
            raise Unknown("position", position)
        return game.table

    def steps(self, after: int, until: int) -> Iterator[Step]:
        """The events after position ``after``, up to ``until``. Lazy."""
        if after < until:
            start = min(after // STRIDE, len(self._kept) - 1)
            yield from (step for step in self._from(start, until) if step.recorded.position > after)

    def backwards(self, before: int, after: int) -> Iterator[tuple[Step, ...]]:
        """The events before a position down to ``after``, the last stretch first; each stretch in its order. Lazy."""
        while before - 1 > after:
            start = max(after, (before - 2) // STRIDE * STRIDE)
            yield tuple(self.steps(start, before - 1))
            before = start + 1

    def position_at(self, moment: datetime, until: int) -> int:
        """The last event recorded at or before the moment; 0 if the game was opened later. Clocks may have gone back meanwhile."""
        for stretch in range((until - 1) // STRIDE, -1, -1):
            if stretch + 1 < len(self._kept):
                earliest = self._kept[stretch + 1].earliest
                if earliest is None or earliest > moment:
                    continue
            for recorded in reversed(self._stretch(stretch, until)):
                if not isinstance(recorded.event, Unreadable) and recorded.stamp.at <= moment:
                    return recorded.position
        return 0

    def _from(self, stretch: int, until: int) -> Iterator[Step]:
        """Everything from the beginning of a stretch on; what is passed for the first time is kept."""
        game = self._kept[stretch].game
        while stretch * STRIDE < until:
            events = self._stretch(stretch, until)
            for recorded in events:
                after = evolve(game, recorded)
                yield Step(game, recorded, after)
                game = after
            stretch += 1
            if stretch * STRIDE <= until:
                self._keep(stretch, game, events)

    def _stretch(self, stretch: int, until: int) -> Sequence[Recorded]:
        end = min((stretch + 1) * STRIDE, until)
        # Positions may be missing where history was damaged; then more is read than belongs here.
        return [recorded for recorded in self._read(stretch * STRIDE, end - stretch * STRIDE) if recorded.position <= end]

    def _keep(self, stretch: int, game: Game | None, events: Sequence[Recorded]) -> None:
        moments = [recorded.stamp.at for recorded in events if not isinstance(recorded.event, Unreadable)]
        with self._lock:
            if stretch != len(self._kept):
                return
            self._kept.append(_Kept(game, min(moments, default=None)))
        self._grown()


class Lines:
    """The lines of the games that were asked for last: no more games are kept in all of them together than ``most``."""

    def __init__(self, history: Callable[[UUID, int, int], Sequence[Recorded]], most: int = 5_000) -> None:
        self._history = history
        self._most = most
        self._count = 0
        self._lines: OrderedDict[UUID, Line] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        """How many games are kept, all lines together."""
        return self._count

    def of(self, id: UUID) -> Line:
        """The line of a game that exists."""
        with self._lock:
            line = self._lines.get(id)
            if line is None:
                line = self._lines[id] = Line(lambda after, limit: self._history(id, after, limit), self._grown)
                self._count += 1
            self._lines.move_to_end(id)
        self._forget()
        return line

    def _grown(self) -> None:
        with self._lock:
            self._count += 1
        self._forget()

    def _forget(self) -> None:
        with self._lock:
            if self._count <= self._most:
                return
            while self._count > self._most and len(self._lines) > 1:
                self._lines.popitem(last=False)
                # Counted anew: a line may have grown after it was forgotten.
                self._count = sum(len(line) for line in self._lines.values())
