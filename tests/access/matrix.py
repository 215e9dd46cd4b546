"""The table of docs/access-matrix.md, and a caller for each of its columns."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct

from tests.api.conftest import Caller
from tests.api.web import OURS
from tests.evening.asgi import Headers
from tests.evening.book import Answer, Book

Cell: TypeAlias = Literal["all", "own", "public", "published", "listed", "met", "named", "status", "self", "scope", "–"]
ROLES = ("director", "recorder", "arbiter", "committee", "player", "viewer")
TABLE = Path(__file__).parents[2] / "docs" / "access-matrix.md"


class Row(Struct, frozen=True):
    """What is written of one route: by role in the scope, and beyond it."""

    inside: Mapping[str, Cell]
    beside: Cell
    elsewhere: Cell
    nobody: Cell


def rows() -> Mapping[str, Row]:
    lines = [line.strip("|").split("|") for line in TABLE.read_text(encoding="utf-8").splitlines() if line.startswith("|`")]
    return {route.strip("`"): Row(dict(zip(ROLES, cells[:6], strict=True)), *cells[6:]) for route, *cells in lines}  # pyrefly: ignore[bad-argument-type]


class Placed(Book):
    """A book whose games of no tournament are played at table 1 of ``tournament``."""

    def __init__(self, director: Caller, callers: Mapping[str, Caller], tournament: str) -> None:
        self._callers = callers
        self._tournament = tournament
        self._director = director
        super().__init__(self._asked, lambda number: None, lambda line: None)

    def ask(self, role: str, method: str, target: str, body: object = None, **headers: str) -> Answer:
        if target == "/v1/games" and method == "POST" and isinstance(body, dict) and "tournament" not in body:
            body = {**body, "tournament": self._tournament, "round": 1, "table": "1"}
        return super().ask(role, method, target, body, **headers)

    def _asked(self, method: str, target: str, headers: Headers, body: bytes) -> tuple[int, Headers, bytes]:
        named = {name: value for name, value in headers if name not in ("host", "authorization", "content-length")}
        named |= {name.lower(): value for name, value in OURS.items()} if "origin" in named else {}
        role = dict(headers).get("authorization", "").rpartition("_")[2]
        answer = self._callers[role].call(method, target, headers=named, content=body)
        return answer.status_code, list(answer.headers.items()), answer.content


def told(answer: object) -> object:
    """Status, kind and body: what must be equal where two callers get the same."""
    status, headers, body = answer.status_code, answer.headers, answer.content  # pyrefly: ignore[missing-attribute]
    if status >= 400:
        problem = json.loads(body)
        body = (problem["code"], problem.get("detail"))
    elif answer.request.url.path.endswith("/proof"):  # pyrefly: ignore[missing-attribute]
        body = {name: value for name, value in json.loads(body).items() if name != "receipt"}  # it is another one each time
    kept = headers.get("cache-control")
    if kept == "public, max-age=1":
        kept = "no-cache"  # what nobody in particular is told is the same, and may be kept by everybody for a second
    return status, headers.get("etag"), kept, headers.get("content-location"), body
