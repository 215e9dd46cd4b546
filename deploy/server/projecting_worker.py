"""The process that projects, one for each server: ``python -m deploy.server.projecting_worker``.

``deploy/processes/drive.py`` starts it and says by its standard input, a line in both directions, where the databases are. It reads the
journal, may write nothing in it, and answers how far the projections are.
"""

import logging
import sys

from deploy.compose import open_projector
from deploy.processes.following import ServerLine, give_way
from deploy.processes.projecting import Work
from deploy.system.log_lines import start_logging
from deploy.system.structs import learn_structs
from domain.errors import Unavailable
from domain.journal.commits import StoreAway

_NICE = 2
"""Who plays goes first, but not by much: whoever reads what he has just written waits for this process."""

_LOG = logging.getLogger("kiebitz.projections")


def main() -> None:
    give_way(_NICE)
    learn_structs()
    line = ServerLine(Work)
    if work := line.work():
        start_logging(work.log_format)
        _project(work, line)


def _project(work: Work, line: ServerLine[Work]) -> None:
    drive = line.drive("the projector")
    try:
        with open_projector(work, drive) as projector:
            projector.start()
            line.wait()
            projector.stop()
    except (StoreAway, Unavailable) as error:
        _LOG.error("the process that projects cannot begin: %s", error)
        sys.exit(1)


if __name__ == "__main__":
    main()
