"""Checks of the embedded file before it is opened: is it the one that a running service has open, and is the log beside it its own?

Both are looked at without opening it: whoever opens a file brings into it what lies beside it as its log.
"""

import os

from deploy.config.failures import Failure
from deploy.config.settings import Settings
from deploy.processes.serve_lock import Holder, holder
from deploy.stores.migrating import is_sqlite
from deploy.stores.sqlite.backup import ForeignLogError, check_log, log_of
from deploy.stores.sqlite.connections import file_id, path_of
from deploy.system.language import say
from domain.journal.commits import StoreAway


def journal_file_id(settings: Settings) -> tuple[int, int] | None:
    """Return what others know the open file by."""
    return file_id(settings.journal_file)


def check_journal_file(settings: Settings) -> None:
    """Refuse a file that was laid in the place of the one that a running service has open. The log beside it is the service's."""
    using = _other_holder(settings)
    if using is not None and using.journal not in (None, journal_file_id(settings)):
        raise Failure(say("journal_exchanged", journal=settings.journal_file, holder=using.says), say("journal_exchanged_advice"))


def check_journal_of(url: str) -> None:
    """The same for a process of the service itself, which knows its journal by an address. Raises ``StoreAway``."""
    if is_sqlite(url):
        try:
            check_journal_file(Settings(path_of(url).parent))
        except Failure as error:
            raise StoreAway(str(error)) from error


def check_journal_log(settings: Settings) -> None:
    """Refuse a write-ahead log that lies beside another file's. While another process has the folder, the log is in use."""
    if _other_holder(settings) is not None:
        return
    try:
        check_log(settings.journal_file)
    except ForeignLogError as error:
        journal, log = settings.journal_file, log_of(settings.journal_file)
        raise Failure(say("foreign_log", journal=journal, log=log, problem=error), say("foreign_log_advice", log=log)) from error


def _other_holder(settings: Settings) -> Holder | None:
    using = holder(settings.lock_file) if settings.embedded else None
    return None if using is None or using.pid == os.getpid() else using
