"""Entry point of the process that projects, one per server: ``python -m deploy.server.projecting_worker``.

``deploy/processes/process_driver.py`` starts it and sends the database URLs over its standard input, a line in both directions. It reads
the journal, may write nothing in it, and reports how far the projections are.
"""

import logging
import sys

from deploy.compose import open_projector
from deploy.processes.line import ServerLine, lower_priority
from deploy.processes.process_driver import Work
from deploy.system.log_lines import start_logging
from deploy.system.startup import preload_codecs
from domain.errors import Unavailable
from domain.journal.commits import StoreUnavailableError

_NICE = 2
"""Recording moves has priority, but not by much: a client that reads its own write waits for this process."""

_LOG = logging.getLogger("kiebitz.projections")


def main() -> None:
    lower_priority(_NICE)
    preload_codecs()
    line = ServerLine(Work)
    if work := line.work():
        start_logging(work.log_format)
        _project(work, line)


def _project(work: Work, line: ServerLine[Work]) -> None:
    drive = line.build_driver("the projector")
    try:
        with open_projector(work, drive) as projector:
            projector.start()
            line.wait()
            projector.stop()
    except (StoreUnavailableError, Unavailable) as error:
        _LOG.error("the projection process cannot start: %s", error)
        sys.exit(1)


if __name__ == "__main__":
    main()
