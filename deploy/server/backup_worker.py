"""The process that writes periodic backups of the embedded store: ``python -m deploy.server.backup_worker``.

It is started and spoken to like the one that projects. It reads the journal and writes into the folder of backups alone.
"""

import os
from pathlib import Path

from deploy.config.settings import Settings
from deploy.processes.backup_process import BackupWork, PeriodicBackups
from deploy.processes.following import ServerLine, give_way
from deploy.system.log_lines import start_logging

_NICE = 19
"""Nobody waits for it. It is not idle altogether: the write-ahead log of the store grows as long as somebody reads one moment of it."""


def main() -> None:
    give_way(_NICE)
    line = ServerLine(BackupWork)
    if work := line.work():
        start_logging(work.log_format)
        settings = Settings(Path(work.data), backup_every=work.every, backup_folder=Path(work.folder))
        line.drive("the backups").start(PeriodicBackups(settings))
        line.wait()
        os._exit(0)  # the end of the service waits for no backup: what is half written has another name, and goes with the next one


if __name__ == "__main__":
    main()
