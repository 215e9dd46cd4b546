"""Query helpers of all projections: SQL conditions, pages with the newest first, rows as Structs."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Collection, Mapping
from typing import Any, TypeVar

import msgspec

from domain.errors import BadCursor
from projections.engine.store import Row, Store
from projections.values import to_datetime

# Cursors of lists: a place in the order of a list, opaque to callers, so that the order may change.


def cursor_of(place: str | int) -> str:
    return urlsafe_b64encode(str(place).encode()).decode().rstrip("=")


def text_place_of(cursor: str) -> str:
    """Return the place in an order of texts. Raises ``BadCursor``."""
    try:
        place = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
    except ValueError:
        place = "\0"
    # Base64 can spell the same place in several ways; only the cursor that was given out is taken.
    if "\0" in place or cursor_of(place) != cursor:
        raise BadCursor
    return place


def place_of(cursor: str) -> int:
    """Return the place in an order of sequences. Raises ``BadCursor``."""
    place = text_place_of(cursor)
    if not (place.isascii() and place.isdigit() and len(place) < 20 and int(place) < 2**63):
        raise BadCursor
    return int(place)


T = TypeVar("T", bound=msgspec.Struct)


def where(conditions: Mapping[str, object]) -> tuple[str, list[Any]]:
    """Return an ``AND …`` for each condition with a value, and the values: of a condition with several placeholders a tuple."""
    given = {condition: value for condition, value in conditions.items() if value is not None}
    values = [one for value in given.values() for one in (value if isinstance(value, tuple) else (value,))]
    return "".join(f" AND {condition}" for condition in given), values


def latest_first(
    store: Store, select: str, order: str, conditions: Mapping[str, object], cursor: str | None, limit: int, place: int
) -> tuple[list[Row], str | None]:
    """Return a page of rows, and the cursor of the next one. ``order`` is a column of sequences, the row's ``place``-th.

    Pages neither skip nor repeat a row, also while more are written: a cursor stands for a place in the order. Raises ``BadCursor``.
    """
    more, values = where({**conditions, f"{order} < ?": None if cursor is None else place_of(cursor)})
    # One row more than asked for, to know whether there is a next page.
    rows = store.query(f"{select}{more} ORDER BY {order} DESC LIMIT ?", (*values, limit + 1))
    return rows[:limit], cursor_of(rows[limit - 1][place]) if len(rows) > limit else None


def struct_of(type: type[T], row: Row, json: Collection[str] = (), moments: Collection[str] = (), flags: Collection[str] = ()) -> T:
    """Return the row as a Struct. The columns stand in the order of the fields; some are kept as JSON, as microseconds, or as 0 and 1."""
    values = dict(zip(type.__struct_fields__, row, strict=True))
    for column in json:
        values[column] = values[column] and msgspec.json.decode(values[column])
    for column in moments:
        values[column] = None if values[column] is None else to_datetime(values[column])
    for column in flags:
        values[column] = bool(values[column])
    return msgspec.convert(values, type)
