"""A game: its replay, and while it is played, the game as it goes on. Without script it is a list of what happened."""

from typing import Annotated, Literal
from uuid import UUID

from litestar.params import FromPath
from msgspec import Meta, Struct

from api.common.pages.asking import asked
from api.common.pages.shell import Page, shown
from api.games.requests import ForWhom
from api.http.fields import Whole
from api.http.media_types import HTML
from api.http.operations import PAGES, Content, Operation, reads
from api.http.query import read_query
from api.http.request import Request, services_of
from api.http.response import Response
from api.pages.may import may_record
from api.pages.replayed import replayed


class GamePageQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    view: ForWhom = None
    after: Annotated[Whole, Meta(description="without script: what happened after this position")] = 0
    embed: Annotated[Literal["1"], Meta(description="only table and slider, to be shown in a frame of another page")] | None = None


@reads(
    "/g/{game:uuid}",
    Operation(
        id="game_page",
        tag=PAGES,
        summary="A game: its replay, live while it is played",
        query=GamePageQuery,
        responses={200: Content("a page", {HTML: {"type": "string"}}, headers=("ETag",))},
        refuses=(403, 404),
        headers=("If-None-Match", "Accept-Language"),
    ),
)
async def game_page(request: Request, game: FromPath[UUID]) -> Response:
    query = read_query(request, GamePageQuery)
    found, me = await replayed(request, str(game), query.view, query.after), await asked(request, "/v1/me")
    page = Page(
        template="game.html.j2",
        title=found.title,
        description=found.description,
        values={
            "game": found,
            "embed": query.embed is not None,
            "public_url": services_of(request).public_url,
            "records": may_record(me.value if me.status == 200 else None, found.short),
        },
        script="replay.js",
        also=(f"cards/{found.deck}.js",) if found.deck else (),
        styles=("cards.css", "table.css", "replay.css", *(("desk.css",) if found.role else ())),
        public=found.published,
        embedded=query.embed is not None and found.published,
    )
    return await shown(request, page)
