"""The director's desk: the steps of the evening with their open ends, the state of the tables, and undecided disputes."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any
from urllib.parse import quote

from litestar.params import FromPath
from msgspec import Meta

from api.common.checkpoints.naming import round_line
from api.common.lists import format_tie_break, lots_line, number
from api.common.pages.shell import Page, build_page_response, call_api, fetch_all_pages, fetch_value, page_language
from api.common.rulebooks import about_of
from api.common.service_address import is_local_only, service_address
from api.http.decoding import Incoming, Number, read_query
from api.http.lists import GERMAN
from api.http.operations import shows
from api.http.request import Request, services_of
from api.http.response import Response
from api.pages.directing import entrants
from api.pages.directing.evening import ASIDES, Evening, Place, Told, code_kinds, current, evening, list_claims, list_tied, strip, tiles
from api.pages.directing.evening_log import compare_round, list_failing_witnesses, list_log
from api.pages.directing.fields import choices, directing_words, option_fields, seats_of
from api.pages.tournament_feeds import list_starts
from api.pages.wall_page import next_reveal
from api.tournaments.walls import PutWall
from domain.access import EVERYTHING
from domain.texts import Texts, say
from domain.texts import render as worded


class DirectorQuery(Incoming, frozen=True, kw_only=True):
    step: Annotated[Place, Meta(description="the part of the desk; by default what is on now")] | None = None
    round: Annotated[Number | None, Meta(description="the round whose tables are looked at; left out: the newest")] = None
    table: Annotated[str, Meta(max_length=100, description="the table that is looked at")] | None = None
    entrant: Annotated[Number | None, Meta(description="the entrant who is looked at")] = None


@shows("/t/{tournament:str}/desk", "director_page", "Show the director's desk of a tournament", query=DirectorQuery, role="director")
async def director_page(request: Request, tournament: FromPath[str]) -> Response:
    query, language = read_query(request, DirectorQuery), page_language(request)
    said, now = directing_words(language), await evening(request, tournament, query.round)
    step = query.step or current(now)
    ruleset = services_of(request).rulesets.get(now.about["ruleset"])
    found, entrant = tiles(now), next((one for one in now.entrants if one["entrant"] == query.entrant), None)
    table = next((one for one in found if one.table == query.table), None)
    values = {
        "words": said,
        "zone": now.about["time_zone"],
        "choices": choices(said),
        "german": GERMAN,
        "evening": now,
        "path": f"/v1/tournaments/{quote(tournament, safe='')}",
        "desk": f"/t/{quote(tournament, safe='')}/desk",
        "step": step,
        "strip": strip(now),
        "asides": ASIDES,
        "named": round_line(now.round, language),
        "tiles": found,
        "list_claims": list_claims,
        "table": table,
        "game_seats": entrants.list_game_seats(now, table.told, language) if table else (),
        "sat": entrants.seats_as_played(now) if table else "",
        "witnesses": await asyncio.to_thread(list_failing_witnesses, services_of(request)),
        "entrant": entrant,
        "merges": request.user.grant.scope == EVERYTHING,
        "people": await _list_players(request, entrant) if entrant else (),
        "stand": entrants.find_current_players(now, entrant) if entrant else None,
        "listed": entrants.list_entered(entrant) if entrant else (),
        "number": partial(number, decimal=said["decimal"]),
        "figure": partial(format_tie_break, decimal=said["decimal"]),
        "lots": lots_line(now.about["lots"]["how"], now.about["lots"]["dice"], language),
        "ruleset": about_of(ruleset, language).names[language] if ruleset else now.about["ruleset"],
        **await _of_step(request, step, now, said),
    }
    title = now.about["title"] or now.about["id"]
    page = Page(
        template="director.html.j2",
        title=title,
        values=values,
        script="director.js",
        styles=("tournament.css", "director.css"),
    )
    return await build_page_response(request, page)


async def _of_step(request: Request, step: Place, now: Evening, said: Texts) -> Mapping[str, Any]:
    """Return the values that only this step shows."""
    match step:
        case "hall":
            return _list_wall_values(request, now)
        case "announce":
            return await _read_announcement(request, now, said)
        case "devices":
            return await _read_devices(request, now, said)
        case "standings":
            prizes = await fetch_value(request, f"/v1/tournaments/{now.about['id']}/prizes")
            return {"tied": list_tied(now.standings) if now.about["closed"] else [], "prizes": prizes}
        case "draw":
            return await _read_draw(request, now, said)
        case "log":
            return {"log": await list_log(request, now, said)}
        case "reconcile":
            return {"compared": compare_round(now)}
        case "publish":
            return {"aliases": await _aliases(request, now)}
        case "enter" | "start" | "playing" | "close" | "results":
            return {}


def _list_wall_values(request: Request, now: Evening) -> Mapping[str, Any]:
    address = service_address(request)
    return {
        "now": json.dumps({name: now.wall[name] for name in PutWall.__struct_fields__}),
        "only_here": address if is_local_only(address) else None,
        "reveal": next_reveal(now.standings, now.wall),
    }


async def _read_announcement(request: Request, now: Evening, said: Texts) -> Mapping[str, Any]:
    key = now.about["ruleset"]
    ruleset, about = services_of(request).rulesets.get(key), await call_api(request, f"/v1/rulesets/{key}")
    known = ruleset is not None and about.status == 200
    return {
        "options": option_fields(about.value["options"], now.about["options"], said) if known else [],
        "seats": [(size, size) for size in (seats_of(ruleset) if ruleset else [now.about["seats"]])],
        "starts": list_starts(now.about),
        "now": json.dumps({"options": now.about["options"], "scoring": now.about["scoring"], "pairing": now.about["pairing"]}),
    }


async def _read_devices(request: Request, now: Evening, said: Texts) -> Mapping[str, Any]:
    sessions, codes = await fetch_all_pages(request, "/v1/sessions"), await fetch_all_pages(request, "/v1/codes")
    id = now.about["id"]
    return {
        "sessions": _of_tournament(sessions["items"], id),
        "codes": _of_tournament(codes["items"], id)[0],
        "kinds": code_kinds(now, said),
        "scope": json.dumps({"tournament": id}),
        "addresses": codes.get("addresses", ()),
        "only_here": codes.get("only_here", False),
    }


async def _read_draw(request: Request, now: Evening, said: Texts) -> Mapping[str, Any]:
    open = now.round is not None and not now.round["closed"]
    wishes = () if open else (await fetch_value(request, f"/v1/tournaments/{now.about['id']}/wishes"))["wishes"]
    return {
        "seats": entrants.seats_in_play(now) if open else entrants.seats_to_pair(now),
        "ticks": entrants.list_ticks(now),
        "wishes": entrants.list_wish_lines(now, wishes, said),
        "wish_forms": entrants.list_wish_forms(now.about["format"]),
        "entrants_by_name": [("", "–"), *sorted(now.names.items(), key=lambda one: one[1].casefold())],
    }


def _of_tournament(given: Sequence[Told], tournament: str) -> tuple[list[Told], list[Told]]:
    """Return the sessions or codes that apply to this tournament alone, and all others."""
    own = [one for one in given if one["grant"]["scope"] != "everything" and one["grant"]["scope"].get("tournament") == tournament]
    return own, [one for one in given if one not in own]


async def _list_players(request: Request, entrant: Told) -> Sequence[Told]:
    """Return the players of an entrant whose names the reader may correct."""
    found = [await call_api(request, f"/v1/players/{quote(player, safe='')}") for player in entrant["players"]]
    return [answer.value for answer in found if answer.status == 200 and "name" in answer.value and not answer.value["erased"]]


async def _aliases(request: Request, now: Evening) -> Mapping[str, str]:
    """Return the names of players as shown where aliases are shown."""
    numbers = {player: one["entrant"] for one in now.entrants for player in one["players"]}
    found = {player: await call_api(request, f"/v1/players/{quote(player, safe='')}") for player in numbers}
    aliases = {player: answer.value["alias"] if answer.status == 200 else None for player, answer in found.items()}
    return {
        player: alias or worded(say("entrant.called", entrant=numbers[player]), page_language(request)) for player, alias in aliases.items()
    }
