"""Is it alive, and can it work? For those who start it and watch over it."""

import asyncio

from api.http.fields import alike
from api.http.guards import admitted
from api.http.operations import Content, Operation, reads
from api.http.request import Request, header, services_of
from api.http.response import Response, encode
from api.service.responses import Health, ProjectionHealth
from api.services import Services
from domain.errors import Unavailable
from domain.journal.commits import StoreAway
from projections.engine.status import ProjectionStatus

_PATIENCE = 3.0  # seconds until a store that does not answer counts as away


@reads(
    "/health/live",
    Operation(
        id="live",
        tag="Operation",
        summary="Does the process answer?",
        responses={200: Content("it does", Health)},
        role="anybody",
    ),
    admit=None,
)
async def live(request: Request) -> Response:
    return _response(Health(status="live"))


@reads(
    "/health/ready",
    Operation(
        id="ready",
        tag="Operation",
        summary="Can it record and read?",
        description="Without a token only the status. `degraded` (status 200): a projection stopped or is being built anew;"
        " recording goes on.",
        responses={200: Content("ready, or degraded", Health), 503: Content("a store does not answer", Health)},
        refuses=(401, 403, 429),
        role="anybody",
    ),
    admit=None,
)
async def ready(request: Request) -> Response:
    health = await _health_in_time(services_of(request))
    if not header(request, b"authorization"):
        return _response(Health(status=health.status))
    if health.status != "not_ready":  # else nobody could be known
        await admitted(request)
        return _response(health)
    return _response(Health(status=health.status))


async def _health_in_time(services: Services) -> Health:
    try:
        async with asyncio.timeout(_PATIENCE):
            return await asyncio.to_thread(_health, services)
    except (TimeoutError, Unavailable, StoreAway) as error:
        return Health(status="not_ready", problem=str(error) or "the store does not answer in time")


def _health(services: Services) -> Health:
    """Raises ``Unavailable``."""
    services.store.query("SELECT 1")
    head, found = services.journal.head(), services.projector.status()
    sound = all(one.error is None and one.percent == 100 for one in found)
    return Health(status="ready" if sound else "degraded", head=head, projections=[_projection_health(one) for one in found])


def _projection_health(one: ProjectionStatus) -> ProjectionHealth:
    # Only which error it was: its words may name what a viewer must not see. They stand in the log, and `projections status` shows them.
    return alike(one, ProjectionHealth, error=one.error and one.error.partition(":")[0])


def _response(health: Health) -> Response:
    status = 503 if health.status == "not_ready" else 200
    return Response(encode(health), status=status, headers=(("cache-control", "no-store"), ("vary", "authorization")))
