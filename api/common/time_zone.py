"""The time zone in which days, months and times without an offset are meant: of a tournament, else of the house."""

from collections.abc import Mapping
from datetime import datetime
from typing import TypeAlias

from api.http.errors import BadRequest
from api.http.places import tournament_at
from api.http.request import Request, services_of
from domain.texts import COMMON, say, words_of
from domain.time_zones import parse_instant, to_local


async def zone_of(request: Request, tournament: str | None = None) -> str:
    """Return the zone of the tournament; that of the house without one, or where it is not known here."""
    now = await tournament_at(request, tournament)
    return services_of(request).time_zone if now is None else now.time_zone


Times: TypeAlias = Mapping[str, datetime | None]
"""Moments of a query by its fields."""
_TIMES = ("from_", "to", "opened_from", "opened_to", "announced_from", "announced_to")


async def read_times(request: Request, query: object) -> Times:
    """Return the moments of a query, in the zone of its tournament. Raises ``BadRequest``."""
    given = {name: text for name in _TIMES if (text := getattr(query, name, None)) is not None}
    zone = await zone_of(request, getattr(query, "tournament", None)) if given else ""
    return {name: read_instant(text, name.rstrip("_"), zone) for name, text in given.items()}


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
