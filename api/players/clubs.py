"""Clubs: nothing is known of them but their ids, and how many players are members."""

import asyncio
from typing import Annotated

from msgspec import Meta, Struct

from api.common.freshness import reach, reach_head
from api.common.reading import NO_CACHE, next_link
from api.http.fields import Whole
from api.http.operations import (
    JSON,
    Content,
    Operation,
    reads,
)
from api.http.query import query
from api.http.response import (
    Answer,
    Asked,
    encoded,
    house_of,
)
from projections.models.cursors import cursor_of, text_of
from projections.models.players.player_list import Club, clubs
from projections.models.players.projection import PLAYERS


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
async def list_clubs(request: Asked) -> Answer:
    wanted = query(request, ClubsQuery)
    await reach(request, PLAYERS.name, wanted.min_sequence)
    await reach_head(request, PLAYERS.name)
    after = text_of(wanted.cursor) if wanted.cursor is not None else ""
    found = await asyncio.to_thread(clubs, house_of(request).store, after, wanted.limit + 1)
    page = found[: wanted.limit]
    next = cursor_of(page[-1].club) if len(found) > wanted.limit else None
    headers = [("cache-control", NO_CACHE), ("vary", "authorization"), *([("link", next_link(request, cursor=next))] if next else [])]
    return Answer(encoded(Clubs(clubs=page, next=next)), headers=headers)
