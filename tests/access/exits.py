"""Every way out of the service by which something of a game could be told."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from tests.access.house import LEAGUE, SPRING, Evening
from tests.evening.book import below, split_method
from tests.evening.chapters.operations import READS

NDJSON = "application/x-ndjson"


class Exit(NamedTuple):
    method: str
    target: str
    body: object = None
    headers: dict[str, str] = {}  # noqa: RUF012

    def __str__(self) -> str:
        return f"{self.method} {self.target} {self.headers or ''}{self.body or ''}"


def exits(evening: Evening) -> Iterator[Exit]:
    """Those of the games of an evening, at several positions, in all forms; nothing is recorded by any of them."""
    names = {"game": evening.game, "tournament": SPRING, "series": LEAGUE, "player": "p10", "number": "1"}
    for read in READS:
        # Of the service itself, of tokens and of browsers no exit tells of a game.
        if not read.target.startswith(_OF_THE_HOUSE):
            yield Exit("GET", read.target.format_map(names))
    for game in (evening.game, evening.other):
        yield from _of_a_game(f"/v1/games/{game}", evening)
    for listed in ("games", "results", "scores", "disputes", "rulings", "feed", "tables/hands", "tables/moves", "tables/standings"):
        yield Exit("GET", f"/v1/{listed}?tournament={SPRING}") if listed != "feed" else Exit("GET", "/v1/feed", None, {"accept": NDJSON})
        yield Exit("GET", f"/v1/{listed}", None, {"accept": "text/csv"})
    for filter in (f"tournament={SPRING}", f"game={evening.game}", f"game={evening.other}&tournament={SPRING}"):
        yield Exit("GET", f"/v1/feed?{filter}")
    for what in ("checkpoint", "keys", "consistency?from=2", "tile/0/000.p/9", "tile/entries/000.p/9"):
        yield Exit("GET", f"/v1/log/{what}")
    yield Exit("GET", "/v1/tables/moves?lines=true", None, {"accept": NDJSON})
    yield Exit("GET", "/v1/feed?as_of=5", None, {"accept": "text/event-stream"})
    yield Exit("GET", f"/v1/tournaments/{SPRING}/stream?after=0&follow=false")
    yield _as_topic(f"/v1/tournaments/{SPRING}/stream?follow=false")


def _as_topic(stream: str) -> Exit:
    return Exit("POST", "/v1/streams", {"topics": [{"topic": "followed", "stream": stream, "last_event_id": 1}]})


def _of_a_game(game: str, evening: Evening) -> Iterator[Exit]:
    for what in _PLAIN:
        yield Exit("GET", f"{game}{what}")
        yield Exit("GET", f"{game}{what}", None, {"accept-language": "de"})
    for what in ("/history", "/replay"):
        yield Exit("GET", f"{game}{what}", None, {"accept": NDJSON})
    yield Exit("GET", f"{game}/stream?follow=false", None, {"accept-language": "de", "last-event-id": "2"})
    for view in ("public", "arbiter", *(f"seat:{seat}" for seat in range(evening.seats))):
        yield Exit("GET", f"{game}/table?view={view}")
        yield Exit("GET", f"{game}/replay?view={view}&limit=1000")
        yield Exit("GET", f"{game}/replay?view={view}&limit=1000&tables=false&names=true")
        yield Exit("GET", f"{game}/stream?view={view}&follow=false")
        yield _as_topic(f"{game}/stream?view={view}&follow=false&names=true")
    for view in ("public", "full", *(f"seat:{seat}" for seat in range(evening.seats))):
        yield Exit("GET", f"{game}/proof?view={view}")
        yield Exit("GET", f"{game}/proof?view={view}&position={evening.end // 2}")
    for position in range(1, evening.end + 1):
        yield Exit("GET", f"{game}/table?position={position}")
    for seat in range(evening.seats):
        yield Exit("GET", f"{game}/legal-moves?seat={seat}")
        yield Exit("GET", f"{game}/legal-moves?seat={seat}&effects=true&written=true&said=true")
        yield Exit("GET", f"{game}/legal-moves?seat={seat}&position={evening.end // 2}")
    yield from _tried(game, evening)


def _tried(game: str, evening: Evening) -> Iterator[Exit]:
    for position, made in evening.moves:
        for view in ({}, {"view": f"seat:{made['seat']}"}):
            yield Exit("POST", f"{game}/branches", {"position": position, "moves": [made], **view})
        yield Exit("POST", f"{game}/legal-moves", {**made, "position": position})
        yield Exit("POST", f"{game}/moves?dry_run=true", made)
    yield Exit("POST", f"{game}/reconciliation", {"hands": [{"points": [0] * evening.parties}]})
    for what, body in _TRIED:
        method, target = split_method(below(game, what))
        yield Exit(method, f"{target}?dry_run=true", body)


_OF_THE_HOUSE = (
    *("/health", "/metrics", "/v1/tokens", "/v1/webhooks", "/v1/sessions", "/v1/codes"),
    *("/assets", "/in", "/docs", "/openapi.json"),
)
_PLAIN = (
    *("", "/table", "/history", "/replay", "/score-sheet", "/disputes", "/legal-moves", "/record", "/audit", "/notes", "/rewinds"),
    *("/score-sheet?format=csv", "/score-sheet?format=html", "/record?full=true", "/record?full=true&texts=true"),
)
_TRIED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("disputes", {"claim": "x", "position": 2}),
    ("PUT suspension", {"reason": "x"}),
    ("rewinds", {"to": 2}),
    ("abandonment", {"reason": "x"}),
    ("stoppage", {"reason": "time is up"}),
    ("hands", {"dealer": 0}),
)
