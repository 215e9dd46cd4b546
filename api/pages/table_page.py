"""A table of a tournament: what the code on it leads to. The game that is on there, for who records it his page of it; or what is next."""

from collections.abc import Mapping
from typing import Any

from litestar.params import FromPath

from api.common.pages.appearance import spoken_to
from api.common.pages.asking import Untold, asked, told
from api.common.pages.shell import Page, shown, words
from api.http.media_types import HTML
from api.http.operations import PAGES, Content, Operation, reads
from api.http.request import Request
from api.http.response import Response
from api.http.tokens import WRITERS
from api.pages.names import titles


@reads(
    "/t/{tournament:str}/{table:str}",
    Operation(
        id="table_page",
        tag=PAGES,
        summary="A table of a tournament: leads to the game that is on there, or says what is next",
        responses={200: Content("a page", {HTML: {"type": "string"}}), 303: Content("to the game", {}, headers=("Location",))},
        refuses=(404,),
        headers=("If-None-Match", "Accept-Language"),
    ),
)
async def table_page(request: Request, tournament: FromPath[str], table: FromPath[str]) -> Response:
    answer = await asked(request, f"/v1/tournaments/{tournament}/tables/{table}")
    if answer.status == 404 and await _is_his(request, tournament, table):
        return await _waiting(request, tournament, table, None)
    if answer.status >= 400:
        raise Untold(answer)
    now = answer.value
    if now["game"] is not None:
        room = "/record" if request.user.role in WRITERS and now["state"] == "playing" else ""
        headers = (("location", f"/g/{now['game']['game']}{room}"), ("cache-control", "no-store"), ("vary", "cookie, authorization"))
        return Response(b"", status=303, headers=headers)
    return await _waiting(request, tournament, table, now)


async def _is_his(request: Request, tournament: str, table: str) -> bool:
    """Whether the reader was let in for this table, for which nothing has to be paired yet."""
    me = await told(request, "/v1/me")
    return isinstance(me["scope"], dict) and (me["scope"].get("tournament"), me["scope"].get("table")) == (tournament, table)


async def _waiting(request: Request, tournament: str, table: str, now: Mapping[str, Any] | None) -> Response:
    title = words(spoken_to(request))["tournament.table"].format(table=table)
    values = {"now": now, "tournament": tournament, "titles": await titles(request, [tournament])}
    return await shown(request, Page(template="table.html.j2", title=title, values=values, script="next.js"))
