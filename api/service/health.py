"""Health checks: liveness and readiness, for process managers and monitoring."""

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor

from msgspec import UNSET

from api.http.decoding import copy_fields
from api.http.guards import authenticate
from api.http.operations import Content, reads
from api.http.request import Request, header, part_of
from api.http.response import Response, encode
from api.service.responses import BackupHealth, Health, LogHealth, ProjectionHealth
from api.services import Services, StoreLog
from domain.errors import Unavailable
from domain.journal.commits import OutcomeUnknownError, StoreBlockedError, StoreUnavailableError
from domain.version import VERSION
from projections.engine.status import ProjectionStatus

_LOG = logging.getLogger("kiebitz.api")
_PATIENCE = 3.0  # seconds after which a store without an answer counts as away
_FRESH = 1.0  # seconds between two checks
_RETRY = 1  # seconds


@reads(
    "/health/live",
    "live",
    "Check whether the process responds",
    tag="Operation",
    responses={200: Content("it does", Health)},
    role="anybody",
)
async def live(request: Request) -> Response:
    return _response(Health(status="live", version=VERSION))


@reads(
    "/health/ready",
    "ready",
    "Check whether the service can record and read",
    tag="Operation",
    description=(
        "Without a token the answer holds only the status, and the `problem` if somebody has to act. `degraded` (status "
        "200) means: a projection stopped or is being rebuilt, the log signs nothing, or the newest backup is overdue; "
        "recording continues. The check tries a small write of its own, at most once a second."
    ),
    responses={
        200: Content("ready, or degraded", Health),
        503: Content("a store does not answer, or takes nothing", Health, headers=("Retry-After",)),
    },
    refuses=(401, 403, 429),
    role="anybody",
)
async def ready(request: Request) -> Response:
    health = await part_of(request.app, ReadyCheck).health()
    if health.status == "not_ready":  # no token could be looked up
        return _response(health)
    if not header(request, b"authorization"):
        return _response(Health(status=health.status))
    await authenticate(request)
    return _response(health)


class ReadyCheck:
    """The readiness check: a small write of its own, and a read. Used from one event loop.

    Requests at the same time, or within a second, share one check. It has a thread of its own, so that a store that hangs blocks no other
    thread.
    """

    def __init__(self, services: Services) -> None:
        self._services = services
        self._thread = ThreadPoolExecutor(1, "readiness")
        self._trial: asyncio.Future[Health] | None = None
        self._next = 0.0

    async def health(self) -> Health:
        loop = asyncio.get_running_loop()
        trial, now = self._trial, loop.time()
        if trial is None or (trial.done() and now >= self._next):
            trial = self._trial = loop.run_in_executor(self._thread, self._try_store)
            self._next = now + _FRESH
        done, _ = await asyncio.wait([trial], timeout=_PATIENCE)
        return trial.result() if done else Health(status="not_ready")

    def _try_store(self) -> Health:
        try:
            return self._found()
        except StoreBlockedError as error:
            return Health(status="not_ready", problem=str(error))
        except Exception as error:  # whatever it is that keeps it from writing or reading
            if not isinstance(error, Unavailable | StoreUnavailableError | OutcomeUnknownError):
                _LOG.exception("the test write to the store failed")
            return Health(status="not_ready")

    def _found(self) -> Health:
        services = self._services
        services.registers.try_writing()
        services.store.query("SELECT 1")
        head, found = services.journal.head(), services.projector.status()
        log = _log_health(services.log) if services.log else UNSET
        sound = all(one.error is None and one.percent == 100 for one in found) and (log is UNSET or log.error is None)
        backups = services.backups()
        sound = sound and (backups is None or backups.error is None)
        told = [_projection_health(one) for one in found]
        return Health(
            status="ready" if sound else "degraded",
            head=head,
            projections=told,
            log=log,
            backups=copy_fields(backups, BackupHealth) if backups else UNSET,
        )


def _log_health(log: StoreLog) -> LogHealth:
    head = log.tree.head()
    return LogHealth(origin=log.epoch().origin, entries=head.size if head else 0, signed=head.signed if head else 0, error=log.failure())


def _projection_health(one: ProjectionStatus) -> ProjectionHealth:
    # Only the type of the error: its text may name what a viewer must not see. The text is in the log, and `projections status` shows it.
    return copy_fields(one, ProjectionHealth, error=one.error and one.error.partition(":")[0])


def _response(health: Health) -> Response:
    headers = [("cache-control", "no-store"), ("vary", "authorization")]
    if health.status == "not_ready":
        return Response(encode(health), status=503, headers=[*headers, ("retry-after", str(_RETRY))])
    return Response(encode(health), headers=headers)
