"""The time of play of a game or a hand, as it was reported: an RFC 3339 date, or date and time, kept as it came (COM-66).

A bare date counts from its first moment in UTC. A time before 1900 is taken for a slip, and is no time.
"""

import re
from datetime import UTC, date, datetime, timedelta

from domain.errors import InvalidFormatError
from domain.events import Recorded
from domain.texts import say
from domain.time_zones import to_local

EARLIEST = datetime(1900, 1, 1, tzinfo=UTC)
CLOCKS_DIFFER = timedelta(days=1)
"""Tolerance for times in the future: clocks differ, and in the east it is already tomorrow."""

_DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_PLAYED_AT = re.compile(rf"{_DATE}(?:[Tt][0-9]{{2}}:[0-9]{{2}}:[0-9]{{2}}(?:\.[0-9]+)?(?:[Zz]|[+-][0-9]{{2}}:[0-9]{{2}}))?")


def parse_played_at(said: str) -> datetime | None:
    """Return the moment in UTC; ``None`` for a text that is neither an RFC 3339 date nor a date and time."""
    if not _PLAYED_AT.fullmatch(said):
        return None
    try:
        moment = datetime.fromisoformat(said.upper() if "t" in said.lower() else f"{said}T00:00:00Z").astimezone(UTC)
    except (ValueError, OverflowError):  # no day of the calendar
        return None
    return moment if moment >= EARLIEST else None


def check_played_at(said: object) -> None:
    """Raise ``InvalidFormatError`` with ``impossible_time`` for a text that is no such time. A value that is no text passes."""
    if isinstance(said, str) and parse_played_at(said) is None:
        raise InvalidFormatError("impossible_time", say("form.played_at", earliest=EARLIEST.year), "played_at")


def time_at_table(recorded: Recorded) -> str | None:
    """Return the reported time of play of the event: its ``played_at``, else its ``happened_at``."""
    said = getattr(recorded.event, "played_at", None)
    if isinstance(said, str):
        return said
    happened = recorded.stamp.happened_at
    return None if happened is None else happened.isoformat().replace("+00:00", "Z")


def day_at_table(recorded: Recorded, zone: str) -> date | None:
    """Return the reported time as a day: in the zone, or as a record wrote it."""
    said = getattr(recorded.event, "played_at", None)
    if isinstance(said, str):
        return None if parse_played_at(said) is None else date.fromisoformat(said[:10])
    happened = recorded.stamp.happened_at
    return None if happened is None else to_local(happened, zone).date()


def parse_time_at_table(recorded: Recorded) -> datetime | None:
    """Return the reported time as a moment; ``None`` also where damaged history holds none."""
    said = time_at_table(recorded)
    return None if said is None else parse_played_at(said)
