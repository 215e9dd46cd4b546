"""Entry point of the export process, one per server, at low priority: ``python -m deploy.server.export_worker FD``.

``FD`` is the number of a socket. ``deploy/processes/exports.py`` starts the process; ``api/common/exporting.py`` defines the protocol. The
server has authorized each request, and a job contains what the requester may see.
"""

import logging
import os
import signal
import socket
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial, reduce
from operator import or_
from threading import Thread
from typing import BinaryIO, TypeAlias, TypeVar

import msgspec

from api.common.exporting import AWAY, DONE, FAILED
from api.common.tables.files import TableFile, table_pieces
from api.games.printed_sheet import PrintedSheet, render_sheet
from api.http.sending import current_request_id, note_request
from api.schemas import FILES
from api.scores.files import ScoreFile, score_pieces
from api.services import Sources
from api.standings.tables import StandingsFile
from deploy.compose import open_readers
from deploy.processes.exports import ExportWork
from deploy.system.log_lines import start_logging
from deploy.system.startup import lower_priority, preload_codecs
from domain.errors import Unavailable
from domain.journal.commits import StoreUnavailableError

Job: TypeAlias = ScoreFile | PrintedSheet | TableFile
KINDS = (ScoreFile, PrintedSheet, StandingsFile, *FILES.values())
Step = TypeVar("Step")

_REQUEST = msgspec.json.Decoder(str | None)
_JOB: msgspec.json.Decoder[Job] = msgspec.json.Decoder(reduce(or_, KINDS))  # of classes that are only known here
_LOG = logging.getLogger("kiebitz.exports")


class _CancelledError(Exception):
    """Raised when the requester has gone."""


def main() -> None:
    lower_priority()
    preload_codecs()
    # Often sent to the whole group. This process ends with the server, which lets requests end first.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    work = msgspec.json.decode(sys.stdin.buffer.readline(), type=ExportWork)
    start_logging(work.log_format, current_request_id)
    Thread(target=_end_with_the_server, daemon=True).start()
    try:
        with open_readers(work.journal_url, work.projections_url) as readers, socket.socket(fileno=int(sys.argv[1])) as jobs:
            while handed := socket.recv_fds(jobs, 1, 2)[1]:
                Thread(target=_serve, args=(readers, *handed), daemon=True).start()
    except (StoreUnavailableError, Unavailable) as error:
        _LOG.error("the export process cannot start: %s", error)
        sys.exit(1)


def _end_with_the_server() -> None:
    while os.read(sys.stdin.fileno(), 1):  # not with the file object: its lock, held here, would keep the interpreter from ending
        pass
    os._exit(0)


def _serve(readers: Sources, file: int, line: int) -> None:
    with suppress(OSError), os.fdopen(file, "wb") as written, socket.socket(fileno=line) as told:
        told.sendall(_run_export(readers, written, told))


def _run_export(readers: Sources, written: BinaryIO, told: socket.socket) -> bytes:
    """Make the export; return how it ended."""
    try:
        _make(readers, written, told)
        return DONE
    except (_CancelledError, ConnectionError):
        return b""
    except (StoreUnavailableError, Unavailable, OSError) as error:
        _LOG.error("an export failed: %s", error)
        return AWAY
    except Exception:
        _LOG.exception("an export failed")
        return FAILED


def _make(readers: Sources, written: BinaryIO, told: socket.socket) -> None:
    with told.makefile("rb") as asked:
        note_request(_REQUEST.decode(asked.readline()))
        job = _JOB.decode(asked.readline())
    for piece in _pieces(job, readers, told):
        written.write(piece)
        written.flush()
        told.sendall(b"%d\n" % written.tell())


def _pieces(job: Job, readers: Sources, told: socket.socket) -> Iterator[bytes]:
    match job:
        case ScoreFile():
            return score_pieces(job, readers.registers, readers.store, partial(_until_cancelled, told))
        case PrintedSheet():
            return iter([render_sheet(job)])
        case TableFile():
            return table_pieces(job, readers, partial(_until_cancelled, told))


def _until_cancelled(told: socket.socket, steps: Iterable[Step]) -> Iterator[Step]:
    """Yield the same steps and send a sign of life for each. Raises ``_CancelledError``."""
    for step in steps:
        with suppress(BlockingIOError):  # no data: the requester is still there
            if not told.recv(1, socket.MSG_DONTWAIT):
                raise _CancelledError
        told.sendall(b"0\n")
        yield step


if __name__ == "__main__":
    main()
