"""Pages of lists that are read from a projection."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from msgspec.structs import replace

from api.common.freshness import wait_for_head, wait_for_sequence
from api.common.reaching import wait_for_reach
from api.http.etag import content_hash, respond_with_etag
from api.http.paging import cursor_in_epoch, next_links, same_epoch
from api.http.request import Request
from api.http.response import Response, encode
from projections.models.game_index.projection import GAME_INDEX

Page: TypeAlias = Any
"""A Struct whose field ``next`` is the cursor of the following page, ``None`` on the last."""


async def page_response(request: Request, projection: str, min_sequence: int | None, read: Callable[[], Page]) -> Response:
    """The page that ``read`` returns, called in a thread once the projection has taken what was recorded before the request.

    Raises ``Behind`` and ``Building``, and what ``read`` raises.
    """
    await wait_for_sequence(request, projection, min_sequence)
    await wait_for_head(request, projection)
    await wait_for_reach(request)
    found = await asyncio.to_thread(read)
    await same_epoch(request)
    page = replace(found, next=cursor_in_epoch(request, found.next))
    return listed(request, encode(page), next_links(request, cursor=page.next), "accept, accept-language, authorization")


async def know_what_is_dark(request: Request) -> None:
    """For lists that leave out, for those who do not see all, what games do that are dark. Raises ``Building``."""
    if not request.user.sees_all:
        await wait_for_head(request, GAME_INDEX.name)


def listed(request: Request, body: bytes, headers: Iterable[tuple[str, str]] = (), vary: str = "authorization") -> Response:
    """With an ETag of the body itself: who asks again is told in a word where nothing came and nothing changed."""
    return respond_with_etag(request, f"{content_hash(body)}.json", lambda: body, headers=headers, vary=vary)
