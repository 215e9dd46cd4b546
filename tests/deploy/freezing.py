"""A PostgreSQL server that stands still: as if its machine were suspended."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.postgres import Server


@contextmanager
def frozen(server: Server) -> Iterator[None]:
    """The kernel keeps its connections open and takes new ones, but no process of it runs."""
    postmaster = server.process.pid
    os.kill(postmaster, signal.SIGSTOP)  # first, so that it starts no more
    stopped = [int(pid) for pid in Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()]
    try:
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        yield
    finally:
        for pid in (*stopped, postmaster):
            os.kill(pid, signal.SIGCONT)
