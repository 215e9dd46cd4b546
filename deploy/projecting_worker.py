"""The process that projects, one for each server: ``python -m deploy.projecting_worker``.

``deploy/projecting/`` starts it and says by its standard input, a line in both directions, where the databases are. It reads the journal,
may write nothing in it, and answers how far the projections are.
"""

import logging
import os
import signal
import socket
import sys
from contextlib import suppress
from threading import Event, Thread

import msgspec

from deploy.compose import open_projector
from deploy.logs.lines import start_logging
from deploy.projecting.line import END, HURRY, first_said
from deploy.projecting.process import Work
from deploy.structs import learn_structs
from domain.errors import Unavailable
from domain.journal.commits import StoreAway
from projections.engine.drive import Reached, ThreadDrive

_NICE = 2
"""Who plays goes first, but not by much: whoever reads what he has just written waits for this process."""

_LOG = logging.getLogger("kiebitz.projections")


class _Line:
    """The server's end is heard by a thread; the projector's thread answers."""

    def __init__(self, line: socket.socket) -> None:
        self.ended = Event()
        self._line = line
        self._news = Event()
        self._asked = False
        self._answered: Reached | None = None

    def work(self) -> Work | None:
        """What is said first; nothing where the server has ended before."""
        said, _ = first_said(self._line)  # what was said after it will be seen to anyway
        return msgspec.json.decode(said, type=Work) if said else None

    def hear(self, drive: ThreadDrive) -> None:
        """Until the server is gone. Then nothing more may be written into its folder, not even what SQLite does when the last one closes
        a file: somebody may be laying a backup there. No file of Python's is on the line: its lock, held here, would not let the
        interpreter end.
        """
        with suppress(OSError):
            while some := self._line.recv(4096):
                self._asked = True
                self._news.set()
                if HURRY in some:
                    drive.hurry()
                if END in some:
                    self.ended.set()
        os._exit(0)

    def wait(self, _: int, timeout: float) -> bool:
        """Whether anything was heard in time."""
        heard = self._news.wait(timeout)
        self._news.clear()
        return heard

    def answer(self, reached: Reached) -> None:
        """Where it was asked for, or says something new."""
        if self._asked or reached != self._answered:
            self._asked, self._answered = False, reached
            with suppress(OSError):  # the server has ended
                self._line.sendall(msgspec.json.encode(reached) + b"\n")


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM):  # often sent to the whole group: it ends when the server says so
        signal.signal(number, signal.SIG_IGN)
    os.nice(_NICE)
    learn_structs()
    line = _Line(socket.socket(fileno=sys.stdin.fileno()))  # never closed here: to who hears that would look like the end of the server
    if work := line.work():
        start_logging(work.log_format)
        _project(work, line)


def _project(work: Work, line: _Line) -> None:
    drive = ThreadDrive(line.wait, report=line.answer)
    Thread(target=line.hear, args=(drive,), daemon=True).start()
    try:
        with open_projector(work, drive) as projector:
            projector.start()
            line.ended.wait()
            projector.stop()
    except (StoreAway, Unavailable) as error:
        _LOG.error("the process that projects cannot begin: %s", error)
        sys.exit(1)


if __name__ == "__main__":
    main()
