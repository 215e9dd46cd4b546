"""The page of a rating list: the players of a ruleset, best first, now, of an earlier date, or as published."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any
from urllib.parse import quote, urlencode

from msgspec import Meta
from msgspec.structs import asdict

from api.common.pages.shell import Page, build_page_response, fetch_value, page_language, words
from api.common.rulebooks import about_of
from api.common.time_zone import format_day
from api.http.decoding import Cursor, Incoming, read_query
from api.http.operations import shows
from api.http.places import visibility_of
from api.http.request import Request, services_of
from api.http.response import Response
from domain.ratings import PROVISIONAL_BELOW

_SHOWN = 50
_LISTS = 100  # the newest published ones


class RatingsPageQuery(Incoming, frozen=True, kw_only=True):
    """The filters of ``GET /v1/ratings`` as a form sends them, with a day in the place of a moment; or the number of a published list."""

    ruleset: Annotated[str, Meta(max_length=100)] = ""
    to: Annotated[str, Meta(pattern=r"^([0-9]{4}-[0-9]{2}-[0-9]{2})?$(?!\n)")] = ""
    club: Annotated[str, Meta(max_length=200)] = ""
    established: Annotated[str, Meta(pattern="^(yes)?$")] = ""
    number: Annotated[str, Meta(pattern=r"^[0-9]{0,9}$(?!\n)")] = ""
    cursor: Cursor = None


@shows("/ratings", "ratings_page", "Show the rating list of a game, or one that was published", query=RatingsPageQuery, within="published")
async def ratings_page(request: Request) -> Response:
    query, language = read_query(request, RatingsPageQuery, from_form=True), page_language(request)
    said, services = words(language), services_of(request)
    chosen, inside = {name: value for name, value in asdict(query).items() if value}, visibility_of(request).whole
    published = (await fetch_value(request, "/v1/ratings/lists", limit=_LISTS))["items"]
    chosen.setdefault("ruleset", await _choose_ruleset(request, published, inside=inside))
    own = [one for one in published if one["ruleset"] == chosen["ruleset"]]
    if not inside and own:
        chosen.setdefault("number", str(own[0]["number"]))
    path, asked = _ask_list(chosen)
    found = await fetch_value(request, path, limit=_SHOWN, **asked) if inside or own else {"items": [], "next": None}
    values = {
        "given": {**asdict(query), **chosen},
        "games": {id: about_of(ruleset).names[language] for id, ruleset in services.rulesets.items()},
        "list": found,
        "shown": found.get("published"),
        "published": own,
        "inside": inside,
        "publishes": inside and request.user.role == "director",
        "provisional_below": PROVISIONAL_BELOW,
        "day": partial(format_day, zone=services.time_zone, language=language),
        "more": urlencode({**chosen, "cursor": found["next"]}) if found["next"] else None,
        "path": path,
        "file": urlencode({name: value for name, value in asked.items() if name != "cursor"}),
    }
    return await build_page_response(
        request, Page(template="ratings.html.j2", title=said["ratings.title"], values=values, styles=("tournament.css", "me.css"))
    )


def _ask_list(chosen: Mapping[str, str]) -> tuple[str, dict[str, object]]:
    """Return the address and the query of the list in the API."""
    if chosen.get("number"):
        path = f"/v1/ratings/lists/{quote(chosen['ruleset'], safe='')}/{chosen['number']}"
        return path, {name: value for name, value in chosen.items() if name == "cursor"}
    asked: dict[str, object] = {name: value for name, value in chosen.items() if name != "established"}
    return "/v1/ratings", asked | ({"minimum_games": PROVISIONAL_BELOW} if chosen.get("established") else {})


async def _choose_ruleset(request: Request, published: Sequence[Mapping[str, Any]], *, inside: bool) -> str:
    """Return the ruleset of the newest result, for readers of the house; otherwise that of the newest published list; else any."""
    newest = (await fetch_value(request, "/v1/results", limit=1))["items"] if inside else published
    return str(newest[0]["ruleset"] if newest else next(iter(services_of(request).rulesets)))
