"""Server-sent events: a parser, and a follower that reconnects with ``Last-Event-ID``."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from kiebitz_client.errors import UnavailableError, error_of
from kiebitz_client.retries import RetryPolicy, asked_pause, may_retry, problem_of
from kiebitz_client.steps import Flow, Item, LostError, Pause, Read, Reply, Request


class Event(Struct, frozen=True):
    """A message: ``name`` is ``message`` for what was recorded, else that of the event, as ``opened``.

    ``id`` is a position or sequence of the ``epoch``; a stream continues after it.
    """

    name: str
    id: str
    data: dict[str, Any]
    epoch: str = ""


class EventParser:
    """Parser of an event stream in pieces. ``retry``: seconds until a reconnect."""

    def __init__(self) -> None:
        self.retry = 2.0
        self.last_id = ""
        self._rest = b""
        self._fields: dict[str, str] = {}

    def feed(self, piece: bytes) -> Iterator[Event]:
        """Return the events that the piece completes."""
        *lines, self._rest = (self._rest + piece).split(b"\n")
        for line in lines:
            if event := self._take_line(line.rstrip(b"\r").decode()):
                yield event

    def restart(self) -> None:
        """Drop what a broken connection left unfinished."""
        self._rest = b""
        self._fields = {}

    def _take_line(self, line: str) -> Event | None:
        if line:
            name, _, value = line.partition(":")
            earlier = self._fields.get("data") if name == "data" else None
            value = value.removeprefix(" ")
            self._fields[name] = value if earlier is None else f"{earlier}\n{value}"
            return None
        fields = self._fields
        self._fields = {}
        if fields.get("retry", "").isdecimal():
            self.retry = int(fields["retry"]) / 1000
        self.last_id = fields.get("id", self.last_id)
        if "data" not in fields:
            return None
        return Event(fields.get("event", "message"), self.last_id, msgspec.json.decode(fields["data"]))


def follow(request: Request, policy: RetryPolicy) -> Flow[Event]:
    """Yield the events of a stream and reconnect after each break, until the service ends it. Nothing is repeated and nothing is missed.

    Raises ``EpochChangedError`` where the store lost what was sent, ``ProblemError`` where access ended, and ``UnavailableError`` after
    attempts without any answer.
    """
    parser, attempt = EventParser(), 0
    while True:
        attempt += 1
        headers = dict(request.headers) | ({"Last-Event-ID": parser.last_id} if parser.last_id else {})
        asked = None
        try:
            reply: Reply = yield replace(request, headers=headers, stream=True)
            if reply.status != 200:
                problem, asked = problem_of(reply), asked_pause(reply)
                if not may_retry(reply, problem):
                    raise error_of(reply.status, problem)
            else:
                request = replace(request, headers=dict(request.headers) | ({"Kiebitz-Epoch": reply.epoch} if reply.epoch else {}))
                while (piece := (yield Read())) is not None:
                    attempt = 0
                    for event in parser.feed(piece):
                        if event.name != "over":
                            yield Item(replace(event, epoch=reply.epoch))
                        elif event.data.get("reason") == "told":
                            return
        except LostError:
            pass  # what broke off is continued after the last event
        pause = parser.retry if attempt == 0 else policy.pause(attempt, asked)
        if pause is None:
            raise UnavailableError(f"the stream {request.path} broke off, and {attempt} attempts failed")
        parser.restart()
        yield Pause(pause)
