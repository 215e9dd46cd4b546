"""The book of an evening: who asked what, and what was answered, line by line."""

import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from tests.evening.asgi import Headers

ROLES = ("viewer", "committee", "arbiter", "recorder", "director")
EVERYBODY = ("nobody", "stranger", "butler", *ROLES)
"""Without a token, with one that is not known, with one for a role that means nothing, and all roles; who may do most comes last."""

JSON = "application/json"
NDJSON = "application/x-ndjson"
CSV = "text/csv"

Ask: TypeAlias = Callable[[str, str, Headers, bytes], tuple[int, Headers, bytes]]
"""Method, target, headers and body; answers status, headers and body."""


def split_method(what: str) -> tuple[str, str]:
    """Return the method that stands before a path, else POST, and the path."""
    method, _, path = what.partition(" ")
    return (method, path) if method in ("POST", "PUT", "DELETE") else ("POST", what)


def below(place: str, what: str) -> str:
    """Return the path of an act below a place, with the method that stands before the act: ``PUT suspension``."""
    method, path = split_method(what)
    return f"{method} {place}/{path}"


def secret_of(role: str) -> str:
    return f"kb_secret_of_the_{role}"


class Answer:
    def __init__(self, status: int, headers: Headers, body: bytes) -> None:
        self.status = status
        self.headers = headers
        self.body = body

    def header(self, name: str) -> str:
        """Empty if there is none."""
        return next((value for known, value in self.headers if known.lower() == name), "")

    def json(self) -> Any:
        return json.loads(self.body)

    def __getitem__(self, key: str) -> Any:
        return self.json()[key]

    @property
    def following(self) -> str:
        """Where ``Link`` leads on; empty on the last page."""
        return next((link.strip()[1:].partition(">")[0] for link in self.header("link").split(", ") if 'rel="next"' in link), "")


class Book:
    """Asks, writes down and answers. What the rules refuse is asked once more in German, because it has a sentence."""

    def __init__(self, ask: Ask, turn: Callable[[int], None], keep: Callable[[dict[str, Any]], object], number: int = 0) -> None:
        self._ask = ask
        self._turn = turn
        self._keep = keep
        self.number = number

    def ask(self, role: str, method: str, target: str, body: object = None, **headers: str) -> Answer:
        """A body that is no text or bytes goes out as JSON. ``headers`` are named with ``_`` for ``-``."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = _encoded(body)
        if sent is not None:
            named.setdefault("content-type", JSON)
        answer = self._exchange(role, method, target, named, sent)
        if answer.status == 422 and "accept-language" not in named:
            self._exchange(role, method, target, {**named, "accept-language": "de"}, sent)
        return answer

    def get(self, target: str, role: str = "director", **headers: str) -> Answer:
        return self.ask(role, "GET", target, **headers)

    def post(self, target: str, body: object = None, role: str = "director", **headers: str) -> Answer:
        """POST, or as a method before the target says: ``PUT /v1/…``."""
        method, target = split_method(target)
        return self.ask(role, method, target, {} if body is None else body, **headers)

    def did(self, target: str, body: object = None, role: str = "director", **headers: str) -> Answer:
        """The same, where the rest of the script rests on it."""
        answer = self.post(target, body, role, **headers)
        if answer.status not in (200, 201, 202):
            raise AssertionError(f"request {self.number}: {target} {body} answers {answer.status}: {answer.body.decode()[:500]}")
        return answer

    def pages(self, target: str, role: str = "director", **headers: str) -> Iterator[Answer]:
        """All pages, as ``Link`` leads."""
        while target:
            answer = self.get(target, role, **headers)
            yield answer
            target = answer.following

    def _exchange(self, role: str, method: str, target: str, headers: Mapping[str, str], body: bytes | None) -> Answer:
        self.number += 1
        self._turn(self.number)
        sent = [("host", "evening"), ("request-id", f"evening-{self.number}"), *headers.items()]
        sent += [("authorization", f"Bearer {secret_of(role)}")] if role != "nobody" and "authorization" not in headers else []
        sent += (
            [("origin", "http://evening")] if target.startswith(("/in", "/out")) and "origin" not in headers else []
        )  # as from a page of the service
        sent += [("content-length", str(len(body)))] if body is not None and "content-length" not in headers else []
        answer = Answer(*self._ask(method, target, sent, body or b""))
        request = {"n": self.number, "role": role, "method": method, "target": target, "headers": dict(headers), "body": _told(body)}
        answered, told = _ordered(answer.headers), _told(_sorted(target, answer))
        if target == "/metrics" and answer.status == 200:
            answered, told = [pair for pair in answered if pair[0] != "content-length"], without_the_moment(str(told))
        self._keep({**request, "status": answer.status, "answered": answered, "answer": told})
        return answer


def _ordered(headers: Headers) -> Headers:
    """The framework's own ``Allow`` comes out of a set, in an order that differs from process to process."""
    return [(name, ", ".join(sorted(value.split(", "))) if name == "allow" else value) for name, value in headers]


def _sorted(target: str, answer: Answer) -> bytes:
    """PostgreSQL gives the rows of the register in no order, and so they stand in the data of a person."""
    if answer.status != 200 or not answer.body or not (target.startswith("/v1/players/") and target.endswith("/data")):
        return answer.body
    told = answer.json()
    rows = sorted(told["register"], key=lambda row: str(row["player"]))
    if rows == told["register"]:
        return answer.body
    return json.dumps({**told, "register": rows}, ensure_ascii=False, separators=(",", ":")).encode()


def _encoded(body: object) -> bytes | None:
    if body is None or isinstance(body, bytes):
        return body
    return body.encode() if isinstance(body, str) else json.dumps(body, ensure_ascii=False).encode()


def _told(body: bytes | None) -> object:
    """As text where it is text."""
    try:
        return body if body is None else body.decode()
    except UnicodeDecodeError:
        return {"base64": b64encode(_ABOUT_A_FILE.sub(rb"\2\1", body or b"")).decode()}


def without_the_moment(metrics: str) -> str:
    """A gauge tells of this moment, in which background work may wait or not; these counters hang on the machine."""
    lines: list[str] = []
    kind = ""
    for line in metrics.splitlines(keepends=True):
        if line.startswith("# TYPE"):
            kind = line.split()[-1]
        hidden = not line.startswith("#") and (kind == "gauge" or _OF_THE_MACHINE.match(line))
        lines.append(f"{line.rpartition(' ')[0]} …\n" if hidden else line)
    return "".join(lines)


_OF_THE_MACHINE = re.compile(r"python_gc|\w+_seconds")
_ABOUT_A_FILE = re.compile(rb"(\x18\x0ekiebitz\.schema\x18.[^\0]*\0)(\x18\x0dkiebitz\.as_of\x18.[^\0]*\0)")
"""What a Parquet file says of itself: written by its library in an order that differs from file to file."""
