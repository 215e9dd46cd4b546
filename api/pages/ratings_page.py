"""The page of a rating list: the players of a ruleset, best first, now or of an earlier date."""

from functools import partial
from typing import Annotated
from urllib.parse import urlencode

from msgspec import Meta
from msgspec.structs import asdict

from api.common.pages.assets import page_language
from api.common.pages.shell import Page, build_page_response, fetch_value, words
from api.common.rulebooks import about_of
from api.common.time_zone import format_day
from api.http.decoding import Cursor, Incoming, read_query
from api.http.operations import page, reads
from api.http.request import Request, services_of
from api.http.response import Response
from domain.ratings import PROVISIONAL_BELOW

_SHOWN = 50


class RatingsPageQuery(Incoming, frozen=True, kw_only=True):
    """The filters of ``GET /v1/ratings`` as a form sends them, with a day in the place of a moment."""

    ruleset: Annotated[str, Meta(max_length=100)] = ""
    to: Annotated[str, Meta(pattern=r"^([0-9]{4}-[0-9]{2}-[0-9]{2})?$(?!\n)")] = ""
    club: Annotated[str, Meta(max_length=200)] = ""
    established: Annotated[str, Meta(pattern="^(yes)?$")] = ""
    cursor: Cursor = None


@reads("/ratings", page("ratings_page", "Show the rating list of a game", query=RatingsPageQuery, within="house"))
async def ratings_page(request: Request) -> Response:
    query, language = read_query(request, RatingsPageQuery, from_form=True), page_language(request)
    said, services = words(language), services_of(request)
    chosen = {name: value for name, value in asdict(query).items() if value}
    chosen.setdefault("ruleset", await _last_played(request))
    asked: dict[str, object] = {name: value for name, value in chosen.items() if name != "established"}
    if query.established:
        asked["minimum_games"] = PROVISIONAL_BELOW
    found = await fetch_value(request, "/v1/ratings", limit=_SHOWN, **asked)
    values = {
        "given": {**asdict(query), **chosen},
        "games": {id: about_of(ruleset).names[language] for id, ruleset in services.rulesets.items()},
        "list": found,
        "day": partial(format_day, zone=services.time_zone, language=page_language(request)),
        "more": urlencode({**chosen, "cursor": found["next"]}) if found["next"] else None,
        "file": urlencode({name: value for name, value in asked.items() if name != "cursor"}),
    }
    return await build_page_response(
        request, Page(template="ratings.html.j2", title=said["ratings.title"], values=values, styles=("tournament.css", "me.css"))
    )


async def _last_played(request: Request) -> str:
    """Return the ruleset of the newest result; before the first one any."""
    newest = (await fetch_value(request, "/v1/results", limit=1))["items"]
    return str(newest[0]["ruleset"] if newest else next(iter(services_of(request).rulesets)))
