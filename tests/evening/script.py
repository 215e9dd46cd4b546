"""The evening, chapter by chapter."""

from collections.abc import Callable, Mapping

from tests.evening import cases, tour
from tests.evening.book import Book

CHAPTERS: Mapping[str, Callable[[Book], None]] = {
    "tour": tour.evening,
    "cases": cases.evening,
}
