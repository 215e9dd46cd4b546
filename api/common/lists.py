"""Lists read from a projection or a register, in pages, with cursors and ETags."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Literal, TypeAlias, TypeVar

from msgspec.structs import replace

from api.common.consistency import wait_for_head, wait_for_sequence, wait_for_visibility
from api.http.decoding import PageQuery
from api.http.paging import bare_cursor, cursor_in_epoch, next_links, same_epoch
from api.http.request import Request
from api.http.response import Response, build_etag_response, content_hash, encode
from domain.standings.tie_breaks import TIE_BREAKS, TieBreak
from domain.texts import COMMON, sentence
from projections.models.game_index import GAME_INDEX
from projections.models.reading import cursor_of, text_place_of

Kept = TypeVar("Kept")
Page: TypeAlias = Any
"""A Struct with ``items``, whose field ``next`` is the cursor of the following page, ``None`` on the last."""


async def page_response(
    request: Request, projection: str, min_sequence: int | None, read: Callable[[], Page], headers: Iterable[tuple[str, str]] = ()
) -> Response:
    """Return the page that ``read`` returns. ``read`` is called in a thread once the projection contains what was recorded before the
    request.

    Raises ``ProjectionLagError`` and ``Building``, and what ``read`` raises.
    """
    await wait_for_sequence(request, projection, min_sequence)
    await wait_for_head(request, projection)
    await wait_for_visibility(request)
    found = await asyncio.to_thread(read)
    await same_epoch(request)
    page = replace(found, next=cursor_in_epoch(request, found.next))
    links = next_links(request, cursor=page.next)
    return build_list_response(request, encode(page), [*links, *headers], "accept, accept-language, authorization")


async def wait_for_hidden_games(request: Request) -> None:
    """Wait for the list of games, for lists that leave out the acts of dark games for callers who do not see all. Raises ``Building``."""
    if not request.user.has_full_view:
        await wait_for_head(request, GAME_INDEX.name)


async def page_of(
    request: Request,
    query: PageQuery,
    known: Iterable[Kept],
    place_of: Callable[[Kept], str],
    shows: Callable[[Kept], Awaitable[bool]] | None = None,
) -> tuple[list[Kept], str | None, list[tuple[str, str]]]:
    """Return a page of rows of a register, the cursor of the next page, and the link header to it. Raises ``BadCursor``.

    ``known``: in the order of their places, which are texts. ``shows`` is called for no more rows than the page needs.
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


def build_list_response(request: Request, body: bytes, headers: Iterable[tuple[str, str]] = (), vary: str = "authorization") -> Response:
    """Return a response whose ETag is a hash of its body: a repeated request gets 304 where nothing changed."""
    return build_etag_response(request, f"{content_hash(body)}.json", lambda: body, headers=headers, vary=vary)


# Figures of standings, and the source of their lots, as people write them.


LotsFrom: TypeAlias = Literal["open", "bound", "drawn", "given"]


def number(value: float | None, decimal: str) -> str:
    """Return a number with at most three decimals and the decimal sign of the language; a dash for none."""
    if value is None:
        return "–"
    return f"{value:.3f}".rstrip("0").rstrip(".").replace(".", decimal)


def format_tie_break(tie_break: TieBreak, value: float | None, decimal: str) -> str:
    """Return the text of a tie-break. A lot is shown by its first four hexadecimal digits; the lowest lot goes first."""
    if TIE_BREAKS[tie_break].drawn and value is not None:
        return f"{int(value):012x}"[:4]
    return number(value, decimal)


def lots_line(how: LotsFrom, dice: int, language: str) -> str:
    """Return the sentence that says where the lots come from. ``dice``: how many dice were promised."""
    return sentence(f"lots.{how}.dice" if dice and how in ("bound", "drawn") else f"lots.{how}", {"dice": dice}, language, (COMMON,))
