"""Child process that follows the events, seen from inside: its line to the server, which is its standard input."""

import os
import signal
import socket
import sys
from contextlib import suppress
from threading import Event, Thread
from typing import Generic, TypeVar

import msgspec
from msgspec import Struct

from deploy.processes.line import END, HURRY, read_first_line
from projections.engine.driver import Reached, ThreadDriver

W = TypeVar("W", bound=Struct)


class ServerLine(Generic[W]):
    """Line to the server. A thread of its own receives; the thread of the drive answers."""

    def __init__(self, kind: type[W]) -> None:
        """``kind``: the type of the first message."""
        self._kind = kind
        # Never closed here: to the receiving thread that would look like the end of the server.
        self._line = socket.socket(fileno=sys.stdin.fileno())
        self._ended = Event()
        self._news = Event()
        self._asked = False
        self._answered: Reached | None = None

    def work(self) -> W | None:
        """Return the first message; ``None`` if the server has ended before."""
        said, _ = read_first_line(self._line)  # later messages are dropped; the first step covers what they announce
        return msgspec.json.decode(said, type=self._kind) if said else None

    def build_driver(self, who: str) -> ThreadDriver:
        """Return a drive that listens to the server. ``who``: the subject of failures in its log."""
        drive = ThreadDriver(self._wait_for_news, report=self._report, who=who)
        Thread(target=self._read_commands, args=(drive,), daemon=True).start()
        return drive

    def wait(self) -> None:
        """Block until the server asks this process to end."""
        self._ended.wait()

    def _read_commands(self, drive: ThreadDriver) -> None:
        """Receive until the server is gone, then exit at once.

        Nothing more may be written into the server's folder, not even what SQLite does when the last process closes a file: an operator may
        be restoring a backup there. No Python file object wraps the line, because its lock, held here, would keep the interpreter from
        ending.
        """
        with suppress(OSError):
            while some := self._line.recv(4096):
                self._asked = True
                self._news.set()
                if HURRY in some:
                    drive.request_update()
                if END in some:
                    self._ended.set()
        os._exit(0)

    def _wait_for_news(self, _: int, timeout: float) -> bool:
        """Return whether a message arrived in time."""
        heard = self._news.wait(timeout)
        self._news.clear()
        return heard

    def _report(self, reached: Reached) -> None:
        """Send the answer if it was requested or differs from the last one."""
        if self._asked or reached != self._answered:
            self._asked, self._answered = False, reached
            with suppress(OSError):  # the server has ended
                self._line.sendall(msgspec.json.encode(reached) + b"\n")


def lower_priority(nice: int) -> None:
    """Lower the priority in favour of the server, and ignore signals that are often sent to the whole process group.

    The process ends when the server asks it to.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    os.nice(nice)
