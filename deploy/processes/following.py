"""A process that follows the events, seen from inside: its line to the server, which is its standard input."""

import os
import signal
import socket
import sys
from contextlib import suppress
from threading import Event, Thread
from typing import Generic, TypeVar

import msgspec
from msgspec import Struct

from deploy.processes.line import END, HURRY, first_said
from projections.engine.drive import Reached, ThreadDrive

W = TypeVar("W", bound=Struct)


class ServerLine(Generic[W]):
    """The server's end is heard by a thread; the thread of the drive answers."""

    def __init__(self, kind: type[W]) -> None:
        """``kind``: what is said first."""
        self._kind = kind
        # Never closed here: to who hears that would look like the end of the server.
        self._line = socket.socket(fileno=sys.stdin.fileno())
        self._ended = Event()
        self._news = Event()
        self._asked = False
        self._answered: Reached | None = None

    def work(self) -> W | None:
        """What is said first; nothing where the server has ended before."""
        said, _ = first_said(self._line)  # what was said after it will be seen to anyway
        return msgspec.json.decode(said, type=self._kind) if said else None

    def drive(self, who: str) -> ThreadDrive:
        """One that listens to the server. ``who``: what fails, in its log."""
        drive = ThreadDrive(self._wait_for_news, report=self._answer, who=who)
        Thread(target=self._hear, args=(drive,), daemon=True).start()
        return drive

    def wait(self) -> None:
        """Until the server says that it is to end."""
        self._ended.wait()

    def _hear(self, drive: ThreadDrive) -> None:
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
                    self._ended.set()
        os._exit(0)

    def _wait_for_news(self, _: int, timeout: float) -> bool:
        """Whether anything was heard in time."""
        heard = self._news.wait(timeout)
        self._news.clear()
        return heard

    def _answer(self, reached: Reached) -> None:
        """Where it was asked for, or says something new."""
        if self._asked or reached != self._answered:
            self._asked, self._answered = False, reached
            with suppress(OSError):  # the server has ended
                self._line.sendall(msgspec.json.encode(reached) + b"\n")


def give_way(nice: int) -> None:
    """To who answers; and signals that are often sent to the whole group are not heard: it ends when the server says so."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    os.nice(nice)
