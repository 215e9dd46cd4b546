"""HTTP client with which the command line uses a running server."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal, TypeAlias
from urllib.parse import quote
from uuid import UUID

import httpx
import msgspec

from api.common.signed_sheets import SignatureView
from api.games.responses import ReplayFrame
from api.http.media_types import JSON, NDJSON
from api.http.paging import EPOCH
from api.records.responses import ImportedRecord, ImportReport
from deploy.config.failures import Failure, say
from deploy.config.settings import Settings
from domain.texts import Saying

Form: TypeAlias = Literal["simple", "full", "texts"]
"""Form of a record: moves only, every event, or every event with the texts of people."""

_TIMEOUT = 60.0
_PAGE = 200


def frame_of(text: str | bytes) -> ReplayFrame:
    """Decode a frame as the server sends it."""
    return msgspec.json.decode(text, type=ReplayFrame)


def as_list(lines: Iterable[str]) -> Iterator[bytes]:
    """Yield JSON lines as a single JSON list."""
    before = b"["
    for line in lines:
        yield before + line.encode()
        before = b",\n"
    yield b"[]\n" if before == b"[" else b"]\n"


@contextmanager
def connect(settings: Settings, language: str = "en") -> Iterator["Remote"]:
    """Connect to the server at ``settings.url``, which answers in this language. Raises ``Failure`` if no token is given."""
    if settings.token is None:
        raise Failure(say("token_needed", url=settings.url), say("give_token"))
    headers = {"Authorization": f"Bearer {settings.token}", "Accept-Language": language}
    with httpx.Client(base_url=settings.url or "", headers=headers, timeout=_TIMEOUT) as http:
        yield Remote(http)


class Remote:
    """A server. Raises ``Failure`` with the server's message, and httpx's errors if there is no server."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http

    def games(self, **filters: str) -> Iterator[UUID]:
        """Yield every game, or those that match the filters, newest first."""
        return map(UUID, self.ids("games", **filters))

    def ids(self, what: str, key: str = "id", **filters: str) -> Iterator[str]:
        """Yield the ids of all ``games``, ``tournaments``, ``players`` or ``series``, newest first; or another field of theirs."""
        query: dict[str, Any] = {"limit": _PAGE, **filters}
        while True:
            page = msgspec.json.decode(self._get(f"/v1/{what}", query))
            yield from (one[key] for one in page["items"])
            if page["next"] is None:
                return
            query["cursor"] = page["next"]

    def epoch(self) -> str:
        """Return the epoch of the server's store (docs/decisions/0013-epoch.md)."""
        return str(check_response(self._http.get("/v1/games", params={"limit": 1})).headers[EPOCH])

    def audit_of(self, what: str, id: str) -> bytes | None:
        """Return an audit; ``None`` if this token may not read it."""
        response = self._http.get(f"/v1/{what}/{id}/audit", timeout=None)
        return None if response.status_code == 403 else check_response(response).content

    def record_of(self, game: UUID, form: Form) -> bytes:
        query = {"simple": {}, "full": {"full": "true"}, "texts": {"full": "true", "texts": "true"}}[form]
        return self._get(f"/v1/games/{game}/record", query)

    @contextmanager
    def scores(self, query: dict[str, Any]) -> Iterator[tuple[int, Iterator[bytes]]]:
        """Yield the sequence of the export and its contents as they arrive. A spreadsheet is completed before it is sent, which may take
        long.
        """
        with self._http.stream("GET", "/v1/scores", params=query, timeout=None) as response:
            yield int(check_response(response).headers["kiebitz-as-of"]), response.iter_bytes()

    @contextmanager
    def table(self, name: str, form: str, filters: dict[str, Any]) -> Iterator[Iterator[bytes]]:
        """Yield a table as it arrives. A JSON list is assembled here, because the server sends JSON in pages."""
        path, query = f"/v1/{name}", {**filters, "format": "ndjson" if form == "json" else form}
        if name in ("hands", "moves", "standings", "looks"):
            path = f"/v1/tables/{name}"
        if name == "standings" and "tournament" in query:
            path = f"/v1/tournaments/{quote(query.pop('tournament'), safe='')}/standings"
        if name == "published_ratings":
            path = f"/v1/ratings/lists/{quote(query.pop('ruleset'), safe='')}/{query.pop('number')}"
        if name == "series":
            path = f"/v1/series/{quote(query.pop('series'), safe='')}/standings"
        with self._http.stream("GET", path, params=query, timeout=None) as response:
            answer = check_response(response)
            yield as_list(answer.iter_lines()) if form == "json" else answer.iter_bytes()

    def replay(self, game: UUID, view: str | None) -> Iterator[ReplayFrame]:
        """Yield the frames as they arrive, with captions in the language of this client."""
        query = {"view": view} if view else {}
        with self._http.stream("GET", f"/v1/games/{game}/replay", params=query, headers={"Accept": NDJSON}) as response:
            yield from map(frame_of, check_response(response).iter_lines())

    def event_body(self, game: UUID, position: int) -> dict[str, Any]:
        """Return the body of the event at this position, as far as this token may see it; empty if it is not visible."""
        page = msgspec.json.decode(self._get(f"/v1/games/{game}/history", {"after": position - 1, "limit": 1}))
        return dict(page["events"][0].get("body", {}))

    def words(self, game: UUID, *, narrowed: bool) -> Mapping[int, str]:
        """Return claims, reasons and notes by the positions of their events.

        ``narrowed``: the caller uses a narrower view than this token's, so texts that only officials may read are left out.
        """
        response = self._http.get(f"/v1/games/{game}/notes")
        if response.status_code == 403:
            return self._open_words(game)
        notes = msgspec.json.decode(check_response(response).content)["notes"]
        return {} if narrowed else {one["position"]: one["text"] for one in notes if one["text"]}

    def _open_words(self, game: UUID) -> Mapping[int, str]:
        """Return the reasons of rulings and adjustments that are public by now."""
        rulings = msgspec.json.decode(self._get(f"/v1/games/{game}/disputes", {}))["rulings"]
        adjustments = msgspec.json.decode(self._get(f"/v1/games/{game}/score-sheet", {})).get("adjustments", ())
        return {one["position"]: one["reason"] for one in (*adjustments, *rulings) if one["reason"]}

    def signatures(self, game: UUID) -> Sequence[SignatureView]:
        """Return the signatures on the present score sheet."""
        told = msgspec.json.decode(self._get(f"/v1/games/{game}/score-sheet", {}))
        return msgspec.convert(told.get("signatures", ()), tuple[SignatureView, ...])

    def name(self, player: str, *, public: bool) -> str | None:
        """Return the name that this token may see; ``public``: the alias. None if there is none."""
        response = self._http.get(f"/v1/players/{quote(player, safe='')}")
        if response.status_code == 404:
            return None
        known = msgspec.json.decode(check_response(response).content)
        if known["person"] != player:
            return self.name(known["person"], public=public)
        alias: str | None = known["alias"]
        return alias if public else known.get("name") or alias

    def import_record(self, record: object, copy: int, *, dry_run: bool) -> ImportedRecord:
        """Send a record. The same record is not recorded twice, so an interrupted import can be repeated.

        ``copy``: its number among the equal records of its file.
        """
        # The standard library's encoder: data beside a record may contain numbers of any size.
        body, query = json.dumps(record, ensure_ascii=False).encode(), {"copy": str(copy)}
        response = None if dry_run else self._http.post("/v1/records", params=query, content=body, headers={"Content-Type": JSON})
        if response is None or response.status_code in (409, 422):  # a dry run also reports the place of a refusal
            query["dry_run"] = "true"
            response = self._http.post("/v1/records", params=query, content=body, headers={"Content-Type": NDJSON})
        [record] = msgspec.json.decode(check_response(response).content, type=ImportReport).records
        return record

    def import_members(self, body: bytes, kind: str, *, dry_run: bool, skip_namesakes: bool) -> bytes:
        """Send a list of members; return the report. The same list sent again registers nobody twice."""
        return check_response(
            self._send("/v1/players", body, kind, dry_run=str(dry_run).lower(), skip_namesakes=str(skip_namesakes).lower())
        ).content

    def import_past_results(self, body: bytes, kind: str, **query: str) -> bytes:
        """Send a list of results of earlier tournaments; return the report. The same list sent again adds nothing."""
        return check_response(self._http.post("/v1/past-results", params=query, content=body, headers={"Content-Type": kind})).content

    def _send(self, path: str, body: bytes, kind: str, **query: str) -> httpx.Response:
        """Send with a key that follows from the body, so that a repeated request is carried out once."""
        headers = {"Content-Type": kind, "Idempotency-Key": hashlib.sha256(body).hexdigest()}
        return self._http.post(path, params=query, content=body, headers=headers)

    def _get(self, path: str, query: dict[str, Any]) -> bytes:
        return check_response(self._http.get(path, params=query)).content


def check_response(response: httpx.Response) -> httpx.Response:
    """Return the response. Raises ``Failure`` if the server refused the request."""
    if response.is_success:
        return response
    try:
        error = msgspec.json.decode(response.read())
        problem: Saying = f"{error['code']}: {error['detail']}"
    except (msgspec.DecodeError, LookupError, TypeError):
        problem = say("no_kiebitz_server", status=response.status_code)
    raise Failure(say("server_refused", url=response.url.copy_with(path="/", query=None), problem=problem))
