"""The time zone in which days, months and times without an offset are meant: of a tournament, else of the house."""

from datetime import datetime
from typing import Protocol

from api.http.errors import BadRequest
from api.http.request import Request, services_of
from domain.errors import DataIntegrityError, Unknown
from domain.texts import say
from domain.time_zones import parse_instant
from domain.tournament.tournament import TOURNAMENT, tournament_stream


async def zone_of(request: Request, tournament: str | None = None) -> str:
    """Return the zone of the tournament; that of the house without one, or where it is not known here."""
    services = services_of(request)
    if tournament is not None:
        try:
            return (await services.journal.current_of(TOURNAMENT, tournament_stream(tournament))).time_zone
        except (Unknown, DataIntegrityError):
            pass
    return services.time_zone


class PlayedWithin(Protocol):
    """A query for what was played within a time."""

    @property
    def tournament(self) -> str | None: ...

    @property
    def from_(self) -> str | None: ...

    @property
    def to(self) -> str | None: ...


async def read_period(request: Request, query: PlayedWithin) -> tuple[datetime | None, datetime | None]:
    """Return the moments of ``from`` and ``to``. Raises ``BadRequest``."""
    if query.from_ is None and query.to is None:
        return None, None
    zone = await zone_of(request, query.tournament)
    return _read_instant(query.from_, "from", zone), _read_instant(query.to, "to", zone)


def _read_instant(text: str | None, name: str, zone: str) -> datetime | None:
    moment = None if text is None else parse_instant(text, zone)
    if text is not None and moment is None:
        raise BadRequest("bad_parameter", say("form.local_time"), name)
    return moment
