"""Sends what is to be recorded to the service in this process. What was sent before under the same key is there once."""

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import quote

import httpx
import msgspec
from litestar import Litestar
from msgspec import Struct

from deploy.config.failures import Failure
from deploy.demo.scripts import Request
from deploy.demo.season import Player
from deploy.system.language import say


@asynccontextmanager
async def open_client(app: Litestar) -> AsyncIterator[httpx.AsyncClient]:
    """The service in this process, for as long as the context lasts."""
    transport = httpx.ASGITransport(app=app)  # type: ignore[arg-type]
    async with app.lifespan(), httpx.AsyncClient(transport=transport, base_url="http://kiebitz") as http:
        yield http


class Client(Struct, frozen=True):
    """``secrets`` are tokens by role, always of the same principals: keys belong to a principal. ``keys`` begins every key.

    Whatever it sends raises ``Failure`` where the service refuses.
    """

    http: httpx.AsyncClient
    secrets: Mapping[str, str]
    keys: str

    async def post(self, key: str, path: str, request: Request) -> dict[str, Any]:
        headers = {**self._headers(request.role), "Idempotency-Key": quote(f"{self.keys} {key}", safe=" ")}
        return _body(await self.http.post(path, content=request.body, headers=headers))

    async def put(self, path: str, request: Request) -> dict[str, Any]:
        return _body(await self.http.put(path, content=request.body, headers=self._headers(request.role)))

    async def get(self, path: str) -> dict[str, Any]:
        return _body(await self.http.get(path, headers=self._headers("director")))

    async def play(self, key: str, requests: Iterable[Request]) -> dict[str, Any]:
        """The requests of a game, of which the first one opens it; answers what was told of the last."""
        told, path = dict[str, Any](), "/v1/games"
        for number, request in enumerate(requests):
            told = await self.post(f"{key} {number}", path + request.path, request)
            path = f"/v1/games/{told['game']}"
        return told

    async def register(self, players: Iterable[Player]) -> None:
        """Everybody who plays; who is in the directory already stays as he is."""
        lines = b"".join(msgspec.json.encode(player) + b"\n" for player in players)
        headers = {**self._headers("director"), "Content-Type": "application/x-ndjson"}
        _body(await self.http.post("/v1/players", content=lines, headers=headers))

    def _headers(self, role: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.secrets[role]}", "Content-Type": "application/json"}


def _body(response: httpx.Response) -> dict[str, Any]:
    if not response.is_success:
        raise Failure(say("season_refused", problem=response.text), say("season_advice"))
    body: dict[str, Any] = response.json()
    return body
