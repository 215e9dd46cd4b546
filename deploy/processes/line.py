"""Line protocol between the server and a process that projects: notifications one way, progress reports the other."""

import os
import select
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from threading import Event, Thread
from typing import Generic, TypeVar

import msgspec
from msgspec import Struct

from projections.engine.driver import PEEK, ProgressReceiver, Reached, ThreadDriver

APPENDED, HURRY, END = b"a", b"h", b"e"
"""Notifications: something was recorded; a reader waits; end. Each is answered by a line of progress, the last one by the end."""

_SILENCE = 10.0  # seconds without an answer until that is reported
_REACHED = msgspec.json.Decoder(Reached)


class Line:
    """One end of the line. ``heard``: bytes that were received already."""

    def __init__(self, line: socket.socket, heard: bytes = b"") -> None:
        self._line = line
        self._heard = heard
        self._asked: bytes | None = None
        """The notification that is not answered yet."""
        self._asked_at = 0.0

    @property
    def is_timed_out(self) -> bool:
        return self._asked is not None and time.monotonic() - self._asked_at > _SILENCE

    def say(self, what: bytes) -> None:
        """Send a message; block until it is on its way."""
        with suppress(OSError):  # the other end is gone, which reading the answers will show
            self._line.sendall(what)

    def tell(self, what: bytes, *, again: bool = False) -> None:
        """Notify the other end; callable from any thread, does not block. A notification that is not answered yet is not repeated."""
        asked = self._asked
        if not again and asked in (what, HURRY):
            return
        if asked is None:
            self._asked_at = time.monotonic()
        self._asked = what
        self.send_nowait(what)

    def send_nowait(self, what: bytes) -> None:
        """Send a message that needs no answer; callable from any thread, does not block."""
        with suppress(OSError):  # the other end is gone, or is frozen and its buffer is full
            self._line.send(what, socket.MSG_DONTWAIT)

    def receive_progress(self, follower: ProgressReceiver) -> Iterator[Reached]:
        """Yield the newest answer each time, until the other end is gone. While readers wait, ask again and again."""
        poll = select.poll()
        poll.register(self._line, select.POLLIN)
        while True:
            *lines, self._heard = self._heard.split(b"\n")
            if lines:
                self._asked = None
                yield _REACHED.decode(lines[-1])
            if not poll.poll(1000 * PEEK if follower.is_awaited else None):
                self.tell(HURRY, again=True)
            elif some := self._read():
                self._heard += some
            else:
                return

    def close(self) -> None:
        self._line.close()

    def _read(self) -> bytes:
        try:
            # a reset means the same as the end: the process is gone
            return self._line.recv(1 << 16)
        except OSError:
            return b""


def read_first_line(line: socket.socket) -> tuple[bytes, bytes]:
    """Return the first line that arrives and the bytes after it; empty if the other end is gone before."""
    heard = b""
    while b"\n" not in heard:
        some = line.recv(1 << 12)
        if not some:
            return b"", b""
        heard += some
    first, _, rest = heard.partition(b"\n")
    return first, rest


# Child process that follows the events, seen from inside: its line to the server, which is its standard input.


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
