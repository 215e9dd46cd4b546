"""Cache of a game that has followers: the current game and its latest steps; messages are encoded once for all who see the same."""

from collections import deque
from collections.abc import Callable, Hashable, Sequence

from domain.events import Recorded
from domain.game import Game, fold_event
from replay.past import GameStep

_STEPS = 32  # a follower that is further behind reads the history
_TOLD = 256  # most messages kept until the next step


class LiveGame:
    """A followed game. Used from one event loop. ``stale``: it may lack steps and has to be read again."""

    def __init__(self, game: Game) -> None:
        self.now = game
        self.stale = False
        self._steps: deque[GameStep] = deque(maxlen=_STEPS)
        self._told: dict[Hashable, bytes] = {}

    def take(self, recorded: Recorded) -> None:
        """Append the next event. An event that is known already is ignored; a gap marks the game as stale."""
        if recorded.position <= self.now.position:
            return
        if recorded.position > self.now.position + 1:
            self.stale = True
            return
        step = GameStep(self.now, recorded, fold_event(self.now, recorded))
        self._steps.append(step)
        self._told.clear()
        self.now = step.after

    def update(self, game: Game) -> None:
        """Replace the game by one that was read from the store, if that is newer."""
        self.stale = False
        if game.position > self.now.position:
            self.now = game
            self._steps.clear()
            self._told.clear()

    def steps(self, after: int) -> Sequence[GameStep] | None:
        """Return the steps after a position; ``None`` where they reach further back than is kept."""
        if after >= self.now.position:
            return ()
        missing = self.now.position - after
        return None if missing > len(self._steps) else list(self._steps)[-missing:]

    def once(self, key: Hashable, make: Callable[[], bytes]) -> bytes:
        """Return the message kept under this key since the last step, or make and keep it."""
        told = self._told.get(key)
        if told is None:
            if len(self._told) >= _TOLD:
                self._told.clear()
            told = self._told[key] = make()
        return told
