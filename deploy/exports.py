"""The process that makes exports, as the server sees it: started when the first one is wanted, and anew when it has ended."""

import socket
import subprocess
import sys
from typing import NamedTuple

import msgspec
from msgspec import Struct

from deploy.logs.lines import LogFormat

_COMMAND = (sys.executable, "-P", "-m", "deploy.export_worker")  # -P: nothing is imported from the folder that somebody happens to be in


class ExportWork(Struct, frozen=True):
    """What it is told first, and not by its command line, which others can read."""

    journal_url: str
    projections_url: str
    log_format: LogFormat = "text"


class _Running(NamedTuple):
    process: subprocess.Popen[bytes]
    jobs: socket.socket


class ExportProcess:
    """It inherits no socket and no connection. Its standard input stays open: when it ends, the process ends, whatever became of the
    server."""

    def __init__(self, work: ExportWork) -> None:
        self._work = msgspec.json.encode(work) + b"\n"
        self._running: _Running | None = None

    def begin(self, file: int) -> socket.socket:
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                try:
                    self._hand_over(file, theirs)
                except ConnectionError:  # it has ended
                    self.abandon()
                    self._hand_over(file, theirs)
            except BaseException:
                ours.close()
                raise
        return ours

    def abandon(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            running.jobs.close()
            with running.process as process:
                process.kill()

    def close(self) -> None:
        """There is nothing that it would have to finish: what it makes is for requests, and they have ended."""
        self.abandon()

    def _hand_over(self, file: int, line: socket.socket) -> None:
        if self._running is None:
            self._running = self._started()
        socket.send_fds(self._running.jobs, [b"\n"], [file, line.fileno()])

    def _started(self) -> _Running:
        ours, theirs = socket.socketpair()
        with theirs:
            command = [*_COMMAND, str(theirs.fileno())]
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, pass_fds=[theirs.fileno()], bufsize=0)
        assert process.stdin is not None
        process.stdin.write(self._work)
        return _Running(process, ours)
