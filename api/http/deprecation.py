"""Deprecation of operations: the headers `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link` on every response of one."""

from datetime import UTC, date, datetime, time, timedelta
from email.utils import format_datetime

from litestar.types import Scope
from msgspec import Struct

from api.http.sending import Growing

NOTICE = timedelta(days=365)
"""At least this long an operation is announced before it goes: docs/api.md promises a year."""


class Deprecation(Struct, frozen=True):
    """An announcement: from ``since`` a client should not use the operation, from ``sunset`` it may be gone."""

    since: date
    sunset: date

    def __post_init__(self) -> None:
        if self.sunset - self.since < NOTICE:
            raise ValueError(f"{self.since} to {self.sunset} is less than a year")

    def in_words(self) -> str:
        return f"Deprecated since {self.since}; it may be gone from {self.sunset}."


def add_deprecation(status: int, headers: Growing, scope: Scope) -> None:
    """Announce that the operation of the request is deprecated. A step of ``ResponseFinalizer``."""
    handler = scope.get("route_handler")
    operation = getattr(handler, "opt", {}).get("operation")
    if operation is not None and operation.deprecation is not None:
        since, sunset = (datetime.combine(day, time(), UTC) for day in (operation.deprecation.since, operation.deprecation.sunset))
        headers += [
            (b"deprecation", f"@{since.timestamp():.0f}".encode()),
            (b"sunset", format_datetime(sunset, usegmt=True).encode()),
            (b"link", f'</docs#{operation.id}>; rel="deprecation"; type="text/html"'.encode()),
        ]
