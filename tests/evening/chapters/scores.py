"""Score lines and histories of players, in every form, with every filter, page by page and as of earlier sequences."""

from tests.evening.book import CSV, NDJSON, Book

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
PARQUET = "application/vnd.apache.parquet"
FORMS = ("json", "ndjson", "csv", "xlsx", "parquet")

_FILTERS = ("tournament=swiss", "ruleset=canasta", "player=anna", "player=a-3", "club=lehrte", "player=nobody", "tournament=none")
_WRONG = ("cursor=x", "limit=0", "limit=1001", "format=pdf", "names=perhaps", "from=today", "as_of=-1", "player=", "colour=red")


def evening(book: Book) -> None:
    head = book.get("/v1/feed?limit=1")["head"]
    _forms(book, head)
    _filters(book, head)
    _tables(book)
    for player in ("anna", "a-1", "a-2", "z-2", "s-3", "p1", "nobody"):
        for query in ("", "?latest=2&limit=2", "?ruleset=casino&from=2026-11-21T18:30:00Z", "?tournament=cup", "?to=2001-01-01T00:00:00Z"):
            list(book.pages(f"/v1/players/{player}/scores{query}", "viewer"))
    for query in ("cursor=x", "latest=0", "limit=201", "format=html", "min_sequence=1"):
        book.get(f"/v1/players/anna/scores?{query}")
    game = book.get("/v1/games?tournament=swiss&limit=1")["items"][0]["id"]
    for language in ("en", "de"):
        book.get(f"/v1/games/{game}/score-sheet", accept="application/pdf", accept_language=language)
        book.get(f"/v1/games/{game}/score-sheet", "viewer", accept="text/html;q=0.5, application/pdf;q=0.4", accept_language=language)


def _forms(book: Book, head: int) -> None:
    for form in FORMS:
        for query in ("tournament=swiss", "tournament=swiss&names=true", f"tournament=swiss&as_of={head - 40}", "player=z-1&names=true"):
            for role in ("director", "viewer"):
                book.get(f"/v1/scores?{query}&format={form}", role)
        book.ask("viewer", "HEAD", f"/v1/scores?tournament=cup&format={form}")
        book.get(f"/v1/players/s-1/scores?format={form}", "viewer")
        book.get(f"/v1/players/s-1/scores?format={form}&names=true&tournament=swiss")
    for accept in (NDJSON, CSV, XLSX, PARQUET, "image/png", f"{XLSX};q=0.5, {CSV};q=0.6"):
        book.get("/v1/scores?tournament=cup", accept=accept)
        book.get("/v1/players/p1/scores?tournament=cup", accept=accept)


def _tables(book: Book) -> None:
    """What can be taken home besides score lines."""
    for path in (
        *("/v1/games?tournament=cup", "/v1/players?club=lehrte", "/v1/players?search=an", "/v1/tournaments?ruleset=casino"),
        *("/v1/results?tournament=swiss", "/v1/results?player=anna&names=true", "/v1/disputes?undecided=true", "/v1/disputes"),
        "/v1/tournaments/swiss/standings?explain=false",
    ):
        joined = "&" if "?" in path else "?"
        for role in ("director", "viewer"):
            for form in FORMS:
                book.get(f"{path}{joined}format={form}", role)
        for accept in (NDJSON, CSV, "image/png"):
            book.get(path, accept=accept)
        book.get(f"{path}{joined}format=pdf")
    for path in ("/v1/results?tournament=swiss", "/v1/disputes?state=ruled"):
        for page in book.pages(f"{path}&limit=3", "viewer"):
            book.get(f"{path}&format=csv&cursor={page['next']}", "viewer")
    for query in ("round=0", "from=today", "state=won", "undecided=perhaps", "cursor=x", "to=2001-01-01T00:00:00Z"):
        book.get(f"/v1/results?{query}")
        book.get(f"/v1/disputes?{query}")


def _filters(book: Book, head: int) -> None:
    for query in _FILTERS:
        list(book.pages(f"/v1/scores?{query}&limit=50"))
    for query in (
        f"changed_since={head - 60}&limit=500",
        f"as_of={head // 2}&limit=1000",
        "from=2026-11-21T20:00:00Z&limit=20",
        "to=2026-11-21T18:10:00Z",
    ):
        book.get(f"/v1/scores?{query}", "viewer")
    first = book.get("/v1/scores?limit=100")
    book.get("/v1/scores?limit=100", if_none_match=first.header("etag"))
    for query in (
        f"cursor={first['next']}&as_of=3",
        f"cursor={first['next']}&format=csv&tournament=swiss",
        f"cursor={first['next']}&limit=7",
        *_WRONG,
    ):
        book.get(f"/v1/scores?{query}")
