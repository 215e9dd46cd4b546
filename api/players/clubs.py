"""Clubs: nothing is known of them but their ids, and how many players are members."""

from typing import Annotated

from msgspec import Meta, Struct

from api.common.lists import page_response
from api.http.fields import Whole
from api.http.operations import JSON, Content, Operation, reads
from api.http.query import read_query
from api.http.request import Request, services_of
from api.http.response import Response
from projections.cursors import cursor_of, text_of
from projections.player_list import Club, clubs
from projections.players import PLAYERS
from projections.store import Store


class ClubsQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    cursor: str | None = None
    limit: Annotated[int, Meta(ge=1, le=200)] = 50
    min_sequence: Whole | None = None


class Clubs(Struct, frozen=True, kw_only=True):
    """``next`` is the cursor of the following page, null on the last."""

    clubs: tuple[Club, ...]
    next: str | None


@reads(
    "/v1/clubs",
    Operation(
        id="list_clubs",
        tag="Players",
        summary="The clubs that players are in, by id, with the number of their members",
        query=ClubsQuery,
        answers={200: Content("a page of clubs", {JSON: Clubs}, headers=("Link",))},
        refuses=(422, 503),
    ),
)
async def list_clubs(request: Request) -> Response:
    query = read_query(request, ClubsQuery)
    after = text_of(query.cursor) if query.cursor is not None else ""
    return await page_response(request, PLAYERS.name, query.min_sequence, lambda: _page(services_of(request).store, after, query.limit))


def _page(store: Store, after: str, limit: int) -> Clubs:
    found = clubs(store, after, limit + 1)
    page = found[:limit]
    return Clubs(clubs=page, next=cursor_of(page[-1].club) if len(found) > limit else None)
