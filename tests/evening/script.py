"""The evening, chapter by chapter."""

from collections.abc import Callable, Mapping

from tests.evening.book import Book
from tests.evening.chapters import (
    access,
    announcing,
    cases,
    club_night,
    disputes,
    feed,
    fouls,
    morning,
    play,
    players,
    reading,
    records,
    scores,
    strictness,
    tables,
    tour,
)

Chapter = Callable[[Book], None]

CHAPTERS: Mapping[str, Chapter] = {
    "description": tour.description,
    "tour": tour.evening,
    "cases": cases.evening,
    "play": play.evening,
    "fouls": fouls.evening,
    "reading": reading.evening,
    "disputes": disputes.evening,
    "players": players.evening,
    "announcing": announcing.evening,
    "club_night": club_night.evening,
    "tables": tables.evening,
    "records": records.evening,
    "scores": scores.evening,
    "feed": feed.evening,
    "strictness": strictness.evening,
    "access": access.evening,
}
SHORT: Mapping[str, Chapter] = {"description": tour.description, "short": tour.short}
"""A sample, asked by everybody."""
MORNING: Chapter = morning.evening
"""After the service was started anew."""
