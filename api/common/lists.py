"""Pages of lists that are read from a projection."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Literal, TypeAlias, TypeVar

from msgspec.structs import replace

from api.common.freshness import wait_for_head, wait_for_sequence
from api.common.reaching import wait_for_reach
from api.http.etag import content_hash, respond_with_etag
from api.http.fields import PageQuery
from api.http.paging import bare_cursor, cursor_in_epoch, next_links, same_epoch
from api.http.request import Request
from api.http.response import Response, encode
from domain.standings.tie_breaks import TIE_BREAKS, TieBreak
from domain.texts import COMMON, sentence
from projections.models.cursors import cursor_of, text_place_of
from projections.models.game_index import GAME_INDEX

Kept = TypeVar("Kept")
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


async def page_of(
    request: Request,
    query: PageQuery,
    known: Iterable[Kept],
    place_of: Callable[[Kept], str],
    shows: Callable[[Kept], Awaitable[bool]] | None = None,
) -> tuple[list[Kept], str | None, list[tuple[str, str]]]:
    """A page of rows of a register, the cursor of the next one, and the header that leads there. Raises ``BadCursor``.

    ``known``: in the order of their places, which are texts. ``shows``: asked of no more of them than the page takes.
    """
    after, found = "" if query.cursor is None else text_place_of(bare_cursor(query.cursor)), list[Kept]()
    for one in known:
        if len(found) > query.limit:
            break
        if place_of(one) > after and (shows is None or await shows(one)):
            found.append(one)
    page = found[: query.limit]
    next = cursor_in_epoch(request, cursor_of(place_of(page[-1])) if len(found) > len(page) else None)
    return page, next, next_links(request, cursor=next)


def listed(request: Request, body: bytes, headers: Iterable[tuple[str, str]] = (), vary: str = "authorization") -> Response:
    """With an ETag of the body itself: who asks again is told in a word where nothing came and nothing changed."""
    return respond_with_etag(request, f"{content_hash(body)}.json", lambda: body, headers=headers, vary=vary)


# Figures of standings, and where their lots come from, as people write them.


LotsFrom: TypeAlias = Literal["open", "bound", "drawn", "given"]


def number(value: float | None, decimal: str) -> str:
    """No more than three places, with the sign of the language; a dash for none."""
    if value is None:
        return "–"
    return f"{value:.3f}".rstrip("0").rstrip(".").replace(".", decimal)


def figure(tie_break: TieBreak, value: float | None, decimal: str) -> str:
    """Of a lot its beginning, in the digits in which it is drawn: the lowest goes first."""
    if TIE_BREAKS[tie_break].drawn and value is not None:
        return f"{int(value):012x}"[:4]
    return number(value, decimal)


def lots_line(how: LotsFrom, dice: int, language: str) -> str:
    """Where the lots come from. ``dice``: how many were promised."""
    return sentence(f"lots.{how}.dice" if dice and how in ("bound", "drawn") else f"lots.{how}", {"dice": dice}, language, (COMMON,))
