"""Entry point of the log process, one for each server that has the log's key: ``python -m deploy.log.writer.main``.

It is started and controlled like the process that projects. Only this process has the key that signs checkpoints; the server has none.
"""

import logging
import sys

from deploy.log.writer.compose import LogWork, open_log_writer
from deploy.processes.line import ServerLine, lower_priority
from deploy.system.log_lines import start_logging
from domain.errors import Unavailable
from domain.journal.commits import StoreUnavailableError

_NICE = 19
"""Low priority: only clients that request a proof of very recent events wait for it. If all cores are busy it still gets a seventieth of
one, which by calculation is enough for a thousand events per second."""

_LOG = logging.getLogger("kiebitz.log")


def main() -> None:
    lower_priority(_NICE)
    line = ServerLine(LogWork)
    if work := line.work():
        start_logging(work.log_format)
        _keep(work, line)


def _keep(work: LogWork, line: ServerLine[LogWork]) -> None:
    drive = line.build_driver("the keeper of the log")
    try:
        with open_log_writer(work) as keeper:
            drive.start(keeper)
            line.wait()
            drive.stop()
    except (StoreUnavailableError, Unavailable) as error:
        _LOG.error("the log process cannot start: %s", error)
        sys.exit(1)


if __name__ == "__main__":
    main()
