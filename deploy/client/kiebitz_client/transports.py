"""Transports: httpx drives the generators of the core, synchronously or with asyncio.

``Call`` and ``Stream`` are descriptors: by the transport of its object a generator method becomes a plain one or one to await.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Mapping
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload

import httpx

from kiebitz_client.retries import RetryPolicy
from kiebitz_client.steps import Flow, Item, LostError, Pause, Read, Reply, Request, Result, Steps, resume

P = ParamSpec("P")
T = TypeVar("T")

TIMEOUT = 45.0
"""Seconds: longer than the heartbeat of a stream (15) and the longest wait (30)."""


class BlockingTransport:
    """Sends by ``httpx.Client``."""

    def __init__(self, http: httpx.Client, sleep: Callable[[float], object] = time.sleep) -> None:
        self.http = http
        self._sleep = sleep

    def run(self, steps: Steps[T]) -> T:
        outcome = _Runner(self.http, self._sleep).advance(steps, None)
        assert isinstance(outcome, Result)
        value: T = outcome.value
        return value

    def iterate(self, flow: Flow[T]) -> Iterator[T]:
        runner = _Runner(self.http, self._sleep)
        try:
            while isinstance(outcome := runner.advance(flow, None), Item):
                yield outcome.value
        finally:
            flow.close()
            runner.close()


class _Runner:
    """The effects of one call; ``Read`` belongs to its last streamed request."""

    def __init__(self, http: httpx.Client, sleep: Callable[[float], object]) -> None:
        self._http = http
        self._sleep = sleep
        self._answer: httpx.Response | None = None
        self._pieces: Iterator[bytes] = iter(())

    def advance(self, steps: Flow[Any] | Steps[Any], came: object) -> Item[Any] | Result:
        outcome = resume(steps, came)
        while not isinstance(outcome, (Item, Result)):
            outcome = resume(steps, self._perform(outcome))
        return outcome

    def _perform(self, effect: Request | Read | Pause) -> object:
        try:
            if isinstance(effect, Pause):
                return self._sleep(effect.seconds)
            return next(self._pieces, None) if isinstance(effect, Read) else self._send(effect)
        except httpx.TransportError as error:
            return LostError(str(error) or type(error).__name__)

    def _send(self, request: Request) -> Reply:
        self.close()
        answer = self._answer = self._http.send(_build(self._http, request), stream=request.stream)
        if request.stream and answer.status_code == 200:
            self._pieces = answer.iter_bytes()
            return _reply(answer, b"")
        return _reply(answer, answer.read())

    def close(self) -> None:
        if self._answer is not None:
            self._answer.close()


class AwaitingTransport:
    """Sends by ``httpx.AsyncClient``."""

    def __init__(self, http: httpx.AsyncClient, sleep: Callable[[float], Awaitable[object]] = asyncio.sleep) -> None:
        self.http = http
        self._sleep = sleep

    async def run(self, steps: Steps[T]) -> T:
        outcome = await _AsyncRunner(self.http, self._sleep).advance(steps, None)
        assert isinstance(outcome, Result)
        value: T = outcome.value
        return value

    async def iterate(self, flow: Flow[T]) -> AsyncIterator[T]:
        runner = _AsyncRunner(self.http, self._sleep)
        try:
            while isinstance(outcome := await runner.advance(flow, None), Item):
                yield outcome.value
        finally:
            flow.close()
            await runner.close()


class _AsyncRunner:
    """The same with asyncio."""

    def __init__(self, http: httpx.AsyncClient, sleep: Callable[[float], Awaitable[object]]) -> None:
        self._http = http
        self._sleep = sleep
        self._answer: httpx.Response | None = None
        self._pieces: AsyncIterator[bytes] | None = None

    async def advance(self, steps: Flow[Any] | Steps[Any], came: object) -> Item[Any] | Result:
        outcome = resume(steps, came)
        while not isinstance(outcome, (Item, Result)):
            outcome = resume(steps, await self._perform(outcome))
        return outcome

    async def _perform(self, effect: Request | Read | Pause) -> object:
        try:
            if isinstance(effect, Pause):
                return await self._sleep(effect.seconds)
            if isinstance(effect, Read):
                return None if self._pieces is None else await anext(self._pieces, None)
            return await self._send(effect)
        except httpx.TransportError as error:
            return LostError(str(error) or type(error).__name__)

    async def _send(self, request: Request) -> Reply:
        await self.close()
        answer = self._answer = await self._http.send(_build(self._http, request), stream=request.stream)
        if request.stream and answer.status_code == 200:
            self._pieces = answer.aiter_bytes()
            return _reply(answer, b"")
        return _reply(answer, await answer.aread())

    async def close(self) -> None:
        if self._answer is not None:
            await self._answer.aclose()


def _build(http: httpx.Client | httpx.AsyncClient, request: Request) -> httpx.Request:
    query = {name: _text(value) for name, value in request.query.items() if value is not None}
    return http.build_request(request.method, request.path, params=query or None, headers=dict(request.headers), content=request.content)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _reply(answer: httpx.Response, body: bytes) -> Reply:
    links: Mapping[str, str] = {relation: link["url"] for relation, link in answer.links.items() if relation}
    return Reply(answer.status_code, dict(answer.headers), body, links)


# Descriptors


class Blocking:
    """An object whose calls return."""

    def __init__(self, transport: BlockingTransport, policy: RetryPolicy) -> None:
        self.transport = transport
        self.policy = policy


class Awaiting:
    """An object whose calls are awaited."""

    def __init__(self, transport: AwaitingTransport, policy: RetryPolicy) -> None:
        self.transport = transport
        self.policy = policy


class Call(Generic[P, T]):
    """A method that returns what its generator returns."""

    def __init__(self, function: Callable[Concatenate[Any, P], Steps[T]]) -> None:
        self.function = function
        self.__doc__ = function.__doc__

    @overload
    def __get__(self, owner: Blocking, kind: object = None) -> Callable[P, T]: ...
    @overload
    def __get__(self, owner: Awaiting, kind: object = None) -> Callable[P, Coroutine[Any, Any, T]]: ...
    def __get__(self, owner: Blocking | Awaiting, kind: object = None) -> Callable[P, Any]:
        def call(*args: P.args, **kwargs: P.kwargs) -> Any:
            return owner.transport.run(self.function(owner, *args, **kwargs))

        return call


class Stream(Generic[P, T]):
    """A method that iterates over the items of its generator."""

    def __init__(self, function: Callable[Concatenate[Any, P], Flow[T]]) -> None:
        self.function = function
        self.__doc__ = function.__doc__

    @overload
    def __get__(self, owner: Blocking, kind: object = None) -> Callable[P, Iterator[T]]: ...
    @overload
    def __get__(self, owner: Awaiting, kind: object = None) -> Callable[P, AsyncIterator[T]]: ...
    def __get__(self, owner: Blocking | Awaiting, kind: object = None) -> Callable[P, Any]:
        def iterate(*args: P.args, **kwargs: P.kwargs) -> Any:
            return owner.transport.iterate(self.function(owner, *args, **kwargs))

        return iterate
