"""HTTP server: uvicorn with our connection limits, signal handling and graceful shutdown."""

import asyncio
import gc
import logging
import resource
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Sequence
from ssl import SSLContext
from types import FrameType
from typing import TypeAlias, cast

import uvicorn
from litestar import Litestar
from litestar.types import ASGIApp
from msgspec.structs import replace

from api.common.live.change_feed import ChangeFeed
from api.http.request import part_of
from api.services import Connections
from deploy.config.settings import USUAL, ConnectionLimits
from deploy.http.access_log import AccessLog
from deploy.http.connections import ConnectionRegistry
from deploy.http.protocol import protocol_for

_LOG = logging.getLogger("kiebitz.serve")

Beat: TypeAlias = Callable[[], Awaitable[None]]

BEAT = 2
"""Seconds between two beats."""

GRACE = 10
"""Seconds for pending requests after SIGTERM. Event streams never end on their own, so there has to be a limit."""

TURN = 0.001
"""Seconds after which a computing thread yields to another (Python's switch interval). With Python's usual 5 ms, a move that meets three
readers waits 15 ms for nothing."""

NEW_OBJECTS = 5_000
"""New objects that trigger a garbage collection: with this many it takes some 3 ms, in which no request is answered."""

_OWN_FILES = 200
"""Files that the service has open besides client connections, and some to spare."""


BY_HTTPS_ALONE = ("strict-transport-security", "max-age=86400")
"""HSTS for a day (RFC 6797): browsers use HTTPS only for the whole evening. An operator who has another certificate the next time, or
none, is not locked out for longer. Browsers apply it to a host name that they trust, on all its ports, and never to an IP address.
"""


class Server(uvicorn.Server):
    """uvicorn server that reports when it answers, which is not before the journal and the projections are up.

    ``failure`` is the error raised by that report. ``stopping`` is called before the server waits for pending requests.
    """

    failure: Exception | None = None

    def __init__(self, config: uvicorn.Config, started: Callable[[], object], stopping: Callable[[], None]) -> None:
        super().__init__(config)
        self._tell_started = started
        self._tell_stopping = stopping

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        freeze_memory()
        try:
            self._tell_started()
        except Exception as error:
            # Raised here, it would end the event loop under the writer. The server shuts down in order first.
            self.failure = error
            self.should_exit = True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Ignore a second signal: Ctrl-C in a terminal reaches a worker in addition to its parent's SIGTERM.

        uvicorn would abort pending requests on it, and the writer with them.
        """
        if not self.should_exit:
            super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._tell_stopping()
        await super().shutdown(sockets)


def freeze_memory() -> None:
    """Tune garbage collection and thread switching for low latency, once the service is up.

    Objects that exist since the start are frozen: the collector does not scan them again, which would block all requests. With Python's
    thresholds, full collections with 2,000 followers delayed one message in a hundred by 150 ms instead of 29. New objects are collected
    often, since they are few, and older ones seldom. Computing threads yield to the event loop sooner.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, 1_000_000 // NEW_OBJECTS, 20)
    sys.setswitchinterval(TURN)


def limit_connections(limits: ConnectionLimits) -> ConnectionLimits:
    """Return the limits with no more connections than the file descriptor limit allows; raise the soft limit first where possible."""
    wanted = limits.connections + _OWN_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return limits
    fit = max(1, soft - _OWN_FILES)
    _LOG.warning("this process may open %d files, so it accepts %d concurrent connections", soft, fit)
    return replace(limits, connections=fit)


def configure_server(app: ASGIApp, callers: ConnectionRegistry, tls: SSLContext | None = None, beat: Beat | None = None) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        loop="uvloop",
        http=cast("type[asyncio.Protocol]", protocol_for(callers, getattr(app, "short_way", None))),
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,  # the protocol handles them, for the configured proxies
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
    """Serve until SIGTERM or SIGINT, then let requests end and the writer store what waits. The event loop calls ``beat`` regularly."""
    callers = ConnectionRegistry(limit_connections(limits))
    part_of(app, Connections).count = callers.count
    config = configure_server(AccessLog(app) if access_log else app, callers, tls, beat)
    serve_at(lines, Server(config, started, part_of(app, ChangeFeed).stop))


def serve_at(lines: Sequence[socket.socket], server: Server) -> None:
    """Serve until SIGTERM or SIGINT. Raises the error of the ``started`` callback."""
    # uvicorn raises the signal again at its end; without a handler that would look like a crash.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _end)
    server.run(sockets=list(lines))
    if server.failure:
        raise server.failure


def _end(number: int, _: object) -> None:
    sys.exit(0)
