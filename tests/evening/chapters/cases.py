"""The worked cases of every game: played over HTTP and sent as records, and read in every way."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.evening.book import NDJSON, Book

FOLDER = Path(__file__).parents[2] / "cases"
WHOLE = ("16-whole", "18-hand", "whole-game-in-one", "hand-partners", "game-royal", "k10", "t12")
"""Those that are played move by move, each with If-Match."""

Case = dict[str, Any]


def cases(pattern: str = "*/*") -> list[Case]:
    return [json.loads(file.read_text(encoding="utf-8")) for file in sorted(FOLDER.glob(f"{pattern}.json"))]


def set_up_of(case: Case) -> dict[str, Any]:
    return {name: case[name] for name in ("ruleset", "options", "seats") if name in case}


def start_of(hand: dict[str, Any]) -> dict[str, Any]:
    return {name: hand[name] for name in ("dealer", "deck", "fill", "result") if name in hand}


def evening(book: Book) -> None:
    records = []
    for file in sorted(FOLDER.glob("*/*.json")):
        case = json.loads(file.read_text(encoding="utf-8"))
        game = played(book, case, singly=file.stem.startswith(WHOLE))
        if game is not None:
            read(book, game, case["seats"])
        book.post("/v1/records?dry_run=true", case, role="recorder")
        records.append(json.dumps(case))
    for language in ("en", "de"):
        lines = "\n".join((*records, "", "no json", '{"ruleset": "whist", "seats": 2, "hands": []}'))
        book.post("/v1/records?dry_run=true", lines, content_type=NDJSON, accept_language=language)
    for case in cases("*/*whole-game*"):
        book.post("/v1/records", {**case, "players": [f"c{seat}" for seat in range(case["seats"])]}, role="recorder")


def played(book: Book, case: Case, *, singly: bool) -> str | None:
    """The game, as far as the rules allow it; ``None`` where they refuse to open it. What follows a refused move is not sent."""
    opened = book.post("/v1/games", {**set_up_of(case), "openness": "hand_over"}, role="recorder")
    if opened.status != 201:
        return None
    path = f"/v1/games/{opened['game']}"
    for hand in case["hands"]:
        if "result" in hand:
            book.post(f"{path}/hands?dry_run=true", start_of(hand), accept_language="de")
        if book.post(f"{path}/hands", start_of(hand), role="recorder").status == 201:
            _play(book, path, hand.get("moves", []), singly)
    return str(opened["game"])


def _play(book: Book, path: str, moves: list[Any], singly: bool) -> None:
    if singly:
        for move in moves:
            book.post(f"{path}/moves?dry_run=true", move)
            book.post(f"{path}/moves", move, role="recorder", accept_language="de")
    elif moves and book.post(f"{path}/moves", {"moves": moves}, role="recorder").status != 201:
        if moves[:-1]:
            book.post(f"{path}/moves", {"moves": moves[:-1]}, role="recorder")
        book.post(f"{path}/legal-moves", moves[-1])
        book.post(f"{path}/legal-moves", moves[-1], accept_language="de")


def read(book: Book, game: str, seats: int) -> None:
    """One game, through all eyes and in all forms but those that take long to make."""
    for what in _reads(seats):
        book.get(f"/v1/games/{game}{what}")
    for what in ("", "/table", "/replay", "/history", "/record", "/score-sheet", "/legal-moves"):
        book.get(f"/v1/games/{game}{what}", "viewer", accept_language="de")


def _reads(seats: int) -> Iterator[str]:
    yield from ("/table", "/table?view=public", *(f"/table?view=seat:{seat}" for seat in range(seats)))
    yield from ("/legal-moves?limit=5", *(f"/legal-moves?limit=3&seat={seat}" for seat in range(seats)))
    yield from ("/replay?view=public", "/score-sheet", "/score-sheet?format=csv", "/record", "/record?full=true", "/audit")
