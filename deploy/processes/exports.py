"""Export and reader processes as the server sees them: started on first demand, and again when they have ended."""

import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from typing import ClassVar, NamedTuple

import msgspec
from msgspec import Struct

from deploy.system.log_lines import LogFormat

_PYTHON = (sys.executable, "-P", "-m")  # -P: import nothing from the current folder


class ExportWork(Struct, frozen=True):
    """First message to the process. It is not on the command line, which other accounts can read."""

    journal_url: str
    projections_url: str
    log_format: LogFormat = "text"


class ReadingWork(ExportWork, frozen=True, kw_only=True):
    """First message to a reader process. ``snapshot_key``: the key that seals snapshots."""

    snapshot_key: bytes


class _Running(NamedTuple):
    process: subprocess.Popen[bytes]
    jobs: socket.socket


class ExportProcess:
    """Handle of the export process, which inherits no socket and no connection.

    Its standard input stays open; when it ends, the process ends, whatever happened to the server. Its standard output stays empty, and
    ends with it and the last of its forks.
    """

    module: ClassVar[str] = "deploy.server.export_worker"

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
                    self.stop()
                    self._hand_over(file, theirs)
            except BaseException:
                ours.close()
                raise
        return ours

    def stop(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            running.jobs.close()
            with suppress(ProcessLookupError):
                # the group: the process forks for its jobs
                os.killpg(running.process.pid, signal.SIGKILL)
            # reaps the process and closes its pipes
            running.process.communicate()

    def close(self) -> None:
        """Kill the process. It has nothing to finish: the requests that it works for have ended."""
        self.stop()

    def _hand_over(self, file: int, line: socket.socket) -> None:
        if self._running is None:
            self._running = self._start_process()
        socket.send_fds(self._running.jobs, [b"\n"], [file, line.fileno()])

    def _start_process(self) -> _Running:
        ours, theirs = socket.socketpair()
        with theirs:
            command = [*_PYTHON, self.module, str(theirs.fileno())]
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                pass_fds=[theirs.fileno()],
                bufsize=0,
                process_group=0,
            )
        assert process.stdin is not None
        process.stdin.write(self._work)
        return _Running(process, ours)


class ReaderProcess(ExportProcess):
    """Handle of the reader process, for long responses other than exports. Each job is a fork of it
    (``deploy/server/reader_worker.py``).
    """

    module = "deploy.server.reader_worker"

    def __init__(self, work: ReadingWork) -> None:
        super().__init__(work)


class NoProcess:
    """Stand-in where no other process makes exports: every job is refused."""

    def begin(self, file: int) -> socket.socket:
        raise OSError("nothing is made by another process here")

    def stop(self) -> None:
        """Do nothing: there is no process to end."""
