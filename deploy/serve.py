"""The server: uvicorn behind our own socket and our own words."""

import asyncio
import dataclasses
import gc
import logging
import resource
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from ssl import SSLContext
from types import FrameType
from typing import TypeAlias, cast

import uvicorn
from litestar import Litestar
from litestar.types import ASGIApp
from msgspec.structs import replace

from api.app import create_app
from api.http.sending import current_request_id
from api.services import Services
from deploy.backups.process import require_embedded, writing_backups
from deploy.compose import open_services, projecting_apart, settle_epoch
from deploy.connections.callers import USUAL, Callers, ConnectionLimits
from deploy.connections.doors import address_of, listening
from deploy.connections.protocol import protocol_for
from deploy.journal_file import journal_file_id
from deploy.keeping.opening import keeping_apart, keeping_here, open_log
from deploy.logs.access import AccessLogged
from deploy.logs.lines import start_logging
from deploy.serve_lock import SoleWriter, lock_data_folder
from deploy.settings import Settings
from deploy.tls import BY_HTTPS_ALONE, tls_context
from domain.journal.store import EventStore

_LOG = logging.getLogger("kiebitz.serve")

Started: TypeAlias = Callable[[EventStore, str], None]
"""What is called with the store and the address once the service answers."""
Beat: TypeAlias = Callable[[], Awaitable[None]]

BEAT = 2
"""Seconds between two beats."""

GRACE = 10
"""Seconds for requests at hand after SIGTERM. Event streams never end by themselves, so there has to be an end."""

ANSWER = 6.0
"""Seconds for a reply of the database to a reader: so that who waits for a thread that waits is answered in time as well."""

TURN = 0.001
"""Seconds after which a thread that computes gives way, where another one wants to go on; with the usual five a move that meets three
readers waits fifteen milliseconds for nothing."""

NEW_OBJECTS = 5_000
"""New objects after which the collector looks at them: of so many it takes some three milliseconds, in which nobody is answered."""

_OWN_FILES = 200
"""Files that the service has open besides the connections of its callers, and some to spare."""


class Server(uvicorn.Server):
    """Tells when it answers: not before the journal and the projections are up. ``failure`` is what went wrong while telling.

    ``stopping`` is called before it waits for the requests at hand.
    """

    failure: Exception | None = None

    def __init__(self, config: uvicorn.Config, started: Callable[[], object], stopping: Callable[[], None]) -> None:
        super().__init__(config)
        self._tell_started = started
        self._tell_stopping = stopping

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        settle()
        try:
            self._tell_started()
        except Exception as error:
            # Raised from here it would tear the loop down under the writer; so the server ends in order first.
            self.failure = error
            self.should_exit = True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Whoever asks twice is asking for the same: a terminal's Ctrl-C reaches a worker beside its parent's SIGTERM. uvicorn would break
        off what is at hand, the writer with it.
        """
        if not self.should_exit:
            super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._tell_stopping()
        await super().shutdown(sockets)


def settle() -> None:
    """What lies in memory since the start stays there: the garbage collector need not look through all of it again and again, for so long
    nobody is answered; with Python's thresholds its full passes over 2,000 followers kept one message in a hundred waiting for 150 ms
    instead of 29. It looks at what is new often, for then that is little, and at what is older seldom. And threads that compute leave the
    loop its turn sooner.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, 1_000_000 // NEW_OBJECTS, 20)
    sys.setswitchinterval(TURN)


@contextmanager
def open_service(
    settings: Settings, *, apart: bool = False, migrate_too: bool = False, accept_older_copy: bool = False
) -> Iterator[tuple[Services, SoleWriter | None]]:
    """Everything, and the lock of the data folder if it is embedded. ``apart``: another process projects, and another keeps the log.

    Raises ``Failure`` if another process writes there, where periodic backups of PostgreSQL are asked for, and for an older copy of the
    journal that was not accepted.
    """
    require_embedded(settings)
    with (
        lock_data_folder(settings, "serve") as lock,
        projecting_apart(settings) if apart else nullcontext() as drive,
        keeping_apart(settings) if apart else nullcontext() as keeper,
        open_services(
            settings, alone=settings.embedded, drive=drive, migrate_too=migrate_too, accept_older_copy=accept_older_copy, answer=ANSWER
        ) as services,
    ):
        settle_epoch(services, settings, accept_older_copy=accept_older_copy)
        with (
            nullcontext(keeper) if apart else keeping_here(settings, services.journal.store) as keeping,
            open_log(settings, services, keeping) as log,
            writing_backups(settings, services.clock) as backups,
        ):
            yield dataclasses.replace(services, log=log, backups=backups), lock


def fitting(limits: ConnectionLimits) -> ConnectionLimits:
    """No more connections than this process may have files open; it takes what the system lets it have."""
    wanted = limits.connections + _OWN_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return limits
    fit = max(1, soft - _OWN_FILES)
    _LOG.warning("this process may have %d files open, so it takes %d connections at a time", soft, fit)
    return replace(limits, connections=fit)


def configured(app: ASGIApp, callers: Callers, tls: SSLContext | None = None, beat: Beat | None = None) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        loop="uvloop",
        http=cast("type[asyncio.Protocol]", protocol_for(callers, getattr(app, "short_way", None))),
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,  # the protocol sees to them, by the proxies that are set
        server_header=False,
        headers=[BY_HTTPS_ALONE] if tls is not None else [],
        timeout_graceful_shutdown=GRACE,
        ssl_context_factory=None if tls is None else lambda config, usual: tls,
        callback_notify=beat,
        timeout_notify=BEAT,
    )


def run(
    app: Litestar,
    lines: Sequence[socket.socket],
    started: Callable[[], object],
    limits: ConnectionLimits = USUAL,
    tls: SSLContext | None = None,
    beat: Beat | None = None,
    *,
    access_log: bool = False,
) -> None:
    """Serves until SIGTERM or SIGINT, then lets requests end and the writer store what waits. ``beat`` is called by the loop meanwhile."""
    app.state["callers"] = callers = Callers(fitting(limits))
    config = configured(AccessLogged(app) if access_log else app, callers, tls, beat)
    answer_at(lines, Server(config, started, app.state["news"].stop))


def answer_at(lines: Sequence[socket.socket], server: Server) -> None:
    """Until SIGTERM or SIGINT. Raises what went wrong while it told that it answers."""
    # uvicorn raises the signal again when it is through; by itself that would look like a crash.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _end)
    server.run(sockets=list(lines))
    if server.failure:
        raise server.failure


def _end(number: int, _: object) -> None:
    sys.exit(0)


def serve(settings: Settings, *, migrate_too: bool, accept_older_copy: bool, started: Started) -> None:
    """By one process."""
    start_logging(settings.log_format, current_request_id)
    tls = tls_context(settings)
    opened = open_service(settings, apart=True, migrate_too=migrate_too, accept_older_copy=accept_older_copy)
    with opened as (services, lock), listening(settings.host, settings.port) as line:
        address = address_of(line, "https" if tls else "http")
        if lock is not None:
            lock.tell(address, journal_file_id(settings))
        app = create_app(services)
        run(app, [line], lambda: started(services.journal.store, address), settings.limits, tls, access_log=settings.access_log)
