"""The way to the games, through a server or to a store of one's own, with one face: what is asked, and what is recorded."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal
from uuid import UUID, uuid4

import httpx
import msgspec
from msgspec import Struct

from api.http.media_types import JSON, NDJSON
from deploy.cli.client import Remote, accepted, client_of
from deploy.cli.recording.here import client_here
from deploy.config.settings import Settings
from domain.codec import decode_event
from domain.events import Recorded

PAUSES = (0.0, 0.1, 0.3, 1.0, 3.0)
"""Seconds before an act that nobody answered is sent again, under its key."""

_AWAY = 503


class Act(Struct, frozen=True):
    """What is to be recorded: ``what`` it is to the service, and what is sent."""

    what: Literal["hands", "moves", "tellings", "rewinds"]
    body: Mapping[str, Any]


class Problem(Struct, frozen=True):
    """Why nothing was recorded. ``asks``: what has to be told with the act (COM-73)."""

    status: int
    code: str
    detail: str
    rules: tuple[str, ...] = ()
    asks: tuple[Mapping[str, Any], ...] = ()

    @property
    def is_overtaken(self) -> bool:
        """Somebody else recorded something first."""
        return self.status == 412

    def in_words(self) -> str:
        return f"{self.detail} ({', '.join(self.rules)})" if self.rules else self.detail


@contextmanager
def door_to(settings: Settings, language: str, *, create: bool) -> Iterator["Door"]:
    """``create``: a store is made where there is none. Raises ``Failure``."""
    way = client_of(settings, language) if settings.url else client_here(settings, language, create=create)
    with way as http:
        yield Door(http)


class Door:
    """Raises ``Failure`` with the words of the service, and what httpx raises if nobody answers."""

    def __init__(self, http: httpx.Client, pauses: Sequence[float] = PAUSES) -> None:
        self._http = http
        self._pauses = pauses
        self._remote = Remote(http)

    def unfinished(self) -> Sequence[Mapping[str, Any]]:
        """The games that are not over, the newest first."""
        head = self._read("/v1/feed", limit=1)["head"]
        games: Sequence[Mapping[str, Any]] = self._read("/v1/games", finished="false", limit=200, min_sequence=head or None)["games"]
        return games

    def open(self, game: Mapping[str, Any]) -> UUID:
        """Opens a game, as ``POST /v1/games`` takes it."""
        headers = _headers()
        answer = self._answered(lambda: self._http.post("/v1/games", content=msgspec.json.encode(game), headers=headers))
        return UUID(msgspec.json.decode(accepted(answer).content)["game"])

    def history(self, game: UUID, after: int) -> tuple[Recorded, ...]:
        """The events after a position, as this token may see them."""
        query, headers = {"after": after}, {"Accept": NDJSON}
        answer = self._answered(lambda: self._http.get(f"/v1/games/{game}/history", params=query, headers=headers))
        return tuple(_recorded(game, line) for line in accepted(answer).content.splitlines())

    def record(self, game: UUID, position: int, act: Act) -> Problem | None:
        """Records the act if the game still stands at this position. An act that nobody answered is sent again, and recorded once."""
        headers = {**_headers(), "If-Match": f'"{position}"'}
        body = msgspec.json.encode(act.body)
        answer = self._answered(lambda: self._http.post(f"/v1/games/{game}/{act.what}", content=body, headers=headers))
        return None if answer.is_success else problem_of(answer)

    def name(self, player: str) -> str | None:
        return self._remote.name(player, public=False)

    def _read(self, path: str, **query: object) -> dict[str, Any]:
        given = {name: str(value) for name, value in query.items() if value is not None}
        answer = self._answered(lambda: self._http.get(path, params=given))
        return dict(msgspec.json.decode(accepted(answer).content))

    def _answered(self, ask: Callable[[], httpx.Response]) -> httpx.Response:
        for pause in self._pauses:
            try:
                answer = ask()
                if not _is_away(answer):
                    return answer
            except httpx.TransportError:
                pass
            time.sleep(pause)
        return ask()


def problem_of(answer: httpx.Response) -> Problem:
    """Raises ``Failure`` for what is no answer of this service."""
    try:
        return msgspec.json.decode(answer.content, type=Problem)
    except msgspec.MsgspecError:
        accepted(answer)
        raise


def _is_away(answer: httpx.Response) -> bool:
    return answer.status_code == _AWAY or (answer.status_code == 409 and problem_of(answer).code == "in_flight")


def _headers() -> dict[str, str]:
    return {"Content-Type": JSON, "Idempotency-Key": str(uuid4())}


def _recorded(game: UUID, line: bytes) -> Recorded:
    """An event as it is shown, as one that is recorded; its bytes are not those of the store."""
    view = msgspec.json.decode(line)
    stored = {name: view[name] for name in ("at", "by", "happened_at", "body") if name in view}
    return decode_event(game, view["position"], view["name"], msgspec.json.encode({**stored, "link": view.get("link")}))
