"""Multiplexed streams: several topics of server-sent events over one connection, for all pages of a browser."""

import asyncio
import logging
from collections.abc import Sequence
from functools import partial
from typing import Annotated, cast

from litestar.types import HTTPReceiveMessage, Message, Receive, Scope, Send
from msgspec import Meta, Struct

from api.common.live.change_feed import Push
from api.common.live.event_stream import PUSH, STREAM_HEADERS, message
from api.common.pages.shell import inner_scope
from api.http.decoding import Incoming, Name, Whole, read_body
from api.http.errors import SessionChanged, say
from api.http.media_types import EVENT_STREAM
from api.http.operations import Content, writes
from api.http.paging import EPOCH
from api.http.problems import problem_response
from api.http.request import Request
from api.http.response import Response, forget, wait_until_gone
from domain.errors import InvalidFormatError
from domain.forms import FORM
from domain.texts import Language

# Browsers allow few connections to a host, and every open page follows something. Every topic is an internal request through the routing of
# the service, so its authorization and its limits are those of its own stream. Each message is that of the stream, after a line with the
# name of its topic.


_LOG = logging.getLogger("kiebitz.live")
_AWAY = message(b'{"reason":"away"}', event="over")


class Subscription(Struct, frozen=True):
    """A topic of a connection: its name, the address of its stream, and the headers of its own request.

    ``session``: that of the page which subscribes, empty where nobody was signed in; ``None`` where it does not matter.
    """

    topic: str
    stream: str
    headers: Sequence[tuple[bytes, bytes]]
    session: str | None


class CombinedStream(Response):
    """A response that lasts for as long as one of its streams lasts, and the client stays."""

    __slots__ = ("request", "subscriptions")

    def __init__(self, request: Request, subscriptions: Sequence[Subscription]) -> None:
        super().__init__(b"", headers=STREAM_HEADERS)
        self.headers[-1:] = [(b"content-type", EVENT_STREAM.encode())]  # a stream has no length
        self.request = request
        self.subscriptions = subscriptions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = _Connection(self.request, send, cast("Push | None", (scope.get("extensions") or {}).get(PUSH)))
        await send({"type": "http.response.start", "status": 200, "headers": self.headers})
        leaving = asyncio.ensure_future(wait_until_gone(receive))
        leaving.add_done_callback(lambda _: connection.gone.set())
        try:
            async with asyncio.TaskGroup() as following:
                for one in self.subscriptions:
                    following.create_task(connection.stream_topic(one))
            if not connection.gone.is_set():
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            connection.gone.set()
            leaving.cancel()
            leaving.add_done_callback(forget)


class _Connection:
    """The connection of one client. ``gone``: the client has left, or stopped reading."""

    def __init__(self, request: Request, send: Send, push: Push | None) -> None:
        self.gone = asyncio.Event()
        self._request = request
        self._send = send
        self._push = push
        self._sending = asyncio.Lock()

    async def stream_topic(self, one: Subscription) -> None:
        """Send one topic to its end. An error of it ends no other topic."""
        if one.session is not None and one.session != (self._request.user.session or ""):
            await self._pass_on(one, message(problem_response(self._request, SessionChanged()).body, event="refused"))
            return
        answer = _TopicResponse()
        push = None if self._push is None else partial(_push_tagged, self._push, one.topic)
        scope = inner_scope(self._request, one.stream, one.headers, {PUSH: push})
        try:
            await self._request.app(scope, self._receive, partial(self._forward, one, answer))
        except Exception:
            _LOG.exception("the stream %s failed", one.stream)
            await self._pass_on(one, _AWAY)
        else:
            if not answer.whole:  # its stream ended because the client stopped reading
                self.gone.set()

    async def _receive(self) -> HTTPReceiveMessage:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def _forward(self, one: Subscription, answer: "_TopicResponse", part: Message) -> None:
        if part["type"] == "http.response.start":
            answer.status = part["status"]
        elif part["type"] == "http.response.body":
            answer.whole = not part.get("more_body", False)
            if answer.status == 200:
                await self._pass_on(one, part["body"])
                return
            answer.problem += part["body"]
            if answer.whole:
                await self._pass_on(one, message(answer.problem, event="refused"))

    async def _pass_on(self, one: Subscription, piece: bytes) -> None:
        if piece and not self.gone.is_set():
            async with self._sending:
                await self._send({"type": "http.response.body", "body": add_topic(one.topic, piece), "more_body": True})


class _TopicResponse:
    """The response to one topic: its status, its problem, and whether it is complete."""

    def __init__(self) -> None:
        self.status, self.problem, self.whole = 0, b"", False


def add_topic(topic: str, piece: bytes) -> bytes:
    """Return messages, each after a line with its topic; readers of server-sent events ignore a field that they do not know."""
    line = b"topic: %s\n" % topic.encode()
    return line + piece[:-2].replace(b"\n\n", b"\n\n" + line) + piece[-2:]


def _push_tagged(push: Push, topic: str, piece: bytes) -> bool:
    return push(add_topic(topic, piece))


def stream_headers(language: str | None, last_id: int | None, epoch: str | None) -> list[tuple[bytes, bytes]]:
    """Return the headers of the request for a stream."""
    given = {"accept": EVENT_STREAM, "accept-language": language, "last-event-id": last_id, EPOCH: epoch}
    return [(name.encode(), str(value).encode()) for name, value in given.items() if value is not None]


MOST = 100
"""Most topics of one connection: more than anybody has tabs open."""
STREAM = r"^/v1/(feed|games/[^/?#]+/stream|tournaments/[^/?#]+/stream|tournaments/[^/?#]+/wall/stream)(\?[!-~]*)?$(?!\n)"
"""The addresses that are streams."""


class Topic(Incoming, frozen=True, kw_only=True):
    """A stream to follow, with the name that its messages get here."""

    topic: Annotated[
        str, Meta(pattern=r"^[A-Za-z0-9_-]{1,64}$(?!\n)", description="a name of your own", extra_json_schema={FORM: "form.topic"})
    ]
    stream: Annotated[
        str,
        Meta(
            pattern=STREAM,
            max_length=2000,
            description="the address of a stream, percent-encoded, with its query",
            examples=["/v1/tournaments/spring-open/stream"],
            extra_json_schema={FORM: "form.stream"},
        ),
    ]
    last_event_id: Annotated[Whole, Meta(description="the last id of this topic that was received")] | None = None
    epoch: Annotated[Name, Meta(description="the epoch in which the client received that id")] | None = None
    language: Annotated[Language, Meta(description="in place of `Accept-Language`")] | None = None
    session: (
        Annotated[
            str,
            Meta(
                max_length=100, description="the session for which the page was made, empty without one; refused if it is another one now"
            ),
        ]
        | None
    ) = None


class SubscribeStreams(Incoming, frozen=True, kw_only=True):
    """The streams to follow."""

    topics: Annotated[tuple[Topic, ...], Meta(min_length=1, max_length=MOST, description="the streams, each under a name of its own")]


@writes(
    "/v1/streams",
    "follow_streams",
    "Follow several streams over one connection",
    tag="Reading",
    description=(
        "This is for programs that may open few connections, such as browsers. Each topic is answered like a request for "
        "its stream by the same caller: it sends the messages of the stream, each after a line `topic: NAME`. The message "
        "`refused` holds the problem of a refused stream; it ends that topic only, and so does `over`. To resume, send the "
        "last id of each topic."
    ),
    body=SubscribeStreams,
    responses={200: Content("messages, see docs/live.md", {EVENT_STREAM: {"type": "object"}})},
    keyed=False,
    within="published",
)
async def stream_topics(request: Request) -> CombinedStream:
    topics = (await read_body(request, SubscribeStreams)).topics
    names = [one.topic for one in topics]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise InvalidFormatError("malformed_body", say("topic_twice", topic=twice), "topics")
    return CombinedStream(request, [_subscription(one) for one in topics])


def _subscription(one: Topic) -> Subscription:
    return Subscription(one.topic, one.stream, stream_headers(one.language, one.last_event_id, one.epoch), one.session)
