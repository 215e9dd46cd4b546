"""Requests that no careful client sends: tokens, addresses, headers, bodies and languages of all kinds."""

from typing import Any

from tests.evening.book import Book
from tests.evening.chapters.stages import dealt, trailing

_OPEN = '{"ruleset":"casino","seats":2}'
_BODIES: tuple[bytes, ...] = (
    b"",
    b"  \n",
    b'{"ruleset":',
    b"{} {}",
    b'{"ruleset":"casino","seats":2,}',
    b"\xef\xbb\xbf" + _OPEN.encode(),
    _OPEN.encode("utf-16"),
    b'{"ruleset":"\xc0\x80"}',
    b'{"ruleset":"\\ud83d"}',
    b'{"\\udc00":1}',
    b'{"ruleset":"casino","seats":2,"table":"\\u0000"}',
    b'{"ruleset":"cas\x01ino"}',
    b'{"ruleset":"casino","seats":NaN}',
    b'{"ruleset":"casino","seats":-Infinity}',
    b'{"ruleset":"casino","seats":2,"options":{"sweeps":true,"sweeps":false}}',
    b'{"ruleset":"casino","seats":2,"round":99999999999999999999}',
    b'{"ruleset":"casino","seats":2,"players":["",null]}',
    b'{"ruleset":"casino","seats":2,"happened_at":"0001-01-01T00:00:00+23:59"}',
    b'{"ruleset":"casino","seats":2,"happened_at":"2026-11-21T19:00:00"}',
    b'{"ruleset":"casino","seats":2,"happened_at":1700000000}',
    b"[" * 100_000 + b"]" * 100_000,
)
_ADDRESSES = (
    "/",
    "/v1",
    "/v1/",
    "/v1/games/",
    "/v1/games/x",
    "/v1/games//table",
    "/V1/games",
    "/favicon.ico",
    "/v1/players/a%2Fb",
    "/v1/players/%ff",
)
_TOKENS = ("", "Basic a2I6", "Bearer", "Bearer ", "bearer kb_secret_of_the_viewer", "Bearer kb_ü", "Bearer  kb_secret_of_the_viewer ")
_LANGUAGES = ("", "de", "de-CH", "en;q=0.1, de;q=0.2", "fr, de;q=0.1", "fr", "*", "de;q=0", "de;q=x", "DE", "en-US,en;q=0.9,de;q=0.8")
_ACCEPTED = (
    "",
    "application/json;q=0",
    "application/*",
    "text/html",
    "*/*;q=0",
    "application/x-ndjson;q=0.1,application/json;q=0.2",
    "x",
)
_MOVES: tuple[Any, ...] = (
    {"seat": 0},
    {"move": {}},
    {},
    {"seat": 0, "move": {}, "moves": []},
    {"moves": []},
    {"moves": {}},
    {"moves": [{"seat": 0, "move": {}, "by": "me"}]},
)
_REWINDS: tuple[Any, ...] = (
    {},
    {"to": "1"},
    {"to": 1.0},
    {"to": 1e300},
    {"to": -1},
    {"to": 1, "reason": 5},
    {"to": 1, "reason": "x" * 2001},
)
_IF_MATCH = ("*", '"2"', 'W/"2"', '"2.arbiter.json"', "2", '""', '"2", "3"', '"x"', '"1"', '"99999999999999999999"')


def evening(book: Book) -> None:
    for body in _BODIES:
        book.post("/v1/games", body)
    book.ask("director", "POST", "/v1/games", _OPEN, content_length="99999999")
    for type in ("application/JSON", "application/problem+json", "application/json; charset=latin-1", "", "multipart/form-data", "json"):
        book.ask("director", "POST", "/v1/games", _OPEN, content_type=type)
    for address in _ADDRESSES:
        for method in ("GET", "POST", "HEAD", "OPTIONS", "DELETE", "PATCH"):
            book.ask("director", method, address)
    _tokens_and_headers(book)
    _moves(book, f"/v1/games/{dealt(book)}")


def _tokens_and_headers(book: Book) -> None:
    for token in _TOKENS:
        for path in ("/v1/games?limit=1", "/health/ready", "/health/live", "/metrics"):
            book.get(path, "nobody", authorization=token)
    path = f"/v1/games/{dealt(book)}"
    for language in _LANGUAGES:
        book.ask("recorder", "POST", f"{path}/moves", trailing(0, "KC"), accept_language=language)
        book.get(f"{path}/replay", accept_language=language)
        book.get(f"{path}/score-sheet?format=html", accept_language=language)
    for position in _IF_MATCH:
        book.post(f"{path}/moves?dry_run=true", trailing(0, "QC"), if_match=position)
        book.post(f"{path}/moves", trailing(0, "KC"), if_match=position)
        book.post(f"{path}/notes", {"text": "x"}, if_match=position)
    for key in ("", "x" * 200, "x" * 201, "a b", "\t", "ä"):
        book.post(f"{path}/notes", {"text": "x"}, idempotency_key=key)
    for accept in _ACCEPTED:
        for what in ("/history", "/score-sheet", "/replay", "/table"):
            book.get(f"{path}{what}", accept=accept)


def _moves(book: Book, path: str) -> None:
    for body in _MOVES:
        book.post(f"{path}/moves", body)
    book.post(f"{path}/moves", {"moves": [trailing(0, "QC"), trailing(1, "QC")]})
    book.post(f"{path}/moves", {"moves": [trailing(0, "QC")] * 1001})
    for rewind in _REWINDS:
        book.post(f"{path}/rewinds", rewind)
