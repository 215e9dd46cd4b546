"""Handlers for the acts of officials and directors, made from a table of routes.

In games and tournaments a handler reads query and body, prepares what the decision needs, and commits. In a register it makes the change
once, under the request's Idempotency-Key, and answers.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Generic, TypeAlias

from litestar.handlers import HTTPRouteHandler
from msgspec import Struct
from msgspec.structs import replace

from api.common.commands import Change, once
from api.common.texts import note_text
from api.http.decoding import DryRun, read_body, read_query
from api.http.operations import Content, Decorator, Method, Operation, build_route, writes
from api.http.places import Within
from api.http.request import Need, Request
from api.http.response import Response
from domain.events import A, Event
from domain.events.base import TextRef
from domain.journal.commits import RegisteredText


class CommandContext(Struct, Generic[A], frozen=True):
    """The arguments of a decision.

    ``now`` is the current aggregate, ``text`` refers to the free text of the body, ``prepared`` is the result of ``Prepare``.
    """

    request: Request
    now: A
    body: Any
    text: TextRef | None
    prepared: Any

    def path_parameter(self, name: str) -> Any:
        """Return a parameter of the path."""
        return self.request.path_params[name]


Prepare: TypeAlias = Callable[[Request, Any], Awaitable[Any]]
DecideAct: TypeAlias = Callable[[CommandContext[A]], Sequence[Event]]


class ActCommand(Struct, Generic[A], frozen=True):
    """A decision for the journal, with the text for the register. ``dry_run``: nothing is to be recorded."""

    decide: Callable[[A], Sequence[Event]]
    note: RegisteredText | None
    happened_at: datetime | None
    dry_run: bool
    prepared: Any


CarryOut: TypeAlias = Callable[[Request, ActCommand[A]], Awaitable[Response]]


def act_handler(
    path: str,
    id: str,
    summary: str,
    body: Any,
    need: Need,
    decide: DecideAct[A],
    carry_out: CarryOut[A],
    responses: Mapping[int, Content],
    *,
    prepare: Prepare | None = None,
    text: str | None = None,
    description: str = "",
    dry_run: str = "With `dry_run=true` nothing is recorded.",
    tag: str = "",
    method: Method = "POST",
) -> HTTPRouteHandler:
    """Make the handler of an act: read query and body, prepare, decide, and commit through ``carry_out``.

    ``need`` is the role that it needs. ``text``: the field of the body that holds the free text for the register, if there is one. A field
    ``public`` in the same body says that the text may be shown to everybody.
    """

    async def handle(request: Request) -> Response:
        dry, said = read_query(request, DryRun).dry_run, await read_body(request, body)
        prepared = await prepare(request, said) if prepare else None
        note = note_text(request, getattr(said, text) if text else None)
        ref = replace(note.ref, public=getattr(said, "public", False)) if note else None

        def decide_now(now: A) -> Sequence[Event]:
            return decide(CommandContext(request, now, said, ref, prepared))

        return await carry_out(request, ActCommand(decide_now, note, said.happened_at, dry, prepared))

    about = f"{description} {dry_run}".strip()
    operation = Operation(id, summary, responses, tag, about, DryRun, body=body, refuses=(422,), role=need)
    return build_route(method, path, operation, 201)(handle)


# Acts in a register are no events.


DecideAsked: TypeAlias = Callable[[Request, Any], Awaitable[Change]]
"""Checks and decides the change that the body asks for."""
TellMade: TypeAlias = Callable[[Request, str], Awaitable[Response]]
"""Answers with the current state of the thing that was made or changed, by its id."""


def register_act(
    path: str,
    id: str,
    summary: str,
    body: Any,
    decide: DecideAsked,
    tell: TellMade,
    *,
    says: Mapping[int, Content],
    description: str = "",
    refuses: tuple[int, ...] = (),
    role: Need = "director",
    within: Within | None = "body",
    tag: str = "",
    sends: Mapping[str, type[Struct]] = {},
    route: Callable[..., Decorator] = writes,
) -> HTTPRouteHandler:
    """Make the handler of an act in a register, which takes ``dry_run``.

    ``says``: the responses, by status. ``route``: ``ends`` and ``switches`` have no POST.
    """
    tried = Content("a dry run: the same without any secret, not stored", next(iter(says.values())).types)
    declared = route(
        path,
        id,
        summary,
        description=description,
        query=DryRun,
        body=body,
        responses={200: tried, **says},
        refuses=refuses,
        role=role,
        within=within,
        tag=tag,
        sends=sends,
    )

    async def handle(request: Request) -> Response:
        asked = await read_body(request, body) if body else None
        return await once(request, partial(decide, request, asked), partial(tell, request))

    return declared(handle)
