"""The line to the process that projects, or to one that passes on what is said: what it is told, what it answers."""

import select
import socket
import time
from collections.abc import Iterator
from contextlib import suppress

import msgspec

from projections.engine.drive import PEEK, Follower, Reached

APPENDED, HURRY, END = b"a", b"h", b"e"
"""What is told: something was recorded; somebody waits; it is to end. Each is answered by a line, how far it is, the last by its end."""

_SILENCE = 10.0  # seconds without an answer, until that is told
_REACHED = msgspec.json.Decoder(Reached)


class Line:
    """One end of it. ``heard``: what came already."""

    def __init__(self, line: socket.socket, heard: bytes = b"") -> None:
        self._line = line
        self._heard = heard
        self._asked: bytes | None = None
        """What was told and is not answered."""
        self._asked_at = 0.0

    @property
    def silent(self) -> bool:
        return self._asked is not None and time.monotonic() - self._asked_at > _SILENCE

    def say(self, what: bytes) -> None:
        """Waits until it is on its way."""
        with suppress(OSError):  # the other end is gone, as its answers will say
            self._line.sendall(what)

    def tell(self, what: bytes, *, again: bool = False) -> None:
        """From any thread; waits for nothing. What is not answered yet is not told a second time."""
        asked = self._asked
        if not again and asked in (what, HURRY):
            return
        if asked is None:
            self._asked_at = time.monotonic()
        self._asked = what
        self.mention(what)

    def mention(self, what: bytes) -> None:
        """Something that needs no answer. From any thread; waits for nothing."""
        with suppress(OSError):  # the other end is gone, or stands still and has more to hear than fits
            self._line.send(what, socket.MSG_DONTWAIT)

    def answers(self, follower: Follower) -> Iterator[Reached]:
        """The newest of what is answered, until the other end is gone. While readers wait it is asked again and again."""
        poll = select.poll()
        poll.register(self._line, select.POLLIN)
        while True:
            *lines, self._heard = self._heard.split(b"\n")
            if lines:
                self._asked = None
                yield _REACHED.decode(lines[-1])
            if not poll.poll(1000 * PEEK if follower.awaited else None):
                self.tell(HURRY, again=True)
            elif some := self._read():
                self._heard += some
            else:
                return

    def close(self) -> None:
        self._line.close()

    def _read(self) -> bytes:
        try:
            return self._line.recv(1 << 16)
        except OSError:
            return b""


def first_said(line: socket.socket) -> tuple[bytes, bytes]:
    """The first line that comes, and what came behind it; nothing where the other end is gone before."""
    heard = b""
    while b"\n" not in heard:
        some = line.recv(1 << 12)
        if not some:
            return b"", b""
        heard += some
    first, _, rest = heard.partition(b"\n")
    return first, rest
