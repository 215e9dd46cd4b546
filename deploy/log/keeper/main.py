"""The process that keeps the log, one for each server that has its key: ``python -m deploy.log.keeper.main``.

It is started and spoken to like the one that projects. It alone has the key that signs checkpoints; the server has none of it.
"""

import logging
import sys

from deploy.log.keeper.compose import LogWork, open_log_writer
from deploy.processes.following import ServerLine, give_way
from deploy.system.log_lines import start_logging
from domain.errors import Unavailable
from domain.journal.commits import StoreAway

_NICE = 19
"""Nobody waits for it but who asks for a proof of what was recorded a moment ago. Where all cores are taken it still gets a seventieth of
one: reckoned, enough for a thousand events a second."""

_LOG = logging.getLogger("kiebitz.log")


def main() -> None:
    give_way(_NICE)
    line = ServerLine(LogWork)
    if work := line.work():
        start_logging(work.log_format)
        _keep(work, line)


def _keep(work: LogWork, line: ServerLine[LogWork]) -> None:
    drive = line.drive("the keeper of the log")
    try:
        with open_log_writer(work) as keeper:
            drive.start(keeper)
            line.wait()
            drive.stop()
    except (StoreAway, Unavailable) as error:
        _LOG.error("the process that keeps the log cannot begin: %s", error)
        sys.exit(1)


if __name__ == "__main__":
    main()
