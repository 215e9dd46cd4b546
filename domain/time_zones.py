"""Time zones (IANA names) of the house, of tournaments and games. All days and months, on paper, on pages and in sums, come from here.

A game keeps the zone in which it was opened, and the result of a table the one in which it was first entered: what was counted to a month
stays there. The setting of the house is for new tournaments and games, the choice of a tournament for new games.
"""

import re
from datetime import UTC, datetime
from typing import TypeAlias
from zoneinfo import ZoneInfo

from msgspec import UNSET, UnsetType

UTC_ZONE = "UTC"
StoredTimeZone: TypeAlias = str | UnsetType
"""A zone in an event. Absent is UTC, as in events of earlier versions."""


def is_time_zone(name: str) -> bool:
    """Return whether this machine knows a zone of this name."""
    return _find_zone(name) is not None


def encode_time_zone(name: str) -> StoredTimeZone:
    return UNSET if name == UTC_ZONE else name


def decode_time_zone(stored: StoredTimeZone) -> str:
    return UTC_ZONE if stored is UNSET else stored


def to_local(moment: datetime, zone: str) -> datetime:
    """Return the moment as clocks in the zone show it. A zone that this machine does not know counts as UTC."""
    try:
        return moment.astimezone(_find_zone(zone) or UTC)
    except OverflowError:  # at the edges of the calendar
        return moment


def month_of(moment: datetime, zone: str) -> str:
    at = to_local(moment, zone)
    return f"{at.year:04}-{at.month:02}"


def parse_instant(text: str, zone: str) -> datetime | None:
    """Return the moment in UTC of an RFC 3339 date (its first moment) or time, meant in the zone unless it has an offset; ``None`` for
    another text.
    """
    if not _MOMENT.fullmatch(text):
        return None
    try:
        local = datetime.fromisoformat(text.upper())
        return (local if local.tzinfo else local.replace(tzinfo=_find_zone(zone) or UTC)).astimezone(UTC)
    except (ValueError, OverflowError):  # no day of the calendar, or at its edge
        return None


_DATE, _TIME, _OFFSET = "[0-9]{4}-[0-9]{2}-[0-9]{2}", r"[Tt ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?", "[Zz]|[+-][0-9]{2}:[0-9]{2}"
_MOMENT = re.compile(f"{_DATE}(?:{_TIME}(?:{_OFFSET})?)?")


def _find_zone(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return None
