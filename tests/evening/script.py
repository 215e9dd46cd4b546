"""The evening, chapter by chapter."""

from collections.abc import Callable, Mapping

from tests.evening import announcing, cases, club_night, disputes, players, reading, tables, tour
from tests.evening.book import Book

CHAPTERS: Mapping[str, Callable[[Book], None]] = {
    "tour": tour.evening,
    "cases": cases.evening,
    "disputes": disputes.evening,
    "reading": reading.evening,
    "players": players.evening,
    "announcing": announcing.evening,
    "club_night": club_night.evening,
    "tables": tables.evening,
}
