"""The feed of all that was recorded, and what tells how the service is."""

from tests.evening.book import NDJSON, Book

_NAMES = ("game.opened", "move.played/1", "dispute.ruled", "round.paired", "player.merged", "entry.accepted/1", "move.played/9", "nonsense")


def evening(book: Book) -> None:
    head = book.get("/v1/feed?limit=1000")["head"]
    for role in ("viewer", "director"):
        for query in (
            "limit=7&after=20",
            f"after={head - 3}",
            f"after={head}",
            f"after={head - 9}&as_of={head - 4}",
            f"as_of={head}&min_sequence={head}&limit=1",
        ):
            book.get(f"/v1/feed?{query}", role)
    for kind in ("game", "player", "tournament", "club"):
        book.get(f"/v1/feed?kind={kind}&limit=20")
        book.get(f"/v1/feed?kind={kind}&after={head - 200}", accept=NDJSON)
    for name in _NAMES:
        book.get(f"/v1/feed?name={name}&limit=5")
    games = {one["id"]: one for one in book.get("/v1/games?limit=40")["items"]}
    of_club = next(one for one in games.values() if one["tournament"])
    for filter in (f"game={of_club['id']}", f"tournament={of_club['tournament']}&limit=20", "tournament=nowhere", "game=nonsense"):
        book.get(f"/v1/feed?{filter}", "viewer")
        book.get(f"/v1/feed?{filter}&kind=game&after=20", accept=NDJSON)
    for answer in (book.get("/v1/feed?limit=30&kind=player"), book.get("/v1/feed?limit=400&name=note.added")):
        book.get(answer.following or "/v1/feed")
    for query in (
        "wait=0",
        f"after={head}&wait=0",
        f"after={head}&wait=1",
        "wait=31",
        "after=-1",
        "limit=0",
        "after=9&as_of=3",
        f"after={head - 30}&wait=5",
    ):
        book.get(f"/v1/feed?{query}", "viewer")
    book.get("/v1/feed", accept="text/csv")
    book.get("/v1/feed", kiebitz_epoch="of another store")
    book.get(f"/v1/feed?after={head - 50}", accept=NDJSON)
    book.get(f"/v1/feed?after={head - 9}&as_of={head}", accept="text/event-stream")
    book.ask("viewer", "HEAD", "/v1/feed", accept=NDJSON)
    book.get(f"/v1/feed?min_sequence={head + 1}")
    for role in ("nobody", "director"):
        book.get("/health/ready", role)
    for place in ("0/999", "entries/999", "0/nonsense"):
        book.get(f"/v1/log/tile/{place}")
    book.get("/metrics")
