"""The evening, chapter by chapter."""

from collections.abc import Callable, Mapping

from tests.evening import cases, disputes, reading, tour
from tests.evening.book import Book

CHAPTERS: Mapping[str, Callable[[Book], None]] = {
    "tour": tour.evening,
    "cases": cases.evening,
    "disputes": disputes.evening,
    "reading": reading.evening,
}
