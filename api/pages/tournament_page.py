"""The page of a tournament: its state, rounds and tables, standings with every figure down to its games, and a search
for one's own table; and its summary, to be shared.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Annotated, Any
from urllib.parse import quote

import msgspec
from litestar.params import FromPath
from msgspec import Meta, Struct
from msgspec.structs import replace

from api.common.checkpoints.naming import round_line
from api.common.lists import format_tie_break, lots_line, number
from api.common.names import letter_places
from api.common.pages.shell import Page, build_shared_page_response, draw_code_image, fetch_value, page_language, words
from api.common.rulebooks import about_of
from api.common.service_address import is_local_only, service_address
from api.http.decoding import Incoming, Number, read_query
from api.http.operations import shows
from api.http.request import Request, services_of
from api.http.response import Response
from api.pages.names import can_record, has_permission, is_over, list_sides, name_entrant, name_entrants, view_reader
from api.standings.responses import Standings
from api.standings.standings_page import lay_out_cross_table
from domain.access import Place
from domain.texts import COMMON, Texts, format_text, load_catalog, name_of, words_of


class TournamentPageQuery(Incoming, frozen=True, kw_only=True):
    find: Annotated[str, Meta(max_length=100, description="part of a name, or the number of an entrant")] | None = None
    round: Annotated[Number | None, Meta(description="the round whose tables are shown; left out: the newest")] = None


class Found(Struct, frozen=True):
    """A search result with the table; ``seat`` as people call it."""

    name: str
    entrant: int
    table: str | None
    seat: str | None


@shows("/t/{tournament:str}", "tournament_page", "Show a tournament: rounds, tables, standings", query=TournamentPageQuery)
async def tournament_page(request: Request, tournament: FromPath[str]) -> Response:
    query = read_query(request, TournamentPageQuery, from_form=True)
    return await build_shared_page_response(request, partial(_lay_out_page, request, tournament, query))


async def _lay_out_page(request: Request, tournament: str, query: TournamentPageQuery) -> Page:
    language = page_language(request)
    path, said, find = _path(tournament), words(page_language(request)), (query.find or "").strip()
    about, me = await fetch_value(request, path), view_reader(request)
    standings, entries = await fetch_value(request, f"{path}/standings"), await fetch_value(request, f"{path}/entries")
    ruleset = services_of(request).rulesets.get(about["ruleset"])
    paired = query.round or about["paired"]
    round = await fetch_value(request, f"{path}/rounds/{paired}") if paired else None
    names = name_entrants(entries["entrants"], paired)
    values = {
        "about": about,
        "zone": about["time_zone"],
        "over": is_over(about),
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
    return Page(
        template="tournament.html.j2",
        title=title,
        description=said["tournament.description"].format(ruleset=values["ruleset"], entrants=len(names), rounds=about["rounds"] or "–"),
        values=values,
        script="tournament.js",
        styles=("tournament.css", "bracket.css"),
        public=about["publication"] != "no",
    )


def _list_permitted_games(me: Mapping[str, Any] | None, tournament: str, round: Mapping[str, Any]) -> set[str]:
    """Return the games of a round that the reader may record."""
    where = {"tournament": tournament, "round": round["round"]}
    games = [
        {**where, "table": table["table"], "id": game["game"], "state": game["state"], "finished": game["places"] is not None}
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


# The summary of a tournament, to be shared: winners, cross table, links, and a QR code of its page.


_WINNERS = 3


@shows("/t/{tournament:str}/summary", "summary_page", "Show the summary of a tournament, to share: winners, cross table, links")
async def summary_page(request: Request, tournament: FromPath[str]) -> Response:
    return await build_shared_page_response(request, partial(_lay_out_summary, request, tournament))


async def _lay_out_summary(request: Request, tournament: str) -> Page:
    path, language = f"/v1/tournaments/{quote(tournament, safe='')}", page_language(request)
    said = {**words(language), **words_of(load_catalog("api.standings"), language)}
    about, standings = await fetch_value(request, path), await fetch_value(request, f"{path}/standings")
    ruleset, service = services_of(request).rulesets.get(about["ruleset"]), service_address(request)
    address = f"{service}/t/{quote(tournament, safe='')}"
    counts = {"entrants": len(standings["lines"]), "rounds": about["paired"]}
    name = about_of(ruleset, language).names[language] if ruleset else about["ruleset"]
    values: dict[str, Any] = {
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
    return Page(
        template="summary.html.j2",
        title=about["title"] or about["id"],
        description=f"{winners} · {values['played']}",
        values=values,
        styles=("tournament.css",),
        public=about["publication"] != "no",
        address=f"{address}/summary",
    )


def _list_winners(about: Mapping[str, Any], lines: Sequence[Mapping[str, Any]]) -> list[tuple[int, str]]:
    """Return the first three places with their names, once the tournament is over."""
    if about["state"] != "finished":
        return []
    return [(line["place"], " & ".join(line["shown"])) for line in lines if line["place"] <= _WINNERS and not line["taken_out"]]


# The bracket of a knock-out as pages show it: rounds by name, and parts of it that fit on a wall.


_MOST = 4
"""Matches of a column that fit on a wall, one above the other."""


class BracketColumn(Struct, frozen=True):
    """A round of a bracket by name, with its matches."""

    name: str
    matches: Sequence[Mapping[str, Any]]


class BracketLayout(Struct, frozen=True):
    """The rounds of a bracket, without the match for the third place. ``regular``: each round has half the matches of the one before, so
    that lines can join them.
    """

    columns: Sequence[BracketColumn]
    regular: bool
    third_place: Mapping[str, Any] | None


async def read_bracket_layout(request: Request, about: Mapping[str, Any], said: Texts) -> BracketLayout | None:
    """Return the bracket of a tournament; None in other formats, and before the draw. ``about``: the tournament, as the API returns it."""
    if about["format"] != "knockout" or not about["paired"]:
        return None
    rounds = (await fetch_value(request, f"/v1/tournaments/{quote(about['id'], safe='')}/bracket"))["rounds"]
    matches = [[match for match in one["matches"] if not match["third_place"]] for one in rounds]
    names = [
        said.get(f"tournament.bracket.{len(some)}") or said["tournament.round"].format(round=number)
        for number, some in enumerate(matches, 1)
    ]
    return BracketLayout(
        columns=[BracketColumn(name, some) for name, some in zip(names, matches, strict=True)],
        regular=all(len(one) == 2 * len(next) for one, next in pairwise(matches)),
        third_place=next((match for one in rounds for match in one["matches"] if match["third_place"]), None),
    )


def split_bracket(bracket: BracketLayout) -> list[BracketLayout]:
    """Return parts with at most four matches in a column, from top to bottom and then up to the final.

    Of an irregular bracket only the last rounds are left.
    """
    columns = bracket.columns
    if len(columns[0].matches) <= _MOST:
        return [bracket]
    if not bracket.regular:
        return split_bracket(replace(bracket, columns=columns[1:]))
    parts = [
        BracketLayout([_cut(column, top >> depth, _MOST >> depth) for depth, column in enumerate(columns[:3])], True, None)
        for top in range(0, len(columns[0].matches), _MOST)
    ]
    return [*parts, *split_bracket(replace(bracket, columns=columns[2:]))]


def _cut(column: BracketColumn, first: int, count: int) -> BracketColumn:
    return BracketColumn(column.name, column.matches[first : first + count])
