"""Transports of the client: a streamed answer is let go before the next request."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest
from kiebitz_client.steps import Flow, Item, Request
from kiebitz_client.transports import AwaitingTransport, BlockingTransport


class Endless(httpx.SyncByteStream, httpx.AsyncByteStream):
    def __init__(self, log: list[str]) -> None:
        self.log = log

    def __iter__(self) -> Iterator[bytes]:
        while True:
            yield b"beat"

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            yield b"beat"

    def close(self) -> None:
        self.log.append("closed")

    async def aclose(self) -> None:
        self.log.append("closed")


def follow() -> Flow[int]:
    for number in range(2):
        reply = yield Request(method="GET", path=f"/v1/games/{number}/stream", stream=True)
        yield Item(reply.status)


@pytest.fixture
def log() -> list[str]:
    return []


@pytest.fixture
def options(log: list[str]) -> dict[str, Any]:
    def answer(request: httpx.Request) -> httpx.Response:
        log.append(request.url.path)
        return httpx.Response(200, stream=Endless(log))

    return {"transport": httpx.MockTransport(answer), "base_url": "http://hall.example"}


ORDER = ["/v1/games/0/stream", "closed", "/v1/games/1/stream", "closed"]


def test_a_stream_is_closed_before_the_next_request_and_at_the_end(log: list[str], options: dict[str, Any]):
    with httpx.Client(**options) as http:
        assert list(BlockingTransport(http).iterate(follow())) == [200, 200]
    assert log == ORDER


def test_so_it_is_with_asyncio(log: list[str], options: dict[str, Any]):
    async def followed() -> list[int]:
        async with httpx.AsyncClient(**options) as http:
            return [status async for status in AwaitingTransport(http).iterate(follow())]

    assert asyncio.run(followed()) == [200, 200]
    assert log == ORDER
