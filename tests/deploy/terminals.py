"""A program on a terminal: keys are typed, and the screen is read."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pyte

from tests.deploy.serving import KIEBITZ, PATIENCE, environment
from tests.forking import Process


class _Screen(pyte.Screen):
    """Tells where its cursor is to a program that asks."""

    def __init__(self, columns: int, rows: int, answer: Callable[[str], None]) -> None:
        super().__init__(columns, rows)
        self._answer = answer

    def write_process_input(self, data: str) -> None:
        self._answer(data)


class Terminal:
    """A terminal with a program on it."""

    def __init__(self, descriptor: int, process: "subprocess.Popen[bytes]", rows: int, columns: int) -> None:
        self._descriptor = descriptor
        self._process = process
        self._screen = _Screen(columns, rows, self.types)
        self._stream = pyte.ByteStream(self._screen)

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self._screen.display]

    def types(self, keys: str) -> None:
        os.write(self._descriptor, keys.encode())

    def shows(self, *wanted: str) -> list[str]:
        """The screen, once all of this stands on it."""
        while not all(words in "\n".join(self.lines) for words in wanted):
            assert self._read(PATIENCE), f"{wanted} is not shown, but {self.lines}"
        return self.lines

    def ended(self) -> int:
        """The exit code. What is still written is read, so that nobody waits for room."""
        while self._read(PATIENCE):
            pass
        return self._process.wait(PATIENCE)

    def _read(self, patience: float) -> bool:
        """False at the end, or if nothing came."""
        if not select.select([self._descriptor], [], [], patience)[0]:
            return False
        try:
            written = os.read(self._descriptor, 4096)
        except OSError:  # what a terminal says whose other end is closed
            return False
        self._stream.feed(written)
        return bool(written)


def _takes_the_terminal() -> None:
    """So that Ctrl-C on it is for this process."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


_EXECUTED = None if sys.platform == "linux" else _takes_the_terminal  # what is forked takes it by itself


@contextmanager
def on_a_terminal(*arguments: object, rows: int = 24, columns: int = 100, term: str = "xterm", **more: str) -> Iterator[Terminal]:
    """A command of kiebitz. Killed at the end, if it has not ended."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    command = [str(KIEBITZ), *map(str, arguments)]
    env = environment(TERM=term, LC_ALL="C.UTF-8", **more)
    with Process(command, stdin=theirs, stdout=theirs, stderr=theirs, env=env, start_new_session=True, preexec_fn=_EXECUTED) as process:
        os.close(theirs)
        try:
            yield Terminal(ours, process, rows, columns)
        finally:
            process.kill()
            os.close(ours)
