"""The morning after: the same store opened anew, so that everything is read from it, and viewers may ask three times only."""

import re

from tests.evening.book import NDJSON, Book
from tests.evening.chapters.operations import READS, WRITES
from tests.evening.chapters.stages import trailing
from tests.evening.chapters.tour import NOWHERE

_ID = re.compile(r"\{[a-z]+\}")


def evening(book: Book) -> None:
    """Needs a service that limits viewers."""
    for target in ("/v1/games?limit=1", "/v1/rulesets", "/metrics", "/v1/games?limit=1", "/v1/feed", "/health/ready", "/health/live"):
        book.get(target, "viewer")
    for request in (*READS, *WRITES):
        book.ask("viewer", request.method, _ID.sub(NOWHERE, request.target), request.body)
    games = [game for page in book.pages("/v1/games?limit=200") for game in page["items"]]
    for game in games[::7]:
        for what in ("", "/table", "/legal-moves?limit=2", "/score-sheet", "/disputes", "/history?limit=3"):
            book.get(f"/v1/games/{game['id']}{what}")
    longest = max(games, key=lambda game: game["position"])["id"]
    for what in ("/table?position=130", "/table?at=2026-11-21T19:30:00Z", "/replay?hand=2&limit=20", "/audit", "/record?full=true"):
        book.get(f"/v1/games/{longest}{what}")
    for path in ("/v1/tournaments/swiss", "/v1/tournaments/cup", "/v1/tournaments/whist"):
        for what in ("", "/entries", "/rounds", "/prizes", "/standings", "/standings/diff?old=round:1", "/history?limit=5"):
            book.get(f"{path}{what}")
    for what in ("players?limit=200", "clubs", "tournaments", "rulings", "scores?tournament=swiss&format=ndjson", "players/a-1/data"):
        book.get(f"/v1/{what}")
    book.get("/v1/feed", accept=NDJSON)
    _repeated(book)


def _repeated(book: Book) -> None:
    """What was sent yesterday is answered as yesterday, and play goes on."""
    book.post("/v1/tournaments/tables/unpairing", {"reason": "two more came"}, idempotency_key="unpaired")
    book.ask("recorder", "POST", "/v1/players", "name,id\nJon,k-1\n", content_type="text/csv", idempotency_key="members")
    game = book.did("/v1/games", {"ruleset": "casino", "seats": 2}, "recorder")["game"]
    book.did(f"/v1/games/{game}/hands", {"dealer": 1}, "recorder")
    book.post(f"/v1/games/{game}/moves", trailing(0, "QC"), "recorder")
    book.get(f"/v1/games/{game}/table")
