"""Makes exports, one process for each server, of lower priority: ``python -m deploy.server.export_worker``, with the number of a socket.

``deploy/processes/exports.py`` starts it, ``api/common/exporting.py`` says what is spoken. Whoever asked has been let in already, and what
he may see stands in what he asked for.
"""

import logging
import os
import signal
import socket
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from threading import Thread
from typing import BinaryIO, TypeAlias, TypeVar

import msgspec

from api.common.exporting import AWAY, DONE, FAILED
from api.common.tables.files import TableFile, table_pieces
from api.games.games_table import GamesFile
from api.games.score_pdf import SheetPdf, pdf_of
from api.http.sending import current_request_id, note_request
from api.players.tables import PlayersFile
from api.rulings.disputes import DisputesFile
from api.scores.files import ScoreFile, score_pieces
from api.scores.results import ResultsFile
from api.standings.tables import StandingsFile
from api.tournaments.table_now import TournamentsFile
from deploy.compose import Readers, open_readers
from deploy.processes.exports import ExportWork
from deploy.system.log_lines import start_logging
from deploy.system.priority import give_way
from deploy.system.structs import learn_structs
from domain.errors import Unavailable
from domain.journal.commits import StoreAway

Job: TypeAlias = ScoreFile | SheetPdf | GamesFile | PlayersFile | TournamentsFile | StandingsFile | ResultsFile | DisputesFile
Step = TypeVar("Step")

_REQUEST = msgspec.json.Decoder(str | None)
_JOB = msgspec.json.Decoder(Job)
_LOG = logging.getLogger("kiebitz.exports")


class _Unwanted(Exception):
    """Whoever asked has gone."""


def main() -> None:
    give_way()
    learn_structs()
    for number in (signal.SIGINT, signal.SIGTERM):  # often sent to the whole group: it ends with the server, which lets requests end first
        signal.signal(number, signal.SIG_IGN)
    work = msgspec.json.decode(sys.stdin.buffer.readline(), type=ExportWork)
    start_logging(work.log_format, current_request_id)
    Thread(target=_end_with_the_server, daemon=True).start()
    try:
        with open_readers(work.journal_url, work.projections_url) as readers, socket.socket(fileno=int(sys.argv[1])) as jobs:
            while handed := socket.recv_fds(jobs, 1, 2)[1]:
                Thread(target=_serve, args=(readers, *handed), daemon=True).start()
    except (StoreAway, Unavailable) as error:
        _LOG.error("the process that makes exports cannot begin: %s", error)
        sys.exit(1)


def _end_with_the_server() -> None:
    while os.read(sys.stdin.fileno(), 1):  # not by the file object: its lock, held here, would not let the interpreter end
        pass
    os._exit(0)


def _serve(readers: Readers, file: int, line: int) -> None:
    with suppress(OSError), os.fdopen(file, "wb") as written, socket.socket(fileno=line) as told:
        told.sendall(_made(readers, written, told))


def _made(readers: Readers, written: BinaryIO, told: socket.socket) -> bytes:
    """How it ended."""
    try:
        _make(readers, written, told)
        return DONE
    except (_Unwanted, ConnectionError):
        return b""
    except (StoreAway, Unavailable, OSError) as error:
        _LOG.error("an export was not made: %s", error)
        return AWAY
    except Exception:
        _LOG.exception("an export was not made")
        return FAILED


def _make(readers: Readers, written: BinaryIO, told: socket.socket) -> None:
    with told.makefile("rb") as asked:
        note_request(_REQUEST.decode(asked.readline()))
        job = _JOB.decode(asked.readline())
    for piece in _pieces(job, readers, told):
        written.write(piece)
        written.flush()
        told.sendall(b"%d\n" % written.tell())


def _pieces(job: Job, readers: Readers, told: socket.socket) -> Iterator[bytes]:
    match job:
        case ScoreFile():
            return score_pieces(job, readers.registers, readers.store, partial(_while_wanted, told))
        case SheetPdf():
            return iter([pdf_of(job)])
        case TableFile():
            return table_pieces(job, readers.registers, readers.store, partial(_while_wanted, told))


def _while_wanted(told: socket.socket, steps: Iterable[Step]) -> Iterator[Step]:
    """The same steps, and a sign of life for each. Raises ``_Unwanted``."""
    for step in steps:
        with suppress(BlockingIOError):  # who still wants it says nothing more
            if not told.recv(1, socket.MSG_DONTWAIT):
                raise _Unwanted
        told.sendall(b"0\n")
        yield step


if __name__ == "__main__":
    main()
