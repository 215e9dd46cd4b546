"""The page of the case book: earlier rulings with filters and a search for words, as far as the reader may read them."""

from collections.abc import Mapping
from typing import Annotated, get_args
from urllib.parse import urlencode

from msgspec import Meta, field
from msgspec.structs import asdict

from api.common.pages.assets import page_language
from api.common.pages.internal_api import fetch_value
from api.common.pages.shell import Page, build_page_response, words
from api.common.rulebooks import about_of
from api.http.decoding import Cursor, Incoming, read_query
from api.http.operations import page, reads
from api.http.request import Request, services_of
from api.http.response import Response
from api.pages.names import titles
from domain.events.game import Decision

_SHOWN = 25
Typed = Annotated[str, Meta(max_length=100)]
Day = Annotated[str, Meta(pattern=r"^([0-9]{4}-[0-9]{2}-[0-9]{2})?$(?!\n)")]


class RulingsQuery(Incoming, frozen=True, kw_only=True):
    """The filters of ``GET /v1/rulings`` as a form sends them, with days in the place of moments."""

    q: Typed = ""
    ruleset: Typed = ""
    rules: Typed = ""
    decision: Typed = ""
    instance: Typed = ""
    tournament: Typed = ""
    from_: Day = field(default="", name="from")
    to: Day = ""
    cursor: Cursor = None


@reads("/rulings", page("case_book_page", "Show earlier rulings and search them", query=RulingsQuery, within="lists"))
async def rulings_page(request: Request) -> Response:
    query, said = read_query(request, RulingsQuery, from_form=True), words(page_language(request))
    given = {name.removesuffix("_"): str(value or "") for name, value in asdict(query).items()}
    chosen = {name: value for name, value in given.items() if value}
    found = await fetch_value(request, "/v1/rulings", limit=_SHOWN, **_filters(chosen))
    more = urlencode({**chosen, "cursor": found["next"]}) if found["next"] else None
    games = {id: about_of(ruleset).names[page_language(request)] for id, ruleset in services_of(request).rulesets.items()}
    values = {
        "given": given,
        "filtered": bool(chosen),
        "games": games,
        "decisions": get_args(Decision),
        "rulings": found["items"],
        "titles": await titles(request, (one["tournament"] for one in found["items"])),
        "more": more,
    }
    page = Page(template="case_book.html.j2", title=said["cases.title"], values=values, styles=("me.css",))
    return await build_page_response(request, page)


def _filters(given: Mapping[str, str]) -> Mapping[str, object]:
    """Return the filters as the API takes them: a day begins at midnight (UTC), and rules may be typed with blanks between."""
    moments = {name: f"{given[name]}T00:00:00Z" for name in ("from", "to") if name in given}
    cited = {"rules": ",".join(given["rules"].upper().replace(",", " ").split())} if "rules" in given else {}
    return {**given, **moments, **cited}
