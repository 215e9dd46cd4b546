"""Lists of looks at hidden cards of a game, or of the games of a tournament, for directors only."""

import asyncio
from uuid import UUID

from litestar.params import FromPath

from api.common.access_audit import AccessView, access_view, access_writer
from api.common.lists import build_list_response
from api.http.decoding import PageQuery, ResponseModel, read_query
from api.http.operations import Content, Operation, reads
from api.http.paging import cursor_in_epoch, next_links
from api.http.request import Request, services_of
from api.http.response import Response, encode
from domain.errors import BadCursor, Unknown
from domain.journal.registers import LookPlace, place_of_access
from domain.tournament.tournament import TOURNAMENT, tournament_stream
from projections.models.cursors import cursor_of, text_place_of


class Looks(ResponseModel, frozen=True, kw_only=True):
    """The newest minute first. ``next`` is the cursor of the following page, null on the last."""

    items: list[AccessView]
    next: str | None


_WHAT = (
    "There is one line for each principal, game and view in a minute, however often they looked. A look through this server is "
    "listed at once, through other servers within seconds. Lines are removed after a year. The recording of moves by officials "
    "is not a look: it stands in the history."
)


@reads(
    "/v1/games/{game:uuid}/looks",
    Operation(
        id="list_looks",
        tag="Looks",
        summary="List the officials who looked at hidden cards of a game, newest first",
        description=_WHAT,
        query=PageQuery,
        responses={200: Content("a page of looks", Looks, headers=("ETag", "Link"))},
        refuses=(503,),
        role="director",
    ),
)
async def list_looks(request: Request, game: FromPath[UUID]) -> Response:
    query = read_query(request, PageQuery)
    await services_of(request).journal.current(game)
    return await _list_response(request, query, game, None)


@reads(
    "/v1/tournaments/{tournament:str}/looks",
    Operation(
        id="list_tournament_looks",
        tag="Looks",
        summary="List the officials who looked at hidden cards in a tournament, newest first",
        description=_WHAT,
        query=PageQuery,
        responses={200: Content("a page of looks", Looks, headers=("ETag", "Link"))},
        refuses=(503,),
        role="director",
    ),
)
async def list_tournament_looks(request: Request, tournament: FromPath[str]) -> Response:
    query = read_query(request, PageQuery)
    try:
        await services_of(request).journal.current_of(TOURNAMENT, tournament_stream(tournament))
    except Unknown:
        raise Unknown("tournament", tournament) from None
    return await _list_response(request, query, None, tournament)


async def _list_response(request: Request, query: PageQuery, game: UUID | None, tournament: str | None) -> Response:
    """Return a page of looks. Raises ``BadCursor``.

    Buffered looks are written first. Raises what the store raises if that fails: an incomplete list must not look complete.
    """
    before = None if query.cursor is None else _place(query.cursor)
    await access_writer(request).flush()
    registers = services_of(request).registers
    found = await asyncio.to_thread(lambda: registers.list_looks(game=game, tournament=tournament, before=before, limit=query.limit + 1))
    page = found[: query.limit]
    next = cursor_of(" ".join(map(str, place_of_access(page[-1])))) if len(found) > len(page) else None
    body = Looks(items=list(map(access_view, page)), next=cursor_in_epoch(request, next))
    return build_list_response(request, encode(body), next_links(request, cursor=body.next))


def _place(cursor: str) -> LookPlace:
    """Return the place of a cursor. Raises ``BadCursor``."""
    try:
        minute, game, view, principal = text_place_of(cursor).split(" ", 3)
        return minute, UUID(game), view, principal
    except ValueError:
        raise BadCursor from None


# The routes of this wing, as ``api/app.py`` joins them.


ROUTES = (list_looks, list_tournament_looks)
