"""Forms to open a game, or to announce a tournament from the options of the ruleset, or a series."""

import json
from typing import Annotated, Any, Literal

from msgspec import Meta, to_builtins

from api.common.names import name_places
from api.common.pages.shell import Page, build_page_response, fetch_value, page_language
from api.games.requests import OpenGame
from api.http.decoding import Incoming, read_query
from api.http.operations import shows
from api.http.request import Request, services_of
from api.http.response import Response
from api.pages.directing.fields import choices, default_seats, directing_words, openness_of_a_game, option_fields, seats_of
from api.pages.series_page import series_plan_values
from api.series.requests import AnnounceSeries
from api.tournaments.requests import AnnounceTournament, PairingBody, ScoringBody
from domain.errors import Unknown
from domain.setup import NAMES
from domain.standings.plan import ScoringInput
from domain.texts import Texts


class NewPageQuery(Incoming, frozen=True, kw_only=True):
    what: Annotated[Literal["tournament", "game", "series", "ratings", "season"], Meta(description="the kind of the new thing")] | None = (
        None
    )
    ruleset: Annotated[str, Meta(max_length=100, description="the key of the ruleset")] | None = None


@shows("/new", "new_page", "Show the form of a new game, tournament, series or published rating list", query=NewPageQuery, role="recorder")
async def new_page(request: Request) -> Response:
    query, language = read_query(request, NewPageQuery), page_language(request)
    said = directing_words(language)
    games = {one["key"]: one["names"][language] for one in (await fetch_value(request, "/v1/rulesets"))["items"]}
    if query.ruleset is not None and query.ruleset not in games:
        raise Unknown("ruleset", query.ruleset)
    may_announce = (await fetch_value(request, "/v1/me"))["role"] == "director"
    chosen = (
        query.what if (query.ruleset or query.what in ("series", "ratings", "season")) and (may_announce or query.what == "game") else None
    )
    values = {"words": said, "games": games, "may_announce": may_announce, "what": chosen}
    if chosen == "series":
        empty = to_builtins(AnnounceSeries().to_plan())
        values |= {"first": {"title": "", "plan": empty}, **await series_plan_values(request, empty, said, language)}
    elif chosen == "ratings":
        values |= {"choices": choices(said), "chosen": query.ruleset}
    elif chosen and query.ruleset:
        values |= await _fill_form(request, query.ruleset, chosen, said, language) | {"game": games[query.ruleset]}
    page = Page(
        template="new.html.j2",
        title=said[f"new.{chosen or 'title'}"],
        values=values,
        script="season.js" if chosen == "season" else "new.js",
        styles=("director.css",),
    )
    return await build_page_response(request, page)


async def _fill_form(request: Request, key: str, what: str, said: Texts, language: str) -> dict[str, Any]:
    """Return the form, filled with the defaults of the API: unchanged fields are not sent."""
    about, ruleset = await fetch_value(request, f"/v1/rulesets/{key}"), services_of(request).rulesets[key]
    seats = default_seats(ruleset)
    by = ScoringInput().fill_defaults(len(ruleset.bind({}, seats).setup.parties)).by
    offered = {
        "tournament": AnnounceTournament(
            ruleset=key, seats=seats, format="swiss", scoring=ScoringBody(by=by, places=()), pairing=PairingBody()
        ),
        "game": OpenGame(ruleset=key, seats=seats),
    }
    return {
        "ruleset": key,
        "choices": {**choices(said), "game.openness": openness_of_a_game(said)},
        "options": option_fields(about["options"], {}, said),
        "presets": about["presets"],
        "preset_names": [(name, said[f"new.preset.{name}"]) for name in NAMES],
        "seats": [(size, size) for size in seats_of(ruleset)],
        "places": {size: name_places(size, language) for size in seats_of(ruleset)},
        "first": to_builtins(offered[what]),
        "now": json.dumps({"scoring": {"by": by}}),
    }
