"""The case book: rulings of all games with their reasons, for everybody who has a token."""

import asyncio

from msgspec.structs import replace

from api.common.freshness import wait_for_head, wait_for_sequence
from api.common.texts import text_of
from api.http.etag import NO_CACHE
from api.http.operations import (
    JSON,
    Content,
    Operation,
    reads,
)
from api.http.paging import next_link
from api.http.query import read_query
from api.http.request import Request, services_of
from api.http.response import Response, encode
from api.rulings.requests import RulingsQuery
from projections.rulings import RULINGS, CaseFilters, Cases, rulings


@reads(
    "/v1/rulings",
    Operation(
        id="list_rulings",
        tag="Rulings",
        summary="The case book: all rulings with their reasons, newest first",
        description="All filters given must hold. Players are not named; `reason` is null for a text that was erased.",
        query=RulingsQuery,
        answers={200: Content("a page of rulings", {JSON: Cases}, headers=("Link",))},
        refuses=(422, 503),
    ),
)
async def list_rulings(request: Request) -> Response:
    query = read_query(request, RulingsQuery)
    await wait_for_sequence(request, RULINGS.name, query.min_sequence)
    await wait_for_head(request, RULINGS.name)
    page = await asyncio.to_thread(_page, request, query)
    headers = [("cache-control", NO_CACHE), ("vary", "authorization")]
    if page.next:
        headers.append(("link", next_link(request, cursor=page.next)))
    return Response(encode(page), headers=headers)


def _page(request: Request, query: RulingsQuery) -> Cases:
    filters = CaseFilters(**{name: getattr(query, name) for name in CaseFilters.__struct_fields__})
    page = rulings(services_of(request).store, filters, query.cursor, query.limit)
    return replace(page, rulings=tuple(replace(case, reason=text_of(request, case.reason)) for case in page.rulings))
