"""The page of a tournament: its state, rounds and tables, standings with every figure down to its games, and a search
for one's own table.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated, Any

from litestar.params import FromPath
from msgspec import Meta, Struct

from api.common.checkpoints.naming import round_line
from api.common.lists import format_tie_break, lots_line, number
from api.common.names import letter_places
from api.common.pages.assets import page_language
from api.common.pages.internal_api import call_api, fetch_value
from api.common.pages.shell import Page, build_page_response, words
from api.common.rulebooks import about_of
from api.http.decoding import Incoming, Number, read_query
from api.http.operations import page, reads
from api.http.request import Request, services_of
from api.http.response import Response
from api.pages.bracket_layout import read_bracket_layout
from api.pages.names import can_record, has_permission, name_entrant, name_entrants
from api.pages.table_sides import list_sides
from domain.access import Place
from domain.texts import COMMON, name_of


class TournamentPageQuery(Incoming, frozen=True, kw_only=True):
    find: Annotated[str, Meta(max_length=100, description="part of a name, or the number of an entrant")] | None = None
    round: Annotated[Number | None, Meta(description="the round whose tables are shown; left out: the newest")] = None


class Found(Struct, frozen=True):
    """A search result with the table; ``seat`` as people call it."""

    name: str
    entrant: int
    table: str | None
    seat: str | None


@reads("/t/{tournament:str}", page("tournament_page", "Show a tournament: rounds, tables, standings", query=TournamentPageQuery))
async def tournament_page(request: Request, tournament: FromPath[str]) -> Response:
    query, language = read_query(request, TournamentPageQuery, from_form=True), page_language(request)
    path, said, find = _path(tournament), words(page_language(request)), (query.find or "").strip()
    about, answer = await fetch_value(request, path), await call_api(request, "/v1/me")
    me = answer.value_if_ok
    standings, entries = await fetch_value(request, f"{path}/standings"), await fetch_value(request, f"{path}/entries")
    ruleset = services_of(request).rulesets.get(about["ruleset"])
    paired = query.round or about["paired"]
    round = await fetch_value(request, f"{path}/rounds/{paired}") if paired else None
    names = name_entrants(entries["entrants"], paired)
    values = {
        "about": about,
        "zone": about["time_zone"],
        "directs": has_permission(me, "director", Place(tournament)),
        "officiates": has_permission(me, "official", Place(tournament)),
        "recorded": _list_permitted_games(me, tournament, round) if round else set(),
        "ruleset": about_of(ruleset, language).names[language] if ruleset else about["ruleset"],
        "round": round,
        "named": round_line(round, language),
        "names": names,
        "called": partial(_name_in, {one["entrant"]: one for one in entries["entrants"]}),
        "standings": standings,
        "figures": [name_of(COMMON, "tie_break", name, language) for name in standings["tie_breaks"]],
        "lots": lots_line(about["lots"]["how"], about["lots"]["dice"], language),
        "number": partial(number, decimal=said["decimal"]),
        "figure": partial(format_tie_break, decimal=said["decimal"]),
        "find": find,
        "found": list(_found(find, names, round, letter_places(about["seats"], language))) if find else [],
        "sides": {one["table"]: list_sides(one, about) for one in round["tables"]} if round else {},
    }
    values["bracket"] = await read_bracket_layout(request, about, said)
    title = about["title"] or about["id"]
    page = Page(
        template="tournament.html.j2",
        title=title,
        description=said["tournament.description"].format(ruleset=values["ruleset"], entrants=len(names), rounds=about["rounds"] or "–"),
        values=values,
        script="tournament.js",
        styles=("tournament.css", "bracket.css"),
        public=about["publication"] != "no",
    )
    return await build_page_response(request, page)


def _list_permitted_games(me: Mapping[str, Any] | None, tournament: str, round: Mapping[str, Any]) -> set[str]:
    """Return the games of a round that the reader may record."""
    where = {"tournament": tournament, "round": round["round"]}
    games = [
        {**where, "table": table["table"], "id": game["game"], "standing": game["standing"], "finished": game["places"] is not None}
        for table in round["tables"]
        for game in table["games"]
    ]
    return {game["id"] for game in games if can_record(me, game)}


def _name_in(entrants: Mapping[int, Mapping[str, Any]], round: int, entrant: int) -> str:
    """Return the name of an entrant in a round."""
    return name_entrant(entrants[entrant], round)


def _path(tournament: str) -> str:
    return f"/v1/tournaments/{tournament}"


def _found(wanted: str, names: Mapping[int, str], round: Mapping[str, Any] | None, places: Sequence[str]) -> Iterator[Found]:
    """Yield all whose name contains the words, or who have the number; without a table before the first pairing."""
    tables = round["tables"] if round else ()
    seats = {one["entrant"]: (table["table"], places[one["seat"]]) for table in tables for one in table["seats"]}
    for entrant, name in names.items():
        if wanted == str(entrant) or all(word in name.casefold() for word in wanted.casefold().split()):
            yield Found(name, entrant, *seats.get(entrant, (None, None)))
