"""Service in several processes: the setup that is done once, before the workers start."""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, nullcontext

from api.services import Services
from deploy.compose import open_event_store, start_projecting_process
from deploy.config.failures import Failure
from deploy.config.settings import Settings
from deploy.config.snapshot_key import snapshot_key
from deploy.config.tls import tls_context
from deploy.http.listening_socket import ListeningSocket
from deploy.log.writer.compose import log_process
from deploy.log.writer.key_files import with_key_folder
from deploy.server.serve import open_service
from deploy.server.workers.parent import Parent, Place
from deploy.server.workers.worker import Task
from deploy.system.language import say
from deploy.system.log_lines import start_logging
from domain.journal.store import EventStore

CONNECTIONS = 24
"""Database connections that a worker may have open while it makes no export."""
_BESIDE = 6
"""Database connections of the processes that project and that write the log."""

_LOG = logging.getLogger("kiebitz.serve")


def serve_by_workers(
    settings: Settings,
    flags: Mapping[str, str | None],
    *,
    migrate_too: bool,
    accept_older_copy: bool,
    started: Callable[[EventStore, str, Sequence[str]], None],
) -> None:
    """Serve with several workers until asked to end. Raises ``Failure``, also on SQLite.

    ``flags``: the settings as they were given; each worker reads them again. ``started`` is called with the store, the common address and
    the address of each worker, once all answer.
    """
    if settings.embedded:
        raise Failure(say("workers_embedded"))
    start_logging(settings.log_format)
    scheme = "https" if tls_context(settings) else "http"
    with start_projecting_process(settings) as drive, log_process(settings) as keeping:
        with open_service(settings, migrate_too=migrate_too, accept_older_copy=accept_older_copy) as (services, _):
            services.projector.prepare()
            _check_limits(services, settings.workers)
            at = with_key_folder(settings, services.journal.store)
        with _listening_sockets(settings) as (door, own):
            key, given = snapshot_key(settings), {name: None if value is None else str(value) for name, value in flags.items()}
            tasks = [Task(given, number, key) for number in range(1, settings.workers + 1)]
            places = [Place(task, (door, *own[task.number - 1 : task.number])) for task in tasks]

            def on_ready() -> None:
                with open_event_store(settings) as store:
                    started(store, door.address(scheme), [one.address(scheme) for one in own])

            with keeping.running(at) if keeping else nullcontext():
                Parent(places, drive, on_ready).run()


def _check_limits(services: Services, workers: int) -> None:
    """Warn early about too few database connections; otherwise that shows only under load."""
    [(taken,)] = services.store.query("SELECT current_setting('max_connections')::int")
    wanted = workers * CONNECTIONS + _BESIDE
    if wanted > taken:
        _LOG.warning("PostgreSQL allows %d connections, but %d workers may need %d; see max_connections", taken, workers, wanted)


@contextmanager
def _listening_sockets(settings: Settings) -> Iterator[tuple[ListeningSocket, Sequence[ListeningSocket]]]:
    """Open the common address, and those of each worker alone, if any are configured."""
    first = settings.worker_port
    ports = () if first is None else range(first, first + settings.workers) if first else [0] * settings.workers
    with ExitStack() as stack:
        door, *own = [stack.enter_context(closing(ListeningSocket(settings.host, port))) for port in (settings.port, *ports)]
        yield door, own
