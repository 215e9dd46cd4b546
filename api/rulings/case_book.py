"""The case book: rulings of all games with their reasons, for everybody who has a token."""

import asyncio

from msgspec.structs import replace

from api.common.freshness import reach, reach_head
from api.common.reading import NO_CACHE, next_link
from api.http.fields import RulingsQuery
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
from api.rulings.texts import text_of
from projections.models.rulings import RULINGS, CaseFilters, Cases, rulings


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
async def list_rulings(request: Asked) -> Answer:
    wanted = query(request, RulingsQuery)
    await reach(request, RULINGS.name, wanted.min_sequence)
    await reach_head(request, RULINGS.name)
    page = await asyncio.to_thread(_page, request, wanted)
    headers = [("cache-control", NO_CACHE), ("vary", "authorization")]
    if page.next:
        headers.append(("link", next_link(request, cursor=page.next)))
    return Answer(encoded(page), headers=headers)


def _page(asked: Asked, wanted: RulingsQuery) -> Cases:
    filters = CaseFilters(**{name: getattr(wanted, name) for name in CaseFilters.__struct_fields__})
    page = rulings(house_of(asked).store, filters, wanted.cursor, wanted.limit)
    return replace(page, rulings=tuple(replace(case, reason=text_of(asked, case.reason)) for case in page.rulings))
