"""The command line as a client of a running server."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self
from uuid import UUID

import httpx
import msgspec

from api.games.responses import ReplayFrame
from deploy.cli.files import Found
from deploy.cli.records import Form, Imported
from deploy.cli.refusals import refusal_in_words
from deploy.failures import Failure

_TIMEOUT = 60.0
_PAGE = 200


def received(text: str | bytes) -> ReplayFrame:
    """A frame as it is sent."""
    return msgspec.json.decode(text, type=ReplayFrame)


class Remote:
    """Raises ``Failure`` with the server's own words, and what httpx raises if there is no server."""

    def __init__(self, url: str, token: str | None, language: str = "en") -> None:
        if token is None:
            raise Failure(f"To go through the server at {url} a token is needed.", "Give it with --token (KIEBITZ_TOKEN).")
        self._language = language
        headers = {"Authorization": f"Bearer {token}", "Accept-Language": language}
        self._http = httpx.Client(base_url=url, headers=headers, timeout=_TIMEOUT)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._http.close()

    def games(self) -> Iterator[UUID]:
        """Every game, the newest first."""
        query: dict[str, Any] = {"limit": _PAGE}
        while True:
            page = msgspec.json.decode(self._get("/v1/games", query))
            yield from (UUID(game["id"]) for game in page["games"])
            if page["next"] is None:
                return
            query["cursor"] = page["next"]

    def record_of(self, game: UUID, form: Form) -> bytes:
        query = {"simple": {}, "full": {"full": "true"}, "texts": {"full": "true", "texts": "true"}}[form]
        return self._get(f"/v1/games/{game}/record", query)

    @contextmanager
    def scores(self, query: dict[str, Any]) -> Iterator[tuple[int, Iterator[bytes]]]:
        """As of which sequence, and the export as it comes in. A spreadsheet is made whole before it is sent, however long it takes."""
        with self._http.stream("GET", "/v1/scores", params=query, timeout=None) as answer:
            if not answer.is_success:
                answer.read()
                _done(answer)
            yield int(answer.headers["kiebitz-as-of"]), answer.iter_bytes()

    def replay(self, game: UUID, view: str | None) -> Iterator[ReplayFrame]:
        """The frames as they come in, captions in the language of this client."""
        query = {"view": view} if view else {}
        headers = {"Accept": "application/x-ndjson"}
        with self._http.stream("GET", f"/v1/games/{game}/replay", params=query, headers=headers) as answer:
            if not answer.is_success:
                answer.read()
                _done(answer)
            yield from map(received, answer.iter_lines())

    def import_record(self, found: Found, *, dry_run: bool) -> Imported:
        """The same record sent again is not recorded again: an import that broke off can simply be repeated."""
        if found.problem:
            return Imported(found.place, None, error=found.problem.message)
        name = found.record.get("name") if isinstance(found.record, dict) else None
        body = msgspec.json.encode(found.record)
        answer = self._tried(body) if dry_run else self._recorded(body)
        if answer.status_code == 422:
            answer = self._tried(body)  # which tells the place as well
        [told] = msgspec.json.decode(_done(answer))["records"]
        error, game = told["error"], told["game"]
        if error:
            words = refusal_in_words(error["hand"], error["index"], error["code"], error["rules"], error["message"], self._language)
            return Imported(found.place, name, error=words)
        return Imported(found.place, name, game and UUID(game), told["position"])

    def register_members(self, body: bytes, kind: str, *, dry_run: bool) -> bytes:
        """The report. The same list sent again registers nobody twice."""
        headers = {"Content-Type": kind, "Idempotency-Key": hashlib.sha256(body).hexdigest()}
        answer = self._http.post("/v1/players", params={"dry_run": str(dry_run).lower()}, content=body, headers=headers)
        return _done(answer)

    def _recorded(self, body: bytes) -> httpx.Response:
        headers = {"Content-Type": "application/json", "Idempotency-Key": hashlib.sha256(body).hexdigest()}
        return self._http.post("/v1/records", content=body, headers=headers)

    def _tried(self, body: bytes) -> httpx.Response:
        return self._http.post("/v1/records?dry_run=true", content=body, headers={"Content-Type": "application/x-ndjson"})

    def _get(self, path: str, query: dict[str, Any]) -> bytes:
        return _done(self._http.get(path, params=query))


def _done(answer: httpx.Response) -> bytes:
    if answer.is_success:
        return answer.content
    try:
        said = msgspec.json.decode(answer.content)
        problem = f"{said['code']}: {said['detail']}"
    except (msgspec.DecodeError, LookupError, TypeError):
        problem = f"it answered {answer.status_code}; is it a Kiebitz server?"
    raise Failure(f"The server at {answer.url.copy_with(path='/', query=None)} refused: {problem}")
