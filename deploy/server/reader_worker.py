"""Entry point of the reader process for long responses, one per server, at low priority: ``python -m deploy.server.reader_worker FD``.

``FD`` is the number of a socket. ``deploy/processes/exports.py`` starts the process; ``api/common/long_reads.py`` defines the jobs. Each
job runs in a fork with its own connections, and ends as soon as nobody wants it any more. So no job delays another one.
"""

import gc
import logging
import os
import signal
import socket
import sys
from contextlib import suppress
from select import select
from threading import Thread
from typing import BinaryIO, NoReturn

import msgspec

import api.app  # registers all kinds of jobs
from api.common.exporting import AWAY, DONE, FAILED
from api.common.long_reads import LongRead, run_job
from api.common.reading import pasts_of
from api.http.sending import current_request_id, note_request
from deploy.compose import load_drivers, open_reading
from deploy.processes.exports import ReadingWork
from deploy.system.log_lines import start_logging
from deploy.system.startup import NICE, preload_codecs
from domain.errors import Unavailable
from domain.journal.commits import StoreUnavailableError

_REQUEST = msgspec.json.Decoder(str | None)
_JOB = msgspec.json.Decoder(LongRead)
_LOG = logging.getLogger("kiebitz.readers")

__all__ = ["api"]


def main() -> NoReturn:
    os.nice(NICE)  # not idle, as exports are: on a busy machine it would get no time within the deadline of an answer
    preload_codecs()
    # Often sent to the whole group. This process ends with the server, which lets requests end first.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # no zombies: a job reports its outcome itself
    work = msgspec.json.decode(sys.stdin.buffer.readline(), type=ReadingWork)
    start_logging(work.log_format, current_request_id)
    load_drivers(work.journal_url)
    gc.freeze()
    with socket.socket(fileno=int(sys.argv[1])) as jobs:
        while jobs in select([jobs, sys.stdin], [], [])[0] and (handed := socket.recv_fds(jobs, 1, 2)[1]):
            if not os.fork():
                jobs.close()
                _serve(work, *handed)
            for one in handed:
                os.close(one)
    os.killpg(0, signal.SIGKILL)  # the server has ended, so all jobs end
    raise AssertionError


def _serve(work: ReadingWork, file: int, line: int) -> NoReturn:
    with suppress(OSError), os.fdopen(file, "wb") as written, socket.socket(fileno=line) as told, told.makefile("rb") as asked:
        told.sendall(_run_read(work, written, asked))
    os._exit(0)


def _run_read(work: ReadingWork, written: BinaryIO, asked: BinaryIO) -> bytes:
    """Make the response; return how it ended."""
    try:
        note_request(_REQUEST.decode(asked.readline()))
        job = _JOB.decode(asked.readline())
        Thread(target=_end_when_cancelled, args=(asked,), daemon=True).start()
        with open_reading(work) as services:
            run_job(job, services, pasts_of(services.journal), written)
        written.flush()
    except (StoreUnavailableError, Unavailable, OSError) as error:
        _LOG.error("a read request failed: %s", error)
        return AWAY
    except Exception:
        _LOG.exception("a read request failed")
        return FAILED
    return b"%d\n" % written.tell() + DONE


def _end_when_cancelled(asked: BinaryIO) -> None:
    asked.read()
    os._exit(0)


if __name__ == "__main__":
    main()
