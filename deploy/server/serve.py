"""Service in a single process: open, serve, close."""

import dataclasses
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TypeAlias

from api.app import create_app
from api.http.sending import current_request_id
from api.services import Services
from deploy.compose import check_epoch, open_services, start_projecting_process
from deploy.config.key_files import tls_context
from deploy.config.settings import Settings
from deploy.http.listening_socket import address_of, listening
from deploy.http.server import run
from deploy.log.writer.compose import log_process, log_thread, open_log
from deploy.processes.backup_process import require_embedded, run_backup_process
from deploy.processes.journal_file import WriterLock, journal_file_id, lock_data_folder
from deploy.system.log_lines import start_logging
from domain.journal.store import EventStore

_LOG = logging.getLogger("kiebitz.serve")

Started: TypeAlias = Callable[[EventStore, str], None]
"""Callback with the store and the address, once the service answers."""

ANSWER = 6.0
"""Seconds for a reply of the database to a reader: short, so that requests waiting for a blocked thread are answered in time, too."""


@contextmanager
def open_service(
    settings: Settings, *, apart: bool = False, migrate_too: bool = False, accept_older_copy: bool = False
) -> Iterator[tuple[Services, WriterLock | None]]:
    """Open all services, and lock the data folder if it is embedded. ``apart``: separate processes project and write the log.

    Raises ``Failure`` if another process writes there, if scheduled backups of PostgreSQL are configured, and for an older copy of the
    journal that was not accepted.
    """
    require_embedded(settings)
    with (
        lock_data_folder(settings, "serve") as lock,
        start_projecting_process(settings) if apart else nullcontext() as drive,
        log_process(settings) if apart else nullcontext() as keeper,
        open_services(
            settings, alone=settings.embedded, drive=drive, migrate_too=migrate_too, accept_older_copy=accept_older_copy, answer=ANSWER
        ) as services,
    ):
        check_epoch(services, settings, accept_older_copy=accept_older_copy)
        with (
            nullcontext(keeper) if apart else log_thread(settings, services.journal.store) as keeping,
            open_log(settings, services, keeping) as log,
            run_backup_process(settings, services.clock) as backups,
        ):
            yield dataclasses.replace(services, log=log, backups=backups), lock


def serve(settings: Settings, *, migrate_too: bool, accept_older_copy: bool, started: Started) -> None:
    """Serve with one process until it is asked to end."""
    start_logging(settings.log_format, current_request_id)
    tls = tls_context(settings)
    opened = open_service(settings, apart=True, migrate_too=migrate_too, accept_older_copy=accept_older_copy)
    with opened as (services, lock), listening(settings.host, settings.port) as line:
        address = address_of(line, "https" if tls else "http")
        if lock is not None:
            lock.tell(address, journal_file_id(settings))
        app = create_app(services)
        run(app, [line], lambda: started(services.journal.store, address), settings.limits, tls, access_log=settings.access_log)
