"""The page of the case book: earlier rulings with filters and a search for words, as far as the reader may read them."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Literal, get_args
from urllib.parse import urlencode
from uuid import UUID

from litestar.params import FromPath
from msgspec import Meta, field
from msgspec.structs import asdict

from api.common.names import name_places
from api.common.pages.shell import Page, build_page_response, fetch_value, page_language, words
from api.common.rulebooks import about_of
from api.common.time_zone import format_day
from api.http.decoding import Cursor, Incoming, Number, read_query
from api.http.operations import shows
from api.http.request import Request, services_of
from api.http.response import Response
from api.pages.names import add_names, titles
from api.pages.replayed import fetch_move, join_names
from domain.errors import Unknown
from domain.events.game import Decision

_SHOWN = 25
Typed = Annotated[str, Meta(max_length=100)]
Day = Annotated[str, Meta(pattern=r"^([0-9]{4}-[0-9]{2}-[0-9]{2})?$(?!\n)")]


class RulingsQuery(Incoming, frozen=True, kw_only=True):
    """The filters of ``GET /v1/rulings`` as a form sends them, with days."""

    q: Typed = ""
    ruleset: Typed = ""
    rules: Typed = ""
    decision: Typed = ""
    instance: Typed = ""
    tournament: Typed = ""
    from_: Day = field(default="", name="from")
    to: Day = ""
    cursor: Cursor = None


@shows("/rulings", "case_book_page", "Show earlier rulings and search them", query=RulingsQuery, within="lists")
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
        "day": partial(format_day, zone=services_of(request).time_zone, language=page_language(request)),
    }
    page = Page(template="case_book.html.j2", title=said["cases.title"], values=values, styles=("me.css",))
    return await build_page_response(request, page)


def _filters(given: Mapping[str, str]) -> Mapping[str, object]:
    """Return the filters as the API takes them: rules may be typed with blanks between."""
    cited = {"rules": ",".join(given["rules"].upper().replace(",", " ").split())} if "rules" in given else {}
    return {**given, **cited}


# Forms to print: the ruling on a dispute, and the appeal against it. What the record knows stands on them already, the rest is written.


Told = Mapping[str, Any]
FormKind = Literal["ruling", "appeal"]


class RulingFormQuery(Incoming, frozen=True, kw_only=True):
    kind: Annotated[FormKind, Meta(description="the form of the arbiter, or that of the committee")] = "ruling"
    dispute: Annotated[Number | None, Meta(description="the dispute that it is about; left out: one that is written by hand")] = None


@shows("/g/{game:uuid}/form", "ruling_form_page", "Show a form to print for a ruling or an appeal", query=RulingFormQuery, role="official")
async def ruling_form_page(request: Request, game: FromPath[UUID]) -> Response:
    query, spoken = read_query(request, RulingFormQuery), page_language(request)
    said, found = words(spoken), await fetch_value(request, f"/v1/games/{game}/disputes")
    [about] = await add_names(request, [await fetch_value(request, f"/v1/games/{game}")])
    dispute, rulings = _choose_dispute(found, query)
    ruleset, places = services_of(request).rulesets.get(about["ruleset"]), name_places(about["seats"], spoken)
    parties = (await fetch_value(request, f"/v1/games/{game}/score-sheet"))["parties"]
    values = {
        "kind": query.kind,
        "about": about,
        "ruleset": about_of(ruleset, spoken).names[spoken] if ruleset else about["ruleset"],
        "places": places,
        "sides": [join_names([about["names"][seat] for seat in seats], said) for seats in parties],
        "dispute": dispute,
        "move": await fetch_move(request, str(game), dispute["position"], places) if dispute else "",
        "ruling": rulings[-1] if rulings else None,
        "decisions": [one for one in get_args(Decision) if (one == "overturn") <= (query.kind == "appeal")],
    }
    shown = Page(template="ruling_form.html.j2", title=said[f"form.{query.kind}"], values=values, script="print.js", styles=("form.css",))
    return await build_page_response(request, shown)


def _choose_dispute(found: Told, query: RulingFormQuery) -> tuple[Told | None, Sequence[Told]]:
    """Return the dispute and its rulings: those of the arbiter, on a form against which an appeal goes. Raises ``Unknown``."""
    if query.dispute is None:
        return None, ()
    dispute = next((one for one in found["disputes"] if one["number"] == query.dispute), None)
    if dispute is None:
        raise Unknown("dispute", query.dispute)
    rulings = [one for one in found["rulings"] if one["dispute"] == query.dispute]
    return dispute, [one for one in rulings if query.kind == "ruling" or one["instance"] == "arbiter"]
