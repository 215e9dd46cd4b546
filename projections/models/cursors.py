"""Cursors of lists: a place in the order of a list, opaque to callers, so that the order may change."""

from base64 import urlsafe_b64decode, urlsafe_b64encode

from domain.errors import BadCursor


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
