"""Lists of looks at hidden cards of a game, or of the games of a tournament, for directors only."""

import asyncio
from typing import Annotated, Self
from uuid import UUID

from litestar.params import FromPath
from msgspec import Meta
from msgspec.structs import replace

from api.common.access_audit import AccessView, access_view, access_writer
from api.common.lists import build_list_response
from api.common.tables.columns import Row, Table, columns_of, row_of
from api.common.tables.files import WHOLE, FileInfo, FormName, ListQuery, TableFile, list_formats, list_or_file
from api.common.time_zone import Times
from api.http.decoding import Name, PageQuery, ResponseModel, read_query
from api.http.operations import Content, reads
from api.http.paging import cursor_in_epoch, next_links
from api.http.request import Request, services_of
from api.http.response import Response, encode, schemas
from api.services import Sources
from domain.errors import BadCursor, Unknown
from domain.journal.registers import LookPlace, Registers, place_of_access
from domain.tournament.tournament import TOURNAMENT, tournament_stream
from projections.models.game_index import GAME_INDEX
from projections.models.reading import cursor_of, text_place_of


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
    "list_looks",
    "List the officials who looked at hidden cards of a game, newest first",
    tag="Looks",
    description=_WHAT,
    query=PageQuery,
    responses={200: Content("a page of looks", Looks, headers=("ETag", "Link"))},
    refuses=(503,),
    role="director",
)
async def list_looks(request: Request, game: FromPath[UUID]) -> Response:
    query = read_query(request, PageQuery)
    await services_of(request).journal.current(game)
    return await _list_response(request, query, game, None)


@reads(
    "/v1/tournaments/{tournament:str}/looks",
    "list_tournament_looks",
    "List the officials who looked at hidden cards in a tournament, newest first",
    tag="Looks",
    description=_WHAT,
    query=PageQuery,
    responses={200: Content("a page of looks", Looks, headers=("ETag", "Link"))},
    refuses=(503,),
    role="director",
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
    await access_writer(request).flush()
    found = await asyncio.to_thread(_page, services_of(request).registers, game, tournament, query.cursor, query.limit)
    body = replace(found, next=cursor_in_epoch(request, found.next))
    return build_list_response(request, encode(body), next_links(request, cursor=body.next))


def _page(registers: Registers, game: UUID | None, tournament: str | None, cursor: str | None, limit: int) -> Looks:
    before = None if cursor is None else _place(cursor)
    found = registers.list_looks(game=game, tournament=tournament, before=before, limit=limit + 1)
    page = found[:limit]
    next = cursor_of(" ".join(map(str, place_of_access(page[-1])))) if len(found) > len(page) else None
    return Looks(items=list(map(access_view, page)), next=next)


def _place(cursor: str) -> LookPlace:
    """Return the place of a cursor. Raises ``BadCursor``."""
    try:
        minute, game, view, principal = text_place_of(cursor).split(" ", 3)
        return minute, UUID(game), view, principal
    except ValueError:
        raise BadCursor from None


_KEY = ("minute", "game", "view", "by")
TABLE = Table("looks", "kiebitz-looks/1", "looks of officials at hidden cards, newest first", columns_of(AccessView), _KEY)


class AllLooksQuery(ListQuery, frozen=True, kw_only=True):
    tournament: Annotated[Name | None, Meta(description="at games of this tournament")] = None


class LooksFile(TableFile, frozen=True, kw_only=True):
    full_table = TABLE
    query = AllLooksQuery
    projections = (GAME_INDEX.name,)
    tournament: str | None

    @classmethod
    def make(cls, sources: Sources, query: AllLooksQuery, times: Times, form: FormName, about: FileInfo) -> Self:
        return cls(form=form, about=about, tournament=query.tournament)

    def found(self, sources: Sources, cursor: str | None, limit: int) -> Looks:
        return _page(sources.registers, None, self.tournament, cursor, limit)

    def row(self, one: AccessView) -> Row:
        return row_of(TABLE, one, game=str(one.game))


@reads(
    "/v1/tables/looks",
    "list_all_looks",
    "List the officials who looked at hidden cards of any game, newest first",
    tag="Looks",
    description=f"{_WHAT} {WHOLE}",
    query=AllLooksQuery,
    responses={200: Content("a page of looks", schemas(list_formats(Looks)), headers=("ETag", "Link"))},
    refuses=(503,),
    role="director",
)
async def list_all_looks(request: Request) -> Response:
    query = read_query(request, AllLooksQuery)
    await access_writer(request).flush()
    return await list_or_file(request, LooksFile, query)
