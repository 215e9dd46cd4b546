"""Acts over HTTP, each a line of a wing's table. A handler reads query and body, prepares what the decision needs, and commits."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any, Generic, TypeAlias

from litestar.handlers import HTTPRouteHandler
from msgspec import Struct
from msgspec.structs import replace

from api.common.texts import noted
from api.http.decoding import read_body, read_query
from api.http.fields import DryRun
from api.http.operations import Operation, writes
from api.http.request import Request
from api.http.response import Response
from domain.aggregate import A
from domain.events import Event
from domain.events.base import TextRef
from domain.journal.commits import Note


class Grounds(Struct, Generic[A], frozen=True):
    """What an act is decided on. ``now`` is the aggregate as it stands, ``text`` refers to the free text of the body, ``prepared`` is the
    result of ``ActRoute.prepare``.
    """

    request: Request
    now: A
    body: Any
    text: TextRef | None
    prepared: Any

    def named(self, name: str) -> Any:
        """A parameter of the path."""
        return self.request.path_params[name]


Prepare: TypeAlias = Callable[[Request, Any], Awaitable[Any]]
DecideAct: TypeAlias = Callable[[Grounds[A]], Sequence[Event]]


class ActRoute(Struct, Generic[A], frozen=True):
    """``text``: the field of the body that holds the free text for the register, if there is one. ``public`` beside it says that everybody
    may be told.
    """

    path: str
    operation: Operation
    decide: DecideAct[A]
    prepare: Prepare | None = None
    text: str | None = "reason"


class ActCommand(Struct, Generic[A], frozen=True):
    """A decision on its way to the journal, with the text for the register. ``dry_run``: nothing is to be recorded."""

    decide: Callable[[A], Sequence[Event]]
    note: Note | None
    happened_at: datetime | None
    dry_run: bool
    prepared: Any


def act_handler(act: ActRoute[A], carry_out: Callable[[Request, ActCommand[A]], Awaitable[Response]]) -> HTTPRouteHandler:
    async def handle(request: Request) -> Response:
        dry_run, body = read_query(request, DryRun).dry_run, await read_body(request, act.operation.body)
        prepared = await act.prepare(request, body) if act.prepare else None
        text = getattr(body, act.text) if act.text else None
        note = noted(request, text)
        said = replace(note.ref, public=getattr(body, "public", False)) if note else None

        def decide(now: A) -> Sequence[Event]:
            return act.decide(Grounds(request, now, body, said, prepared))

        return await carry_out(request, ActCommand(decide, note, body.happened_at, dry_run, prepared))

    return writes(act.path, act.operation)(handle)
