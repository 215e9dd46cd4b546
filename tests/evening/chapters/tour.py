"""Every operation, asked by everybody; and in all the ways in which a request can be wrong."""

import json
from collections.abc import Callable
from typing import Any

from tests.evening.book import EVERYBODY, Answer, Book
from tests.evening.chapters.operations import READS, WRITES, Request
from tests.evening.chapters.stages import STAGES, Names

_UNKNOWN = ("{game}", "{player}", "{tournament}")
NOWHERE = "00000000-0000-4000-8000-000000000000"


def description(book: Book) -> None:
    """What the service says of itself: what an evening is held against."""
    for target in ("/openapi.json", "/docs"):
        book.get(target, "nobody")


def evening(book: Book) -> None:
    for read in READS:
        _read(book, read)
    for write in WRITES:
        _by_everybody(book, write)
        _wrongly(book, write)
        _twice(book, write)


def short(book: Book) -> None:
    """A sample of the operations, asked by the director and by another of everybody in turn; and in wrong ways at a few that write."""
    for number, request in enumerate((*READS[::5], *WRITES[::5])):
        target, body = filled(request, STAGES[request.stage](book))
        language = "de" if number % 2 else "en"
        for role in (EVERYBODY[number % len(EVERYBODY)], EVERYBODY[-1]):
            book.ask(role, request.method, target, None if request in READS else body, accept_language=language)
    for write in WRITES[::40]:
        _wrongly(book, write)
        _twice(book, write)


def _read(book: Book, read: Request) -> None:
    target, _ = filled(read, STAGES[read.stage](book))
    etag = None
    for role in EVERYBODY:
        etag = book.get(target, role).header("etag")
        book.get(target, role, accept_language="de;q=0.9, en;q=0.1")
    for method in ("HEAD", "OPTIONS", "PUT", "DELETE"):
        book.ask("director", method, target)
    book.get(target, if_none_match=etag or '"none"')
    book.get(target, if_none_match=f'"x", W/{etag}')
    book.get(f"{target}{'&' if '?' in target else '?'}nonsense=1")
    for unknown in _UNKNOWN:
        if unknown in read.target:
            book.get(read.target.replace(unknown, NOWHERE))
    for accept in ("image/png", "text/html;q=0.9, application/json;q=0.1", "text/csv", "*/*;q=0.1"):
        book.get(target, accept=accept)


def _by_everybody(book: Book, write: Request) -> None:
    """On a stage of its own whenever the one before has changed it."""
    names: Names = {}
    for role in EVERYBODY:
        names = names or STAGES[write.stage](book)
        if _sent(book, write, names, role).status < 300:
            names = {}


def _wrongly(book: Book, write: Request) -> None:
    target, body = filled(write, STAGES[write.stage](book))
    send = _sender(book, write)
    for method in ("OPTIONS", "PUT"):
        book.ask("director", method, target)
    for query in ("nonsense=1", "dry_run=maybe", "dry_run=true&dry_run=true", "dry_run=true"):
        send(f"{target}?{query}", body)
    for raw in (b"", b"{", b"[]", b"null", b'{"nonsense": 1}', b'{"a": 1, "a": 2}', b'{"a": "\\u0000"}', b"\xff"):
        send(target, raw)
    send(target, "x", content_type="text/plain")
    send(target, body, content_length="99999999")
    send(f"{target}?nonsense=1", body, accept_language="de")
    send(target, body, content_type="application/json; charset=utf-8", if_match='"0"')
    send(target, body, if_match='"77"')
    send(target, body, if_match="77")
    send(target, body, idempotency_key="ü")
    for unknown in _UNKNOWN:
        if unknown in write.target:
            send(write.target.replace(unknown, NOWHERE), body)
            send(write.target.replace(unknown, "no%20such"), body)


def _sender(book: Book, write: Request) -> Callable[..., Answer]:
    def send(target: str, body: object = None, **headers: str) -> Answer:
        return book.ask("director", write.method, target, {} if body is None else body, **headers)

    return send


def _twice(book: Book, write: Request) -> None:
    """Under one key: what was done is answered again, and not done again."""
    target, body = filled(write, STAGES[write.stage](book))
    send = _sender(book, write)
    key, by_now = f"key-{book.number}", _position(book, target)
    for _ in range(2):
        send(target, body, idempotency_key=key, **({"if_match": by_now} if by_now else {}))
    if isinstance(body, dict):
        send(target, {**body, "happened_at": "2026-11-20T19:00:00+01:00"}, idempotency_key=key)


def _position(book: Book, target: str) -> str:
    """The position of what a request is about, as its ETag tells it; empty where there is none yet."""
    parts = target.split("/")
    return book.get("/".join(parts[:4])).header("etag") if len(parts) > 4 else ""


def _sent(book: Book, write: Request, names: Names, role: str) -> Answer:
    target, body = filled(write, names)
    return book.ask(role, write.method, target, body)


def filled(request: Request, names: Names) -> tuple[str, Any]:
    """Target and body with the names of the stage."""
    target, body = request.target, json.dumps(request.body)
    for name, value in names.items():
        target, body = target.replace(f"{{{name}}}", value), body.replace(f"{{{name}}}", value)
    return target, json.loads(body)
