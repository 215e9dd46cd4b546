"""Worker process, one of several that serve at one address: ``python -m deploy.server.worker_process``.

Its parent (``parent.py``) starts it and sends over its standard input, a line in both directions, its task and how far the projections are.
"""

import dataclasses
import os
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import ExitStack
from threading import Event, Lock, Thread

import msgspec

from api.app import create_app
from api.http.sending import current_request_id
from deploy.compose import open_services
from deploy.config.failures import error_prefix, explain_error, language_of
from deploy.config.key_files import tls_context
from deploy.config.settings import read_settings
from deploy.http.server import run
from deploy.log.writer.compose import open_log
from deploy.processes.line import APPENDED, HURRY, Line, read_first_line
from deploy.processes.process_driver import PATIENCE
from deploy.server.serve import ANSWER
from deploy.server.worker_parent import BEATS, READY, Task
from deploy.system.log_lines import start_logging
from projections.engine.driver import ProgressReceiver, Reached

# A worker reaches the process that projects through its parent.


class LineDriver:
    """Drive of a worker's projections, over the line to its parent. ``gone`` is called when the parent is gone."""

    def __init__(self, line: Line, gone: Callable[[], object]) -> None:
        self._line = line
        self._gone = gone
        self._follower: ProgressReceiver | None = None
        self._reached: Reached | None = None
        self._told = Event()
        self._taking = Lock()
        Thread(target=self._listen, name="parent", daemon=True).start()

    @property
    def failure(self) -> str | None:
        if self._line.is_timed_out:
            return "Silent: nothing is heard of the process that projects"
        return None if self._reached is None else self._reached.failure

    @property
    def is_awaited(self) -> bool:
        return self._follower is not None and self._follower.is_awaited

    def start(self, projector: ProgressReceiver) -> None:
        """Return when the progress of the projections is known, or after ``PATIENCE``."""
        with self._taking:
            self._follower = projector
            if self._reached is not None:
                projector.take(self._reached)
        self.request_update()
        self._told.wait(PATIENCE)

    def stop(self) -> None:
        self._follower = None

    def request_update(self) -> None:
        self._line.tell(HURRY)

    def notify_recorded(self) -> None:
        self._line.tell(APPENDED)

    def take(self, reached: Reached) -> bool:
        with self._taking:
            self._reached = reached
            moved = self._follower is not None and self._follower.take(reached)
        self._told.set()
        return moved

    def _listen(self) -> None:
        try:
            for reached in self._line.receive_progress(self):
                if self.take(reached) and self.is_awaited:
                    self.request_update()
        finally:
            self._gone()


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: sys.exit(0))
    line = socket.socket(fileno=sys.stdin.fileno())
    told, rest = read_first_line(line)
    try:
        if told:
            _serve(msgspec.json.decode(told, type=Task), Line(line, rest))
    except Exception as error:
        failure = explain_error(error)
        if failure is None:
            raise
        language = language_of(os.environ)
        sys.exit(f"{error_prefix(language)}{failure.in_words(language)}")


def _serve(task: Task, line: Line) -> None:
    settings = read_settings(os.environ, **task.flags)
    start_logging(settings.log_format, current_request_id)

    async def beat() -> None:
        line.send_nowait(BEATS)

    drive = LineDriver(line, lambda: os._exit(1))  # a worker without a parent would occupy the address permanently
    with (
        ExitStack() as stack,
        open_services(settings, answer=ANSWER, drive=drive, worker=task.number, key=task.key) as services,
    ):
        services.journal.store.check_epoch()
        log = stack.enter_context(open_log(settings, services))
        sockets = [stack.enter_context(socket.socket(fileno=number)) for number in task.sockets]
        app, tls = create_app(dataclasses.replace(services, log=log)), tls_context(settings)
        run(app, sockets, lambda: line.send_nowait(READY), settings.limits, tls, beat, access_log=settings.access_log)


if __name__ == "__main__":
    main()
