"""Safety checks of the embedded database file before it is opened: not exchanged under a running service, no foreign log beside it.

The checks do not open the file, because opening it would replay the log beside it.
"""

import os

from deploy.config.failures import Failure
from deploy.config.settings import Settings
from deploy.processes.serve_lock import Holder, holder
from deploy.stores.migrating import is_sqlite
from deploy.stores.sqlite.backup import ForeignLogError, check_log, log_of
from deploy.stores.sqlite.connections import file_id, path_of
from deploy.system.language import say
from domain.journal.commits import StoreUnavailableError


def journal_file_id(settings: Settings) -> tuple[int, int] | None:
    """Return the id by which other processes recognise the open file."""
    return file_id(settings.journal_file)


def check_journal_file(settings: Settings) -> None:
    """Refuse a file that replaced the one a running service has open, since the log beside it is the service's. Raises ``Failure``."""
    using = _other_holder(settings)
    if using is not None and using.journal not in (None, journal_file_id(settings)):
        raise Failure(say("journal_exchanged", journal=settings.journal_file, holder=using.description), say("journal_exchanged_advice"))


def check_journal_of(url: str) -> None:
    """Check the journal of a process of the service itself, which knows it by its URL. Raises ``StoreUnavailableError``."""
    if is_sqlite(url):
        try:
            check_journal_file(Settings(path_of(url).parent))
        except Failure as error:
            raise StoreUnavailableError(str(error)) from error


def check_journal_log(settings: Settings) -> None:
    """Refuse a write-ahead log of another file. No check while another process has the folder, because the log is in use. Raises
    ``Failure``.
    """
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
