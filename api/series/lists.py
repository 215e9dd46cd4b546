"""Reads of series: their list, one of them, and its history."""

import asyncio

from litestar.params import FromPath

from api.common.event_views import event_view_without_text
from api.common.lists import page_response
from api.common.texts import text_by_id
from api.http.decoding import HistoryQuery, copy_fields, read_query
from api.http.errors import check_position
from api.http.operations import Content, reads
from api.http.paging import bare_cursor, page_before, page_links
from api.http.places import visibility_of
from api.http.request import Request, services_of
from api.http.response import Response, build_etag_response, content_hash, encode
from api.series.reading import current_series
from api.series.requests import SeriesQuery
from api.series.responses import MemberView, SeriesHistory, SeriesList, SeriesListRow, SeriesView
from projections.models.series import SERIES_INDEX, series_page


@reads(
    "/v1/series/{series:str}",
    "read_series",
    "Read a series: its plan and its tournaments",
    responses={200: Content("the series", SeriesView, headers=("ETag",))},
)
async def read_series(request: Request, series: FromPath[str]) -> Response:
    now = await current_series(request, series)
    title = await asyncio.to_thread(text_by_id, request, now.title)
    members = [copy_fields(one, MemberView) for one in now.tournaments]
    body = encode(copy_fields(now, SeriesView, id=now.series, title=title, tournaments=members))
    return build_etag_response(request, f"{now.position}.{content_hash(body)}", lambda: body)


@reads(
    "/v1/series",
    "list_series",
    "List series, newest first",
    description="`Link` names the next page.",
    query=SeriesQuery,
    responses={200: Content("a page of series", SeriesList, headers=("ETag", "Link"))},
    within="published",
)
async def list_series(request: Request) -> Response:
    query, services = read_query(request, SeriesQuery), services_of(request)

    def read() -> SeriesList:
        page = series_page(services.store, visibility_of(request), bare_cursor(query.cursor) if query.cursor else None, query.limit)
        rows = [copy_fields(row, SeriesListRow, id=row.series, title=text_by_id(request, row.title)) for row in page.rows]
        return SeriesList(items=rows, next=page.next)

    return await page_response(request, SERIES_INDEX.name, query.min_sequence, read)


@reads(
    "/v1/series/{series:str}/history",
    "read_series_history",
    "Read the history of a series, oldest event first",
    description="`Link` names the next page.",
    query=HistoryQuery,
    responses={200: Content("events", SeriesHistory, headers=("ETag", "Link"))},
)
async def read_series_history(request: Request, series: FromPath[str]) -> Response:
    query, now = read_query(request, HistoryQuery), await current_series(request, series)
    check_position(query.after, now.position)
    sees_all = request.user.has_full_view
    history = await asyncio.to_thread(services_of(request).journal.history, now.id, query.after, query.limit)
    recorded = [one for one in history if one.position <= now.position]
    last = recorded[-1].position if recorded else now.position
    page = SeriesHistory(
        series=now.series,
        position=now.position,
        events=[event_view_without_text(one, sees_all=sees_all, linked=True) for one in recorded],
        after=last if last < now.position else None,
    )
    links = page_links(request, {"after": page.after}, page_before(query.after, query.limit))
    etag = f"{now.position}.{'arbiter' if sees_all else 'public'}.json"
    return build_etag_response(request, etag, lambda: encode(page), headers=links)
