"""Timestamps in responses: RFC 3339 in UTC with ``Z`` and six digits of a second, whatever precision they were stored with."""

import re
from datetime import UTC, datetime

_NAMES = (b"at", b"deadline", b"minute", b"newest", b"since", b"timestamp", b"to", b"until")
"""How the names of fields that hold a time end. Ids and words of people that look like a time stay as they are."""

_WHOLE = rb'"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ'
_FIELD = re.compile(rb"Z(?:%b)(?=\")" % b"|".join(rb'(?<=%b":%b)' % (name, _WHOLE) for name in _NAMES))
_LIST = re.compile(rb'"starts":\[[^]]+')
_ITEM = re.compile(rb"Z(?<=%b)(?=\")" % _WHOLE)
_DIGITS = rb".000000Z"


def format_time(moment: datetime) -> str:
    """Return a time as every response has it."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def complete_times(json: bytes) -> bytes:
    """Return the JSON with six digits in times of whole seconds.

    msgspec leaves the digits out where they are zero, and the registers hold whole seconds. A megabyte takes 1 ms. Stored bytes stand in
    JSON as a text, with escaped quotes, and so never change.
    """
    return _LIST.sub(lambda found: _ITEM.sub(_DIGITS, found[0]), _FIELD.sub(_DIGITS, json))
