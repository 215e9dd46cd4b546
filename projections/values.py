"""Storage forms of moments, values of clients and JSON, so that both databases hold and order them alike."""

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

_ENCODE = msgspec.json.Encoder().encode
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def microseconds(moment: datetime) -> int:
    """Return microseconds since 1970. Exact, and ordered alike in both databases."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def to_datetime(microseconds: int) -> datetime:
    return _EPOCH + timedelta(microseconds=microseconds)


def to_stored_value(value: str | int | None) -> Any:
    """Return a value that every database takes, so that no text or number of a client can stop the projector."""
    if isinstance(value, str):
        return value.replace("\0", "")
    return value if value is None else max(-(2**63), min(value, 2**63 - 1))


def as_json(value: object) -> str:
    return _ENCODE(value).decode()
