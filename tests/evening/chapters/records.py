"""Games out and in again: simple and full records, with and without words, changed ones, and lists of many."""

import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any
from urllib.parse import quote
from uuid import UUID

from tests.evening.book import NDJSON, Book
from tests.evening.chapters.stages import act, dealt, trailing

Change = Callable[[dict[str, Any]], object]


def evening(book: Book) -> None:
    game = _disputed(book)
    full = book.get(f"/v1/games/{game}/record?full=true&texts=true").json()
    simple = book.get(f"/v1/games/{game}/record").json()
    for role in ("director", "recorder", "viewer"):
        book.post("/v1/records", full, role)
        book.post("/v1/records", simple, role)
    _taken_over(book, full)
    _another_of_its_id(book, full["id"])
    for change in _CHANGES:
        changed = json.loads(json.dumps(full))
        change(changed)
        book.post("/v1/records?dry_run=true", changed)
        book.post("/v1/records", changed)
    for old, new in (('"edition": 1', '"edition": 9'), ('"ruleset": "casino"', '"ruleset": "whist"')):
        book.post("/v1/records", relinked(json.loads(json.dumps(full).replace(old, new))))
    _many(book, full, simple)
    _elsewhere(book)
    _in_lines(book)


def _disputed(book: Book) -> str:
    """A game in which a move was taken back, a note made, a dispute ruled and points adjusted."""
    game = dealt(book, options={"sweeps": True}, players=["p-1", None], openness="never")
    act(book, game, "moves", {**trailing(0, "QC"), "happened_at": "2026-01-02T03:04:05Z"}, "recorder")
    act(book, game, "rewinds", {"to": 2, "reason": "another card"}, "recorder")
    act(book, game, "moves", trailing(0, "4S"), "recorder")
    act(book, game, "notes", {"text": "„ä draught“"}, "arbiter")
    act(book, game, "disputes", {"position": 5, "claim": "he showed another one"}, "recorder")
    act(
        book,
        game,
        "rulings",
        {"dispute": 1, "decision": "adjust", "reason": "so be it", "adjustments": [{"party": 0, "points": -1}]},
        "arbiter",
    )
    return game


def _elsewhere(book: Book) -> None:
    """Results on paper that are called something elsewhere: once, again, and with another content."""
    hands = [{"dealer": 0, "result": {"points": [7, 4]}}, {"dealer": 1, "played_at": "1998-03-08", "result": {"points": [3, 2]}}]
    paper = {"ruleset": "casino", "seats": 2, "played_at": "1998-03-07", "ref": {"system": "archive", "id": "17"}, "hands": hands}
    for query in ("?dry_run=true", "", ""):
        for role in ("director", "recorder", "viewer"):
            book.post(f"/v1/records{query}", {**paper, "meta": {"sheet": "blue"}}, role)
    for changed in ({**paper, "hands": hands[:1]}, {**paper, "ref": "17"}, {**paper, "played_at": "yesterday"}):
        book.post("/v1/records", changed)
    book.get("/v1/games?ref_system=archive&ref_id=17")


def _in_lines(book: Book) -> None:
    """A hand in the notation, and lines that are none."""
    game = dealt(book)
    for line in ("", "q", "qc", "qc-", "9 x", "9x5-"):
        book.get(f"/v1/games/{game}/legal-moves?seat=0&text={quote(line)}")
        book.post(f"/v1/games/{game}/moves?dry_run=true", {"seat": 0, "text": line}, "recorder")
    book.get(f"/v1/games/{game}/legal-moves?seat=0&written=true&said=true")
    act(book, game, "moves", {"seat": 0, "text": "qc -"}, "recorder")
    record = {**book.get(f"/v1/games/{game}/record").json()}
    record["hands"][0]["moves"] = ["qc -"]
    book.post("/v1/records?dry_run=true", record)


def _another_of_its_id(book: Book, id: str) -> None:
    """What is here already adds nothing; another game of the same id is refused."""
    game = dealt(book)
    another = json.dumps(book.get(f"/v1/games/{game}/record?full=true").json()).replace(game, id)
    for query in ("", "?dry_run=true"):
        book.post(f"/v1/records{query}", relinked(json.loads(another)))


def _taken_over(book: Book, full: dict[str, Any]) -> None:
    """Under another id, with other ids of its words: as if it had been recorded elsewhere."""
    text = json.dumps(full)
    for number, id in enumerate((full["id"], *full["texts"])):
        text = text.replace(id, str(UUID(int=number + 1, version=4)))
    other = relinked(json.loads(text))
    book.post("/v1/records", other, "recorder")
    book.post("/v1/records?dry_run=true", other)
    for _ in range(2):
        book.post("/v1/records", other, idempotency_key="taken-over")
    book.post("/v1/records", other)
    for what in ("", "/table", "/history", "/disputes", "/notes", "/audit", "/record?full=true&texts=true"):
        book.get(f"/v1/games/{other['id']}{what}")


def relinked(record: dict[str, Any]) -> dict[str, Any]:
    """As one would do who changes a record and covers it up."""
    link = None
    for event in record["events"]:
        event["link"] = link
        stored = {key: value for key, value in event.items() if key not in ("position", "name")}
        link = sha256(json.dumps(stored, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()
    return record


_CHANGES: tuple[Change, ...] = (
    lambda record: record["events"][3].update(by="somebody else"),
    lambda record: record["events"][1].update(position=7),
    lambda record: record["events"][1].update(name="hand.dealt/9"),
    lambda record: record.update(events=[]),
    lambda record: record.update(events=[1]),
    lambda record: record.update(id="x"),
    lambda record: record.pop("id"),
    lambda record: record.pop("ruleset"),
    lambda record: record.update(format="kiebitz-record/9"),
    lambda record: record.update(players=["a"]),
    lambda record: record.update(players=["", None]),
    lambda record: record.update(colour="red"),
    lambda record: record["texts"].update({"another id": "words"}),
    lambda record: record["texts"].update({next(iter(record["texts"])): "other words"}),
    lambda record: record["texts"].update({next(iter(record["texts"])): 7}),
    lambda record: record["hands"][0]["moves"][0].update(seat=1),
)


def _many(book: Book, full: dict[str, Any], simple: dict[str, Any]) -> None:
    illegal = json.loads(json.dumps(simple))
    illegal["hands"][0]["moves"].append(trailing(1, "QC"))
    lines = [json.dumps(one) for one in (simple, full, illegal)]
    lines += [
        "",
        "no json",
        "[]",
        "{}",
        '{"ruleset": "casino", "seats": 9, "hands": []}',
        '{"ruleset": "whist", "seats": 2, "hands": []}',
        lines[0],
    ]
    for query in ("?dry_run=true", ""):
        for language in ("en", "de"):
            book.ask("director", "POST", f"/v1/records{query}", "\n".join(lines), content_type=NDJSON, accept_language=language)
    for _ in range(2):
        book.ask("recorder", "POST", "/v1/records", lines[0], content_type=NDJSON, idempotency_key="many")
    book.ask("recorder", "POST", "/v1/records", lines[1], content_type=NDJSON)
    book.ask("recorder", "POST", "/v1/records", illegal, content_type=NDJSON, idempotency_key="many")
    book.post("/v1/records", illegal)
    book.post("/v1/records", "x", content_type="text/csv")
