"""Several streams over one connection: what all pages of a browser follow, each topic as its own stream."""

from typing import Annotated

from msgspec import Meta

from api.common.live.multiplexed import MultiplexedStream, Subscription, stream_headers
from api.http.decoding import read_body
from api.http.errors import say
from api.http.fields import Incoming, Name, Whole
from api.http.guards import readers
from api.http.media_types import EVENT_STREAM
from api.http.operations import Content, Operation, writes
from api.http.request import Request
from domain.errors import Malformed
from domain.forms import FORM
from domain.texts import Language

MOST = 100
"""Topics of one connection: more tabs than anybody has open."""
STREAM = r"^/v1/(feed|games/[^/?#]+/stream|tournaments/[^/?#]+/stream|tournaments/[^/?#]+/wall/stream)(\?[!-~]*)?$(?!\n)"
"""The addresses that are streams."""


class Topic(Incoming, frozen=True, kw_only=True):
    """One of the streams, by the name that its messages are to have here."""

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
    epoch: Annotated[Name, Meta(description="the one in which that id was told")] | None = None
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


class FollowStreams(Incoming, frozen=True, kw_only=True):
    """What is to be followed."""

    topics: Annotated[tuple[Topic, ...], Meta(min_length=1, max_length=MOST, description="the streams, each under a name of its own")]


@writes(
    "/v1/streams",
    Operation(
        id="follow_streams",
        tag="Reading",
        summary="Several streams over one connection",
        description=(
            "For programs that may open few connections, as browsers do. Each topic is answered as a request for its stream by the same "
            "caller: its messages are those of the stream, each after a line `topic: NAME`. The message `refused` holds the problem with "
            "which its stream would refuse; it ends that topic alone, and so does `over`. Come again with the last id of each topic."
        ),
        body=FollowStreams,
        responses={200: Content("messages, see docs/live.md", {EVENT_STREAM: {"type": "object"}})},
        within="published",
    ),
    admit=readers,
    status_code=200,
)
async def follow_streams(request: Request) -> MultiplexedStream:
    topics = (await read_body(request, FollowStreams)).topics
    names = [one.topic for one in topics]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise Malformed("malformed_body", say("topic_twice", topic=twice), "topics")
    return MultiplexedStream(request, [_subscription(one) for one in topics])


def _subscription(one: Topic) -> Subscription:
    return Subscription(one.topic, one.stream, stream_headers(one.language, one.last_event_id, one.epoch), one.session)
