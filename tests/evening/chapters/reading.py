"""A long game and its past: positions, moments, eyes, pages forwards and backwards, what-if; and games of every openness."""

from collections.abc import Iterator

from tests.evening.book import NDJSON, Book
from tests.evening.chapters.cases import Case, cases, set_up_of, start_of
from tests.evening.chapters.stages import dealt, trailing

_WRONG_READS = (
    "table?position=0",
    "table?position=9999",
    "table?position=3&at=2026-11-21T19:00:00Z",
    "table?at=yesterday",
    "table?at=2001-01-01T00:00:00Z",
    "table?view=seat:9",
    "table?view=seat:99x",
    "table?view=everybody",
    "table?position=3&position=4",
    "replay?after=3&before=9",
    "replay?limit=0",
    "replay?limit=1001",
    "replay?hand=9",
    "replay?seat=64",
    "replay?first=9&last=3",
    "replay?tables=maybe",
    "replay?view=seat:3",
    "history?after=-1",
    "history?after=99999",
    "legal-moves?seat=9",
    "legal-moves?position=9999",
    "legal-moves?cursor=x",
    "legal-moves?cursor=3.0.0&position=4",
    "score-sheet?position=9999",
    "score-sheet?format=xlsx",
    "record?texts=true",
    "nonsense",
)


def evening(book: Book) -> None:
    [case] = cases("casino/game-two-players-classic")
    path = _played(book, case)
    last = book.get(path)["position"]
    for where in _positions(last):
        for role, view in (
            ("director", ""),
            ("director", "&view=public"),
            ("director", "&view=seat:1"),
            ("viewer", ""),
            ("viewer", "&view=arbiter"),
        ):
            book.get(f"{path}/table?{where}{view}", role)
    for position in (1, 2, 9, 63, 64, 65, last):
        book.get(f"{path}/score-sheet?position={position}")
        book.get(f"{path}/legal-moves?position={position}&limit=3")
        book.get(
            f"{path}/table?position={position}",
            "viewer",
            if_none_match=book.get(f"{path}/table?position={position}", "viewer").header("etag"),
        )
    for query in ("limit=40", "hand=2&limit=30", "seat=1&limit=25&view=public", "from=60&to=70&limit=4", "after=100&limit=50&view=seat:0"):
        for language in ("en", "de"):
            list(book.pages(f"{path}/replay?{query}", accept_language=language))
    for query in (
        f"before={last + 1}&limit=20",
        "before=40&limit=15",
        "before=1",
        "before=30&hand=1&limit=100",
        "after=9999",
        "before=9999",
        "tables=false&limit=70",
        "tables=false&after=60&limit=20",
        "tables=false&before=30&names=true",
        "tables=false&seat=1&limit=9",
        f"tables=false&after={last}",
    ):
        book.get(f"{path}/replay?{query}", "viewer")
    for query in ("", "?hand=3", "?after=140&view=public", "?tables=false&hand=2"):
        book.get(f"{path}/replay{query}", accept=NDJSON)
        book.ask("viewer", "HEAD", f"{path}/replay{query}", accept=NDJSON)
    list(book.pages(f"{path}/history?limit=60", "viewer"))
    book.get(f"{path}/history?after=100", accept=NDJSON)
    list(book.pages(f"{path}/legal-moves?position=5&limit=1"))
    for what in _WRONG_READS:
        book.get(f"{path}/{what}")
    _what_if(book, path)
    _openness(book)
    _lists(book)


def _played(book: Book, case: Case) -> str:
    wanted = {**set_up_of(case), "players": ["anna", "bert"], "openness": "hand_over", "table": "7"}
    path = f"/v1/games/{book.did('/v1/games', wanted, 'recorder')['game']}"
    for hand in case["hands"]:
        book.did(f"{path}/hands", start_of(hand), "recorder")
        for start in range(0, len(hand["moves"]), 12):
            book.did(f"{path}/moves", {"moves": hand["moves"][start : start + 12]}, "recorder")
    return path


def _positions(last: int) -> Iterator[str]:
    yield from (f"position={position}" for position in (1, 2, 3, 50, 63, 64, 65, 100, 128, 129, last - 1, last))
    yield from (f"at=2026-11-21T{time}" for time in ("18:00:00Z", "19:30:00Z", "23:00:00%2B01:00", "20:10:00.5Z"))
    yield "at=2027-01-01T00:00:00Z"


def _what_if(book: Book, path: str) -> None:
    move = book.get(f"{path}/legal-moves?position=5&limit=2").json()
    lines = [{"seat": move["seat"], "move": one} for one in move["moves"]]
    for role in ("director", "viewer"):
        for view in ("arbiter", "public", f"seat:{move['seat']}"):
            for language in ("en", "de"):
                book.post(
                    f"{path}/branches", {"position": 5, "moves": [*lines, trailing(0, "XX")], "view": view}, role, accept_language=language
                )
            book.post(f"{path}/branches", {"position": 5, "moves": lines[:1], "view": view}, role)
    fresh = f"/v1/games/{dealt(book)}"
    own, others = trailing(0, "QC"), trailing(1, "QC")
    for moves in ([own], [others], [own, trailing(1, "8H")]):
        for role in ("viewer", "director"):
            book.post(f"{fresh}/branches", {"position": 2, "moves": moves, "view": "seat:0"}, role)
    book.post(f"{fresh}/hands", {"dealer": 1, "fill": "sorted"})
    book.post(f"{fresh}/branches", {"position": 99, "moves": [trailing(0, "QC")]})
    for position in (None, 2, 1, 99):
        book.post(
            f"{fresh}/legal-moves", {**trailing(0, "KC"), **({"position": position} if position else {})}, "arbiter", accept_language="de"
        )


def _openness(book: Book) -> None:
    [case] = cases("casino/hand-two-players-classic")
    hand = case["hands"][0]
    for openness in ("hand_over", "game_over", "never"):
        path = f"/v1/games/{book.did('/v1/games', {**set_up_of(case), 'openness': openness, 'options': {'target': 100}})['game']}"
        book.did(f"{path}/hands", start_of(hand))
        book.did(f"{path}/moves", {"moves": hand["moves"][:20]})
        _as_a_viewer(book, path)
        book.did(f"{path}/moves", {"moves": hand["moves"][20:]})
        _as_a_viewer(book, path)
        book.did(f"{path}/hands", {"dealer": 1 - hand["dealer"]})
        _as_a_viewer(book, path)
        book.did(f"{path}/abandonment", {})
        _as_a_viewer(book, path)


def _as_a_viewer(book: Book, path: str) -> None:
    for what in (
        "table",
        "table?position=5",
        "table?position=5&view=seat:0",
        "replay?limit=9",
        "replay?limit=3&view=arbiter",
        "history?limit=9",
    ):
        book.get(f"{path}/{what}", "viewer")
    for what in ("legal-moves", "record", "record?full=true", "audit", "score-sheet", "notes"):
        book.get(f"{path}/{what}", "viewer")


def _lists(book: Book) -> None:
    for query in (
        "limit=60",
        "ruleset=cascades&limit=9",
        "finished=true&limit=50",
        "state=annulled",
        "player=anna&limit=20",
        "phase=play&limit=30",
    ):
        list(book.pages(f"/v1/games?{query}", "viewer"))
    wrong = (
        "cursor=x",
        "limit=0",
        "limit=201",
        "finished=perhaps",
        "state=shut",
        "opened_from=today",
        "a=%ff",
        "&".join(["player=x"] * 51),
    )
    for query in (*wrong, "table=7", "opened_to=2026-11-21T18:30:00Z&limit=2", "opened_from=2026-11-21T18:30:00Z&limit=2"):
        book.get(f"/v1/games?{query}")
    book.get("/v1/games?min_sequence=1")
    book.get("/v1/games?min_sequence=9999999")
