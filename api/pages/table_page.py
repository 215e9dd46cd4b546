"""A table of a tournament: what the code on it leads to. The game that is on there, for who records it his page of it; or what is next."""

from litestar.params import FromPath

from api.common.pages.appearance import spoken_to
from api.common.pages.asking import told
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
    now = await told(request, f"/v1/tournaments/{tournament}/tables/{table}")
    if now["game"] is not None:
        room = "/record" if request.user.role in WRITERS and now["state"] == "playing" else ""
        headers = (("location", f"/g/{now['game']['game']}{room}"), ("cache-control", "no-store"), ("vary", "cookie, authorization"))
        return Response(b"", status=303, headers=headers)
    title = words(spoken_to(request))["tournament.table"].format(table=table)
    return await shown(
        request, Page(template="table.html.j2", title=title, values={"now": now, "titles": await titles(request, [tournament])})
    )
