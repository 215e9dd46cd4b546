"""The case book: rulings of all games with their reasons, for everybody who has a token."""

from msgspec.structs import replace

from api.common.lists import page_response
from api.common.texts import text_by_id
from api.http.fields import alike
from api.http.operations import Content, Operation, reads
from api.http.query import read_query
from api.http.request import Request, services_of
from api.http.response import Response
from api.rulings.requests import RulingsQuery
from projections.models.rulings import RULINGS, RulingFilters, RulingsPage, rulings_page


@reads(
    "/v1/rulings",
    Operation(
        id="list_rulings",
        tag="Rulings",
        summary="The case book: all rulings with their reasons, newest first",
        description="All filters given must hold. Players are not named; `reason` is null for a text that was erased.",
        query=RulingsQuery,
        responses={200: Content("a page of rulings", RulingsPage, headers=("Link",))},
        refuses=(422, 503),
    ),
)
async def list_rulings(request: Request) -> Response:
    query = read_query(request, RulingsQuery)
    return await page_response(request, RULINGS.name, query.min_sequence, lambda: _page(request, query))


def _page(request: Request, query: RulingsQuery) -> RulingsPage:
    filters = alike(query, RulingFilters)
    page = rulings_page(services_of(request).store, filters, query.cursor, query.limit)
    return replace(page, rulings=tuple(replace(case, reason=text_by_id(request, case.reason)) for case in page.rulings))
