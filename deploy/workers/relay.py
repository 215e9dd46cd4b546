"""What the one process that projects says, passed on to all that serve."""

from collections.abc import Sequence
from threading import Lock

import msgspec
from msgspec.structs import replace

from deploy.workers.worker import Worker
from projections.engine.drive import Reached


class Relay:
    """``awaited``: whether a reader waits, in whichever worker. Told by one thread, asked by another."""

    def __init__(self) -> None:
        self.awaited = False
        self._workers: Sequence[Worker] = ()
        self._last: Reached | None = None
        self._telling = Lock()

    def serve(self, workers: Sequence[Worker]) -> None:
        """From now on these; who is new is told at once."""
        with self._telling:
            new = [worker for worker in workers if worker not in self._workers]
            self._workers = workers
            self._pass_on(new)

    def take(self, reached: Reached) -> bool:
        with self._telling:
            moved = self._last is None or reached.checkpoints != self._last.checkpoints
            self._last, self.awaited = reached, False  # who still waits says so again
            self._pass_on(self._workers)
        return moved

    def note(self, failure: str | None) -> None:
        """What keeps the projections from going on, where the process that projects cannot say it itself."""
        with self._telling:
            if self._last is not None and self._last.failure != failure:
                self._last = replace(self._last, failure=failure)
                self._pass_on(self._workers)

    def _pass_on(self, workers: Sequence[Worker]) -> None:
        if self._last is not None:
            line = msgspec.json.encode(self._last) + b"\n"
            for worker in workers:
                worker.tell(line)
