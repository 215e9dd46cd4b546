"""Cursors of lists: a place in an order, opaque to callers, so that the order may change."""

from base64 import urlsafe_b64decode, urlsafe_b64encode

from domain.errors import Malformed


def cursor_of(place: str | int) -> str:
    return urlsafe_b64encode(str(place).encode()).decode().rstrip("=")


def text_place_of(cursor: str) -> str:
    """The place in an order of texts. Raises ``Malformed`` with ``bad_cursor``."""
    try:
        place = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
    except ValueError:
        place = "\0"
    if "\0" in place or cursor_of(place) != cursor:
        raise bad_cursor()
    return place


def place_of(cursor: str) -> int:
    """The place in an order of sequences. Raises ``Malformed`` with ``bad_cursor``."""
    place = text_place_of(cursor)
    if not (place.isascii() and place.isdigit() and len(place) < 20 and int(place) < 2**63):
        raise bad_cursor()
    return int(place)


def bad_cursor() -> Malformed:
    """For what is no cursor of the list that it was sent to."""
    return Malformed("bad_cursor", "this is not a cursor that was given out here", "cursor")
