"""History of a game: every recorded event as the caller may see it, and its audit. Events that a rewind made void are marked."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from uuid import UUID

from litestar.params import FromPath
from msgspec.structs import replace

from api.common.access_audit import record_access, record_game_access
from api.common.audits import AuditRunner
from api.common.event_views import EventView, event_views
from api.common.live.change_feed import SharedReads
from api.common.long_reads import long_read
from api.common.reading import load_openness_context, openness_tag, past_of, viewer_for
from api.games.responses import History
from api.http.decoding import HistoryQuery, read_query
from api.http.errors import check_position
from api.http.guards import stream_response
from api.http.media_types import JSON, NDJSON
from api.http.operations import HEAVY, Content, reads
from api.http.paging import page_before, page_links
from api.http.request import Request, header, media_type, part_of, services_of
from api.http.response import Response, build_etag_response, encode, lines_of, no_store_response
from domain.errors import DataIntegrityError
from domain.game import Game
from domain.moves import viewpoint_of
from domain.opening import OpennessContext
from replay.audit_result import Audit


@reads(
    "/v1/games/{game:uuid}/history",
    "read_history",
    "Read a game's history, oldest event first",
    tag="Reading",
    description=(
        "JSON comes page by page. With `Accept: application/x-ndjson` all events from there on come, one a line, regardless of `limit`."
    ),
    query=HistoryQuery,
    responses={200: Content("events", {JSON: History, NDJSON: EventView}, headers=("ETag", "Link"))},
    refuses=(406,),
)
async def read_history(request: Request, game: FromPath[UUID]) -> Response:
    query = read_query(request, HistoryQuery)
    kind = media_type(header(request, b"accept"), (JSON, NDJSON))
    now = await services_of(request).journal.current(game)
    check_position(query.after, now.position)
    around = await load_openness_context(request, now)
    record_access(
        request,
        now,
        viewpoint_of(request.user, now),
        around,
        query.after + 1,
        now.position if kind == NDJSON else query.after + query.limit,
    )
    if kind == NDJSON:
        return stream_response(
            request, _lines(request, now, around, query.after), media_type=NDJSON, headers=_headers(request, now, around)
        )
    page = await asyncio.to_thread(_page, request, now, around, query)
    links = page_links(request, {"after": page.after}, page_before(query.after, query.limit))
    return build_etag_response(
        request, f"{_state(request, now, around)}.json", lambda: encode(page), headers=links, vary="accept, authorization"
    )


def _state(request: Request, game: Game, around: OpennessContext) -> str:
    return f"{game.position}.{viewpoint_of(request.user, game)}{openness_tag(game, around)}"


def _page(request: Request, game: Game, around: OpennessContext, query: HistoryQuery) -> History:
    events = list(islice(_views(request, game, around, query.after), query.limit))
    last = events[-1].position if events else game.position
    return History(game=game.id, position=game.position, events=events, after=last if last < game.position else None)


def _views(request: Request, game: Game, around: OpennessContext, after: int) -> Iterator[EventView]:
    return event_views(game, past_of(request, game.id), viewpoint_of(request.user, game), around, after, linked=True)


def _headers(request: Request, game: Game, around: OpennessContext) -> list[tuple[str, str]]:
    return [
        ("cache-control", "no-cache"),
        ("vary", "accept, authorization"),
        ("etag", f'"{_state(request, game, around)}.ndjson"'),
    ]


async def _lines(request: Request, game: Game, around: OpennessContext, after: int) -> AsyncGenerator[bytes, None]:
    told = await asyncio.to_thread(_views, request, game, around, after)
    while piece := await asyncio.to_thread(lines_of, told):
        yield piece


# Audit of a game: compare what was recorded with what the rules make of it.


@reads(
    "/v1/games/{game:uuid}/audit",
    "audit_game",
    "Audit a game's events against the rules",
    weight=HEAVY,
    tag="Reading",
    description=(
        "The audit judges each event separately, on the recorded table before it. For officials it reads the store each "
        "time, for others again after every new event. It names cards: a viewer gets it once the whole game is open. Hands "
        "that were taken back are included, and `…` stands for the values where something diverges."
    ),
    responses={200: Content("the verdict, and each divergence with its place", Audit)},
    refuses=(403,),
)
async def read_audit(request: Request, game: FromPath[UUID]) -> Response:
    await _check_viewpoint(request, game)
    # No ETag: tampering with an event does not change the position.
    found = await (_audit_now if request.user.has_full_view else _audit_once)(request, game)
    if found.divergences:
        await _record_access(request, game)
    return no_store_response(found if request.user.has_full_view else _redact_audit(found))


async def _audit_now(request: Request, game: UUID) -> Audit:
    store = services_of(request).journal.store
    return await _audit_game(request, len(await asyncio.to_thread(store.select_sequences, game)), game)


async def _audit_once(request: Request, game: UUID) -> Audit:
    """Return the audit, made once for all requests until anything else is recorded."""
    journal = services_of(request).journal
    key = (game, await asyncio.to_thread(journal.head), journal.store.epoch.id)
    return await part_of(request.app, SharedReads).audits.once(key, partial(_audit_now, request, game))


@long_read("audits")
def _audit_game(request: Request, game: UUID) -> Audit:
    services = services_of(request)
    return AuditRunner(services.journal.store, services.editions).game(game)


async def _record_access(request: Request, id: UUID) -> None:
    """Note a look: a divergence in an audit names cards. Without an opening event there is no game to note it for."""
    with suppress(DataIntegrityError):
        game = await services_of(request).journal.current(id)
        record_game_access(request, game, await load_openness_context(request, game))


async def _check_viewpoint(request: Request, id: UUID) -> None:
    """Check that the caller may see the audit. Raises ``Forbidden``.

    For those who see all the game need not be readable: its opening may be the damaged event.
    """
    if not request.user.has_full_view:
        game = await services_of(request).journal.current(id)
        around = await load_openness_context(request, game)
        viewer_for(request, game, "arbiter", is_open=game.is_open_through(game.position, around))


def _redact_audit(found: Audit) -> Audit:
    """Return the audit with the places of divergences, but not their content, which may be the digest of a text, whole or in part."""
    return replace(found, divergences=tuple(replace(one, recorded="…", recomputed="…") for one in found.divergences))
