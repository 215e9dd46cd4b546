"""The page of a series: its tables, each line of which opens down to the results in its tournaments."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any

from litestar.params import FromPath
from msgspec import Meta

from api.common.lists import number
from api.common.pages.assets import page_language
from api.common.pages.internal_api import call_api, fetch_value
from api.common.pages.shell import Page, build_page_response, words
from api.http.decoding import Incoming, read_query
from api.http.operations import page, reads
from api.http.request import Request
from api.http.response import Response
from domain.texts import Texts


class SeriesPageQuery(Incoming, frozen=True, kw_only=True):
    after: Annotated[str, Meta(min_length=1, max_length=200, description="with the tournaments up to the end of this one")] | None = None


@reads("/s/{series:str}", page("series_page", "Show a series: its tables, with the results of each tournament", query=SeriesPageQuery))
async def series_page(request: Request, series: FromPath[str]) -> Response:
    query, said = read_query(request, SeriesPageQuery), words(page_language(request))
    now = await fetch_value(request, f"/v1/series/{series}/standings")
    shown = await fetch_value(request, f"/v1/series/{series}/standings", after=query.after) if query.after else now
    about = await fetch_value(request, f"/v1/series/{series}")
    title = now["title"] or said["series.untitled"]
    values = {
        "series": series,
        "about": about,
        "standings": shown,
        "after": query.after,
        "tournaments": await _name_tournaments(request, now["tournaments"], said),
        "number": partial(number, decimal=said["decimal"]),
    }
    return await build_page_response(request, Page(template="series.html.j2", title=title, values=values, styles=("tournament.css",)))


async def _name_tournaments(request: Request, played: Sequence[Mapping[str, Any]], said: Texts) -> Mapping[str, Mapping[str, Any]]:
    """Return the name of each tournament, and whether it has a link. One that is not published goes by its number, except to officials."""
    found = {}
    for place, one in enumerate(played, 1):
        answer = await call_api(request, f"/v1/tournaments/{one['tournament']}")
        opens = answer.status == 200 and (request.user.has_full_view or answer.value["publication"] != "no")
        title = answer.value["title"] if opens else None
        found[one["tournament"]] = {"number": place, "name": title or said["series.tournament"].format(number=place), "opens": opens}
    return found
