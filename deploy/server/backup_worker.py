"""Entry point of the backup process for the embedded store: ``python -m deploy.server.backup_worker``.

It is started and controlled like the process that projects. It reads the journal and writes only into the folder of backups.
"""

import os
from pathlib import Path

from deploy.config.settings import Settings
from deploy.processes.backup_process import BackupSchedule, BackupWork
from deploy.processes.line import ServerLine, lower_priority
from deploy.system.log_lines import start_logging

_NICE = 19
"""Low priority, because nobody waits for it; but not idle: the write-ahead log of the store grows while one state of it is being read."""


def main() -> None:
    lower_priority(_NICE)
    line = ServerLine(BackupWork)
    if work := line.work():
        start_logging(work.log_format)
        settings = Settings(Path(work.data), backup_every=work.every, backup_folder=Path(work.folder))
        line.build_driver("the backups").start(BackupSchedule(settings))
        line.wait()
        os._exit(0)  # the service does not wait for a backup: a partial file has another name, and the next backup removes it


if __name__ == "__main__":
    main()
