"""List the valid sessions, and end one's own or another one, such as that of a lost phone."""

import asyncio
from functools import partial

from litestar.params import FromPath

from api.common.commands import Change, once
from api.common.lists import page_of
from api.http.browsers.sessions import Sessions
from api.http.decoding import DryRun, PageQuery, read_query
from api.http.errors import say
from api.http.operations import Content, ends, reads
from api.http.request import Request, part_of, services_of
from api.http.response import Response, no_store_response
from api.sessions.entering import allow_any_role
from api.sessions.responses import SessionEnded, SessionList, session_view
from domain.access import HOUSE, covers, is_within
from domain.errors import Forbidden, Unknown
from domain.journal.registers import stamp
from domain.journal.sessions import Session


def can_end_session(request: Request, session: Session) -> bool:
    """Return whether the caller may end the session: their own, or as a director one within their scope."""
    user = request.user
    return session.principal == user.id or (user.role == "director" and is_within(session.grant.scope, user.grant.scope))


@reads(
    "/v1/sessions",
    "list_sessions",
    "List your own sessions, or as a director all within your scope",
    query=PageQuery,
    responses={200: Content("a page of sessions, oldest first", SessionList, headers=("Link",))},
    within="body",
    admit=allow_any_role,
)
async def list_sessions(request: Request) -> Response:
    services, query, sessions = services_of(request), read_query(request, PageQuery), part_of(request.app, Sessions)
    kept = await asyncio.to_thread(services.registers.list_sessions, stamp(services.clock()))
    mine = (one for one in kept if can_end_session(request, one))
    shown, next, links = await page_of(request, query, mine, lambda one: f"{one.began_at} {one.id}", sessions.goes_on)
    told = SessionList(items=[session_view(one, own=one.principal == request.user.id) for one in shown], next=next)
    return no_store_response(told, headers=links, vary="authorization")


@ends(
    "/v1/sessions/{session:str}",
    "end_session",
    "End a session",
    description="End your own session, or as a director one within your scope. It ends at once, on other servers within a second.",
    query=DryRun,
    responses={200: Content("it is over", SessionEnded)},
    within="body",
    admit=allow_any_role,
)
async def end_session(request: Request, session: FromPath[str]) -> Response:
    """End a session. Callers who may not know of a session get the same response whether it exists or not."""

    async def tell(_: str) -> Response:
        return no_store_response(SessionEnded(id=session), vary="authorization")

    async def decide() -> Change:
        found = await asyncio.to_thread(services_of(request).registers.session_of, session)
        if found is None and request.user.role == "director" and covers(request.user.grant.scope, HOUSE):
            raise Unknown("session", session)
        if found is None or not can_end_session(request, found):
            raise Forbidden(say("session_unknown"), "director")
        return Change(SessionEnded(id=session), partial(part_of(request.app, Sessions).end, found))

    return await once(request, decide, tell)
