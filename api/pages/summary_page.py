"""The summary of a tournament, to be shared: winners, cross table, links, and a QR code of its page."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

import msgspec
from litestar.params import FromPath

from api.common.pages.assets import draw_code_image, page_language
from api.common.pages.internal_api import fetch_value
from api.common.pages.shell import Page, build_page_response, words
from api.common.rulebooks import about_of
from api.common.service_address import is_local_only, service_address
from api.http.operations import page, reads
from api.http.request import Request, services_of
from api.http.response import Response
from api.standings.cross_table_page import lay_out_cross_table
from api.standings.responses import Standings
from domain.texts import format_text, load_catalog, words_of

_WINNERS = 3


@reads("/t/{tournament:str}/summary", page("summary_page", "Show the summary of a tournament, to share: winners, cross table, links"))
async def summary_page(request: Request, tournament: FromPath[str]) -> Response:
    path, language = f"/v1/tournaments/{quote(tournament, safe='')}", page_language(request)
    said = {**words(language), **words_of(load_catalog("api.standings"), language)}
    about, standings = await fetch_value(request, path), await fetch_value(request, f"{path}/standings")
    ruleset, service = services_of(request).rulesets.get(about["ruleset"]), service_address(request)
    address = f"{service}/t/{quote(tournament, safe='')}"
    counts = {"entrants": len(standings["lines"]), "rounds": about["paired"]}
    name = about_of(ruleset, language).names[language] if ruleset else about["ruleset"]
    values = {
        "about": about,
        "played": format_text(said["summary.description"], {"ruleset": name, **counts}, language),
        "standings": standings,
        "winners": _list_winners(about, standings["lines"]),
        "path": path,
        "address": address,
        "qr": None if is_local_only(service) else draw_code_image(address),
        "prizes": standings.get("prizes", ()),
        "said": said,
        **lay_out_cross_table(msgspec.convert(standings, Standings), language),
    }
    winners = ", ".join(f"{place}. {names}" for place, names in values["winners"]) or standings["heading"]
    return await build_page_response(
        request,
        Page(
            template="summary.html.j2",
            title=about["title"] or about["id"],
            description=f"{winners} · {values['played']}",
            values=values,
            styles=("tournament.css",),
            public=about["publication"] != "no",
            address=f"{address}/summary",
        ),
    )


def _list_winners(about: Mapping[str, Any], lines: Sequence[Mapping[str, Any]]) -> list[tuple[int, str]]:
    """Return the first three places with their names, once the tournament is over."""
    if about["state"] != "finished":
        return []
    return [(line["place"], " & ".join(line["shown"])) for line in lines if line["place"] <= _WINNERS and not line["taken_out"]]
