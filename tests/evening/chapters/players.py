"""The directory: members one by one and as lists, names, clubs, mergers, erasures, and all that is known of a person."""

from typing import Any
from urllib.parse import quote

from tests.evening.book import CSV, NDJSON, Book
from tests.evening.chapters.stages import announced, entered, game, player, scored

_LISTS = (
    "name,id,alias,club\nZoë Überall,m-1,Uhu,celle\nÁlvaro,m-2,,celle\nÁlvaro,m-2,,\n,m-3,,\n",
    "id;name\nm-4;Emil\nm-1;Zoë\n",
    "name\nFinn\nGita\n",
    "name,colour\nx,red\n",
    "id\nm-5\n",
    'name\n"open\n',
    b"name\n\xff\n",
    "",
)
_LINES = """{"id": "n-1", "name": "Hugo"}

{"id": "n-1", "name": "Hugo"}
no json
{"id": "a/b", "name": "x"}
{"name": ""}
{"name": "Ida", "club": "celle"}
"""
_WRONG: tuple[dict[str, Any], ...] = (
    {},
    {"name": " \t"},
    {"name": "Anna\nMüller"},
    {"name": "Anna", "alias": ""},
    {"name": "Anna", "id": "a/b"},
    {"name": "Anna", "id": "x" * 101},
    {"name": "Anna", "e-mail": "a@b.c"},
    {"name": 7},
)
_IDS = ("GER 1017", "Müller?3#1", "100%", "Ä;ö,&=+", "日本")


def evening(book: Book) -> None:
    for wrong in _WRONG:
        book.post("/v1/players", wrong, "recorder")
    for id in _IDS:
        book.post("/v1/players", {"id": id, "name": "Cora", "alias": f"={id}"}, "recorder")
        book.get(f"/v1/players/{quote(id, safe='')}", "viewer")
    _member_lists(book)
    _one_person(book)
    _searches(book)
    _erased(book)


def _member_lists(book: Book) -> None:
    for kind, lists in ((CSV, _LISTS), (NDJSON, (_LINES, ""))):
        for one in lists:
            for query in ("?dry_run=true", "", ""):
                book.ask("recorder", "POST", f"/v1/players{query}", one, content_type=kind)
    book.ask("recorder", "POST", "/v1/players", "name\n" + "x" * 300 + "\n", content_type=CSV, accept_language="de")
    for _ in range(2):
        book.ask("recorder", "POST", "/v1/players", "name,id\nJon,k-1\n", content_type=CSV, idempotency_key="members")
    book.ask("recorder", "POST", "/v1/players", "name,id\nJan,k-1\n", content_type=CSV, idempotency_key="members")
    book.post("/v1/players?dry_run=true", {"name": "Anna"}, "recorder")


def _one_person(book: Book) -> None:
    """Anna plays under two ids, changes clubs and names, is merged and separated."""
    one, two, three = (
        player(book, id, f"Anna {id}", alias=alias, club="lehrte") for id, alias in (("a-1", "Falke"), ("a-2", None), ("a-3", "Uhu"))
    )
    for id in (one, two):
        scored(book, game(book, players=[id, "bert"], table="3"), 21, 8)
    entered_as = announced(book, "annas", title="Annas")
    for id in (one, two):
        book.post(f"{entered_as}/entries", {"players": [id]}, "recorder")
    acts: tuple[tuple[str, str, Any], ...] = (
        (one, "name", {"name": "Anna Meier", "alias": "Falke"}),
        (one, "name", {"name": ""}),
        (one, "transfer", {"club": "peine"}),
        (one, "transfer", {"club": "peine"}),
        (one, "transfer", {"club": None}),
        (one, "merger", {"into": one}),
        (one, "merger", {"into": "nobody"}),
        (one, "merger", {"into": two}),
        (one, "merger", {"into": three}),
        (two, "merger", {"into": one}),
        (one, "transfer", {"club": "celle"}),
        (one, "name", {"name": "A. Meier"}),
        (one, "erasure", {"confirm": one}),
        (two, "merger", {"into": three}),
        (three, "separation", {}),
    )
    for id, way, body in acts:
        book.post(f"/v1/players/{id}/{way}", body)
        book.get(f"/v1/players/{id}")
    _all_of(book, one, two, three)
    book.post(f"{entered_as}/entries", {"players": [three]}, "recorder")
    book.post(f"{entered_as}/entries", {"players": [two]}, "recorder")
    book.post(f"{entered_as}/rounds", {"tables": [{"parties": [[1], [2]]}]})
    book.post(f"{entered_as}/rounds?dry_run=true", {"tables": [{"parties": [[1], [2]]}]}, accept_language="de")
    book.post(f"/v1/players/{two}/separation", {}, if_match='"1"')
    book.post(f"/v1/players/{two}/separation", {})
    _all_of(book, one, two, three)


def _all_of(book: Book, *ids: str) -> None:
    for id in ids:
        for role in ("director", "viewer"):
            for what in ("", "/data", "/scores", "/scores?format=csv&names=true"):
                book.get(f"/v1/players/{id}{what}", role)


def _searches(book: Book) -> None:
    words = ("anna", "UEBER", "zoe", "alvaro", "falke", "m-1", "a", "%25", "", "Anna%20Me", "ger")
    for role in ("recorder", "viewer"):
        for word in words:
            list(book.pages(f"/v1/players?search={word}&limit=2", role))
        for query in ("club=celle", "merged=true", "merged=false&limit=3", "erased=true", "club=celle&search=z", "limit=4"):
            list(book.pages(f"/v1/players?{query}", role))
        list(book.pages("/v1/clubs?limit=2", role))
    for query in ("cursor=x", "cursor=%C3%A4", "limit=0", "name=anna", "min_sequence=1", "min_sequence=-1", "search=a&cursor=x"):
        book.get(f"/v1/players?{query}")
    book.get("/v1/clubs?cursor=x")


def _erased(book: Book) -> None:
    for id in ("z-1", "z-2"):
        player(book, id, "Wilhelmine Zwetschkenbaum", alias="Pflaumentoffel", club="lehrte")
    played = game(book, players=["z-1", "z-2"])
    scored(book, played, 5, 3)
    book.did("/v1/players/z-2/merger", {"into": "z-1", "force": True})
    path = announced(book, "plum", title="Pflaumen")
    entered(book, path, 2)
    book.post("/v1/players/nobody/erasure", {"confirm": "nobody"})
    for body in ({"confirm": "Z-1"}, {}, {"confirm": "z-1"}, {"confirm": "z-1"}):
        book.post("/v1/players/z-1/erasure", body, idempotency_key=f"erase-{body.get('confirm')}")
    _all_of(book, "z-1", "z-2")
    for way, body in (("name", {"name": "x"}), ("transfer", {"club": "x"}), ("merger", {"into": "a-1"}), ("separation", {})):
        book.post(f"/v1/players/z-2/{way}", body)
    book.post("/v1/players", {"id": "z-1", "name": "Wilhelmine"}, "recorder")
    for what in ("", "/score-sheet?format=html", "/score-sheet?format=csv", "/history", "/record"):
        book.get(f"/v1/games/{played}{what}")
    book.get("/v1/players?search=zwetschkenbaum")
