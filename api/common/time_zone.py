"""The time zone in which days, months and times without an offset are meant: of a tournament, else of the house."""

from datetime import datetime
from typing import Protocol

from api.http.errors import BadRequest
from api.http.places import tournament_at
from api.http.request import Request, services_of
from domain.texts import COMMON, say, words_of
from domain.time_zones import parse_instant, to_local


async def zone_of(request: Request, tournament: str | None = None) -> str:
    """Return the zone of the tournament; that of the house without one, or where it is not known here."""
    now = await tournament_at(request, tournament)
    return services_of(request).time_zone if now is None else now.time_zone


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
    return await read_time(request, query.from_, "from", query.tournament), await read_time(request, query.to, "to", query.tournament)


async def read_time(request: Request, text: str | None, name: str, tournament: str | None = None) -> datetime | None:
    """Return the moment of a parameter. Raises ``BadRequest``."""
    return None if text is None else read_instant(text, name, await zone_of(request, tournament))


def read_instant(text: str, name: str, zone: str) -> datetime:
    """Return the moment in UTC. ``name``: of the parameter or field. Raises ``BadRequest``."""
    moment = parse_instant(text, zone)
    if moment is None:
        raise BadRequest("bad_parameter", say("form.local_time"), name)
    return moment


def format_day(at: str, zone: str, language: str) -> str:
    """Return the day of a time of RFC 3339 in a zone, as people write it: 28 Nov 2026, 28.11.2026."""
    day, words = to_local(datetime.fromisoformat(at), zone), words_of(COMMON, language)
    return words["day"].format(day=day, month=words["months"].split()[day.month - 1])
