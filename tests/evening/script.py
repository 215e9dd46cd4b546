"""The evening, chapter by chapter."""

from collections.abc import Callable, Mapping

from tests.evening import cases
from tests.evening.book import Book

CHAPTERS: Mapping[str, Callable[[Book], None]] = {
    "cases": cases.evening,
}
