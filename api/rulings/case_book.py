"""The case book: rulings of all games, for everybody who has a token, with the reasons that he may read."""

from msgspec.structs import replace

from api.common.lists import know_what_is_dark, page_response
from api.common.texts import reason_of, text_by_id
from api.http.fields import alike
from api.http.operations import Content, Operation, reads
from api.http.places import reach_of
from api.http.query import read_query
from api.http.request import Request, services_of
from api.http.response import Response
from api.rulings.requests import RulingsQuery
from projections.models.rulings import RULINGS, RulingCase, RulingFilters, RulingsPage, rulings_page


@reads(
    "/v1/rulings",
    Operation(
        id="list_rulings",
        tag="Rulings",
        summary="The case book: all rulings with their reasons, newest first",
        description=(
            "All filters given must hold. Players are not named. `reason` is null for a text that was erased, and for viewers until it is "
            "public or its position is open. Rulings in games that are not live are told to viewers when these are over."
        ),
        query=RulingsQuery,
        responses={200: Content("a page of rulings", RulingsPage, headers=("ETag", "Link"))},
        refuses=(503,),
        headers=("If-None-Match",),
        within="lists",
    ),
)
async def list_rulings(request: Request) -> Response:
    query = read_query(request, RulingsQuery)
    await know_what_is_dark(request)
    return await page_response(request, RULINGS.name, query.min_sequence, lambda: _page(request, query))


def _page(request: Request, query: RulingsQuery) -> RulingsPage:
    filters = alike(query, RulingFilters)
    page = rulings_page(services_of(request).store, reach_of(request), filters, query.cursor, query.limit, public=not request.user.sees_all)
    return replace(page, rulings=tuple(replace(case, reason=_reason(request, case)) for case in page.rulings))


def _reason(request: Request, case: RulingCase) -> str | None:
    """Only for a viewer the game is asked, which may have to be folded."""
    if case.reason is None or request.user.sees_all:
        return text_by_id(request, case.reason)
    return reason_of(request, services_of(request).journal.game(case.game), case.reason, case.position)
