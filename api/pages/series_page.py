"""The pages of a series: its tables, each line of which opens down to the results in its tournaments; its wall; and its desk."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any
from urllib.parse import quote

from litestar.params import FromPath
from msgspec import Meta

from api.common.lists import number
from api.common.pages.shell import Page, build_page_response, call_api, fetch_all_pages, fetch_value, page_language, words
from api.common.service_address import service_address
from api.http.decoding import Incoming, read_query
from api.http.operations import shows
from api.http.places import has_powers
from api.http.request import Request
from api.http.response import Response
from api.pages.directing.fields import choices, directing_words
from domain.access import Place
from domain.standings.plan import USUAL_TABLE
from domain.texts import Texts


class SeriesPageQuery(Incoming, frozen=True, kw_only=True):
    after: Annotated[str, Meta(min_length=1, max_length=200, description="with the tournaments up to the end of this one")] | None = None


@shows("/s/{series:str}", "series_page", "Show a series: its tables, with the results of each tournament", query=SeriesPageQuery)
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
        "directs": _directs(request, series),
    }
    page = Page(template="series.html.j2", title=title, values=values, script="print.js", styles=("tournament.css",))
    return await build_page_response(request, page)


def _directs(request: Request, series: str) -> bool:
    return request.user.role == "director" and has_powers(request, request.user, Place(series=series))


@shows("/s/{series:str}/wall", "series_wall_page", "Show the table of a series on a screen in the hall")
async def series_wall_page(request: Request, series: FromPath[str]) -> Response:
    said = words(page_language(request))
    values = {
        "about": await fetch_value(request, f"/v1/series/{series}"),
        "standings": await fetch_value(request, f"/v1/series/{series}/standings"),
        "number": partial(number, decimal=said["decimal"]),
        "address": f"{service_address(request)}/s/{quote(series)}".partition("://")[2],
    }
    title = values["about"]["title"] or said["series.untitled"]
    page = Page(template="series_wall.html.j2", title=title, values=values, script="series_wall.js", styles=("wall.css",))
    return await build_page_response(request, page)


@shows("/s/{series:str}/desk", "series_director_page", "Show the desk of a series", role="director")
async def series_director_page(request: Request, series: FromPath[str]) -> Response:
    language = page_language(request)
    said, path = directing_words(language), f"/v1/series/{quote(series, safe='')}"
    about, standings = await fetch_value(request, f"/v1/series/{series}"), await fetch_value(request, f"/v1/series/{series}/standings")
    names, tables = await _name_tournaments(request, standings["tournaments"], said), standings["tables"]
    shown = {player: name for line in tables[0]["lines"] for player, name in zip(line["players"], line["shown"], strict=True)}
    title = about["title"] or said["series.untitled"]
    values = {
        "words": said,
        "about": about,
        "path": path,
        "members": [{**one, **names[one["tournament"]], "id": one["tournament"]} for one in standings["tournaments"]],
        "offered": await _offer_tournaments(request, names, said),
        "players": tables[0]["lines"],
        "adjustments": [{**one, "name": shown.get(one["player"], said["players.nameless"])} for one in standings["adjustments"]],
        "number": partial(number, decimal=said["decimal"]),
        "categories": [one["category"] for one in tables if one["category"]],
        **await series_plan_values(request, about["plan"], said, language),
    }
    page = Page(
        template="series_desk.html.j2",
        title=title,
        values=values,
        script="series.js",
        styles=("director.css",),
    )
    return await build_page_response(request, page)


async def _offer_tournaments(request: Request, known: Mapping[str, Any], said: Texts) -> Sequence[tuple[str, str]]:
    """Return the tournaments that may be added, newest first, after an empty choice; none where there are none."""
    listed = await fetch_all_pages(request, "/v1/tournaments")
    found = [(one["id"], one["title"] or one["id"]) for one in listed["items"] if one["id"] not in known and one["state"] != "cancelled"]
    return [("", said["series.choose"]), *found] if found else ()


async def series_plan_values(request: Request, plan: Mapping[str, Any], said: Texts, language: str) -> Mapping[str, Any]:
    """Return what the form of a plan needs besides the plan."""
    points = {"by": plan["points"]["by"], "ties": plan["points"]["ties"]}
    return {
        "choices": choices(said),
        "games": {one["key"]: one["names"][language] for one in (await fetch_value(request, "/v1/rulesets"))["items"]},
        "usual": " ".join(map(str, USUAL_TABLE)),
        "now": json.dumps({"points": points, "tables": plan["tables"]}),
    }


async def _name_tournaments(request: Request, played: Sequence[Mapping[str, Any]], said: Texts) -> Mapping[str, Mapping[str, Any]]:
    """Return the name of each tournament, and whether it has a link. One that is not published goes by its number, except to officials."""
    found = {}
    for place, one in enumerate(played, 1):
        answer = await call_api(request, f"/v1/tournaments/{one['tournament']}")
        opens = answer.status == 200 and (request.user.has_full_view or answer.value["publication"] != "no")
        title = answer.value["title"] if opens else None
        found[one["tournament"]] = {"number": place, "name": title or said["series.tournament"].format(number=place), "opens": opens}
    return found
