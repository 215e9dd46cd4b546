"""uvicorn with limits of our own: how the service answers at its sockets until it is told to end."""

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

from deploy.config.limits import USUAL, ConnectionLimits
from deploy.http.access_log import AccessLogged
from deploy.http.callers import Callers
from deploy.http.protocol import protocol_for

_LOG = logging.getLogger("kiebitz.serve")

Beat: TypeAlias = Callable[[], Awaitable[None]]

BEAT = 2
"""Seconds between two beats."""

GRACE = 10
"""Seconds for requests at hand after SIGTERM. Event streams never end by themselves, so there has to be an end."""

TURN = 0.001
"""Seconds after which a thread that computes gives way, where another one wants to go on; with the usual five a move that meets three
readers waits fifteen milliseconds for nothing."""

NEW_OBJECTS = 5_000
"""New objects after which the collector looks at them: of so many it takes some three milliseconds, in which nobody is answered."""

_OWN_FILES = 200
"""Files that the service has open besides the connections of its callers, and some to spare."""


BY_HTTPS_ALONE = ("strict-transport-security", "max-age=86400")
"""For a day (RFC 6797): for an evening nobody listens who answers by http, and whoever has no certificate the next time, or another one,
is not locked out for longer. Browsers take it for a name that they trust, for all its ports; never for an address.
"""


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
