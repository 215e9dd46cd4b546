"""Rate limits per client (token buckets), concurrency limits for long responses, and the timeout middleware.

One process counts for itself.
"""

import asyncio
import math
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, ParamSpec, TypeVar, cast

from litestar.types import ASGIApp, HTTPReceiveMessage, Message, Receive, Scope, Send

from api.http.errors import BadRequest, ConcurrencyLimitError, Placed, RateLimitedError, ResponseTimeoutError, Whose, say
from api.http.request import Principal, Request, is_address, part_of
from api.http.sending import Quota, quota
from api.services import Bound, Limits, Rate
from api.threads import MOST_WAITING, Pool, Threads, using_pool
from domain.errors import Unavailable
from domain.journal.writer import Deadline, Deadlines

Given = TypeVar("Given")
P = ParamSpec("P")

_MOST = 10_000  # principals; beyond it all buckets start full again, which is cheaper than dropping the oldest


class RateLimiter:
    """A token bucket of requests per principal, refilled steadily. All callers without a token share one by their address."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self._viewers = Rate(limits.per_second, limits.burst)
        self._addresses = limits.by_address
        self._clock = clock
        self._left: dict[str, tuple[float, float]] = {}

    def acquire(self, principal: Principal, weight: int = 1) -> Quota:
        """Count a request and return the rest. ``weight``: the number of requests as which it counts. Raises ``RateLimitedError``."""
        whose: Whose = "address" if principal.is_anonymous else "viewer"
        rate = self._addresses if principal.is_anonymous else self._viewers
        if rate.per_second is None:
            return ()
        now = self._clock()
        left, since = self._left.get(principal.id, (float(rate.burst), now))
        left = min(float(rate.burst), left + (now - since) * rate.per_second)
        if left < weight:
            raise RateLimitedError(whose, rate.burst, _wait(left, rate.per_second, weight))
        if len(self._left) >= _MOST:
            self._left.clear()
        left -= weight
        self._left[principal.id] = (left, now)
        return quota(whose, rate.burst, int(left), None if left >= 1 else _wait(left, rate.per_second))


def _wait(left: float, per_second: float, weight: int = 1) -> int:
    """Return the seconds until the bucket holds ``weight``."""
    return max(1, math.ceil((weight - left) / per_second))


class ConcurrencyLimiter:
    """A concurrency limit for long responses, those of officials included: each holds memory for as long as somebody reads.

    Callers without a token are counted by their address, and all of them together get at most half of the places. Used from one event loop.
    """

    def __init__(self, what: Placed, bound: Bound) -> None:
        self.what = what
        self._bound = bound
        self._taken = Counter[str]()

    @property
    def number(self) -> int:
        """The number of places that are taken."""
        return self._taken.total()

    @property
    def most(self) -> int:
        return self._bound.most

    @contextmanager
    def acquire(self, principal: Principal) -> Iterator[None]:
        """Return a context that holds a place. Raises ``ConcurrencyLimitError``."""
        if self._taken[principal.id] >= self._bound.each:
            raise ConcurrencyLimitError(self.what, self._bound.each, own=True)
        if self._taken.total() >= self._bound.most:
            raise ConcurrencyLimitError(self.what, self._bound.most, own=False)
        half = max(1, self._bound.most // 2)
        if principal.is_address and sum(count for id, count in self._taken.items() if is_address(id)) >= half:
            raise ConcurrencyLimitError(self.what, half, own=False)
        self._taken[principal.id] += 1
        try:
            yield
        finally:
            self._taken[principal.id] -= 1
            self._taken += Counter()  # drops principals with no place


class StreamLimits(NamedTuple):
    """The limits of responses in pieces, and of those without an end."""

    streams: ConcurrencyLimiter
    followers: ConcurrencyLimiter


def check_load(request: Request) -> None:
    """Shed load: raise ``ConcurrencyLimitError`` while too many reads wait for a thread.

    Running requests continue, and officials are admitted: an event wakes all followers at once, and the table that recorded it is read
    again.
    """
    user = cast("Principal | None", request.scope.get("user"))  # no caller is looked up where everybody may read
    if (user is None or not user.has_record_role) and part_of(request.app, Threads).waiting()["reading"] >= MOST_WAITING:
        raise ConcurrencyLimitError("reads", MOST_WAITING, own=False)


class TimeoutMiddleware:
    """A deadline for the beginning of each response.

    After so many seconds the caller gets an error; a thread that is at work continues. Raises ``Unavailable``, also if the server cancels
    the request because it stops; and ``BadRequest`` if the caller disconnects while sending the body.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._deadlines = Deadlines()

    async def keep(self, answers: Callable[[Scope, Receive, Send], Awaitable[Given]], scope: Scope, receive: Receive, send: Send) -> Given:
        answer = scope["state"][_ANSWER] = _PendingResponse(receive, send, self._seconds, self._deadlines)
        try:
            with answer:
                return await answers(scope, answer.receive, answer.send)
        except TimeoutError as error:
            # a timeout of the handler itself, or too late for another status
            if answer.begun or not answer.is_past:
                raise
            raise ResponseTimeoutError(answer.allowed, unclear=answer.may_be_recorded(scope)) from error
        except asyncio.CancelledError as error:
            if answer.begun:
                raise
            # without a response the client could not know whether it may have been recorded
            raise Unavailable("the service stopped before there was an answer", unclear=answer.may_be_recorded(scope)) from error
        finally:
            answer.release()


def with_deadline(app: ASGIApp) -> ASGIApp:
    """Return the timeout middleware for routes of the framework; the fast path calls ``TimeoutMiddleware`` itself."""

    async def keep(scope: Scope, receive: Receive, send: Send) -> None:
        await part_of(scope["litestar_app"], TimeoutMiddleware).keep(app, scope, receive, send)

    return keep


def more_time(request: Request, seconds: float = 0) -> None:
    """Restart the deadline, with so many extra seconds: for waiting requests, and for every part of an import."""
    request.scope["state"][_ANSWER].extend(seconds)


async def run_in_pool(request: Request, pool: Pool, seconds: float, run: Callable[P, Given], *given: P.args, **named: P.kwargs) -> Given:
    """Return what ``run`` returns, in a thread of this pool, with so many extra seconds."""
    more_time(request, seconds)
    with using_pool(pool):
        return await asyncio.to_thread(run, *given, **named)


def note_part_recorded(request: Request) -> None:
    """Note that a part of the request may be recorded from now on: a later error must not say that nothing was."""
    request.scope["state"][_ANSWER].part_recorded = True


def is_part_recorded(request: Request) -> bool:
    answer = request.scope["state"].get(_ANSWER)
    return answer is not None and answer.part_recorded


class _PendingResponse(Deadline):
    """The response to one request, with the deadline for its beginning."""

    begun = False
    part_recorded = False
    _awaits_body = False

    def __init__(self, receive: Receive, send: Send, seconds: float, deadlines: Deadlines) -> None:
        super().__init__(deadlines, time.monotonic() + seconds)
        self._receive = receive
        self._send = send
        self._seconds = seconds
        self.allowed = seconds

    def may_be_recorded(self, scope: Scope) -> bool:
        """Return whether something may have been recorded: only if the caller was admitted, and the body was read."""
        admitted = scope.get("user") is not None and scope.get("method") not in ("GET", "HEAD")
        return admitted and (self.part_recorded or not self._awaits_body)

    async def receive(self) -> HTTPReceiveMessage:
        if self.begun:
            return cast(HTTPReceiveMessage, await self._receive())
        self._awaits_body = True
        self.at = None  # the body is sent at the caller's pace; the server limits that
        message = cast(HTTPReceiveMessage, await self._receive())
        if message["type"] == "http.disconnect":
            raise BadRequest("broken_off", say("body_broken_off"))
        self._awaits_body = False
        self.extend()
        return message

    async def send(self, message: Message) -> None:
        if not self.begun:
            self.begun = True
            self.at = None
        await self._send(message)

    def release(self) -> None:
        """Drop the references to the connection, which refers to this object: a reference cycle would live until the next garbage
        collection.
        """
        self._receive = self._send = _over

    def extend(self, seconds: float = 0) -> None:
        self.allowed = self._seconds + seconds
        self.at = time.monotonic() + self._seconds + seconds


async def _over(*_: object) -> Any:
    raise RuntimeError("the answer to this request is over")


_ANSWER = "answer"
