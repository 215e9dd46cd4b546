"""Line protocol between the server and a process that projects: notifications one way, progress reports the other."""

import select
import socket
import time
from collections.abc import Iterator
from contextlib import suppress

import msgspec

from projections.engine.driver import PEEK, ProgressReceiver, Reached

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
