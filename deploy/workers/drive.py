"""In a worker: what keeps its projections going is its parent, which has the process that projects."""

from collections.abc import Callable
from threading import Event, Lock, Thread

from deploy.projecting.drive import PATIENCE
from deploy.projecting.line import APPENDED, HURRY, Line
from projections.engine.drive import Follower, Reached


class LineDrive:
    """``gone`` is called when the parent is."""

    def __init__(self, line: Line, gone: Callable[[], object]) -> None:
        self._line = line
        self._gone = gone
        self._follower: Follower | None = None
        self._reached: Reached | None = None
        self._told = Event()
        self._taking = Lock()
        Thread(target=self._listen, name="parent", daemon=True).start()

    @property
    def failure(self) -> str | None:
        if self._line.silent:
            return "Silent: nothing is heard of the process that projects"
        return None if self._reached is None else self._reached.failure

    @property
    def awaited(self) -> bool:
        return self._follower is not None and self._follower.awaited

    def start(self, projector: Follower) -> None:
        """Returns when it is known how far the projections are, or when that takes long."""
        with self._taking:
            self._follower = projector
            if self._reached is not None:
                projector.take(self._reached)
        self.hurry()
        self._told.wait(PATIENCE)

    def stop(self) -> None:
        self._follower = None

    def hurry(self) -> None:
        self._line.tell(HURRY)

    def recorded(self) -> None:
        self._line.tell(APPENDED)

    def take(self, reached: Reached) -> bool:
        with self._taking:
            self._reached = reached
            moved = self._follower is not None and self._follower.take(reached)
        self._told.set()
        return moved

    def _listen(self) -> None:
        try:
            for reached in self._line.answers(self):
                if self.take(reached) and self.awaited:
                    self.hurry()
        finally:
            self._gone()
