"""A game with followers: as it stands, and the steps that it took lately. What they are told is made once for all who see alike."""

from collections import deque
from collections.abc import Callable, Hashable, Sequence

from domain.events import Recorded
from domain.folding import evolve
from domain.game import Game
from replay.past import GameStep

_STEPS = 32  # who is further behind reads the past
_TOLD = 256  # pieces that are kept, at most, until the next step


class FollowedGame:
    """Used from one loop. ``stale``: it may lack steps, and has to be read anew."""

    def __init__(self, game: Game) -> None:
        self.now = game
        self.stale = False
        self._steps: deque[GameStep] = deque(maxlen=_STEPS)
        self._told: dict[Hashable, bytes] = {}

    def take(self, recorded: Recorded) -> None:
        if recorded.position <= self.now.position:
            return
        if recorded.position > self.now.position + 1:
            self.stale = True
            return
        step = GameStep(self.now, recorded, evolve(self.now, recorded))
        self._steps.append(step)
        self._told.clear()
        self.now = step.after

    def renew(self, game: Game) -> None:
        """The game as it was read from the store."""
        self.stale = False
        if game.position > self.now.position:
            self.now = game
            self._steps.clear()
            self._told.clear()

    def steps(self, after: int) -> Sequence[GameStep] | None:
        """The steps after a position; ``None`` where they reach further back than is kept."""
        if after >= self.now.position:
            return ()
        missing = self.now.position - after
        return None if missing > len(self._steps) else list(self._steps)[-missing:]

    def once(self, key: Hashable, make: Callable[[], bytes]) -> bytes:
        """What was made under this key since the last step, else what ``make`` makes."""
        told = self._told.get(key)
        if told is None:
            if len(self._told) >= _TOLD:
                self._told.clear()
            told = self._told[key] = make()
        return told
