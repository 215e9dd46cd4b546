"""A game: its replay, and while it is played, the game as it goes on. Without script it is a list of what happened."""

import json
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Annotated, Any, Literal
from uuid import UUID

from litestar.params import FromPath
from msgspec import Meta, Struct

from api.common.pages.shell import (
    ApiError,
    Page,
    build_page_response,
    build_shared_page_response,
    call_api,
    fetch_value,
    page_language,
    words,
)
from api.games.paper import find_counted_result
from api.games.requests import ForWhom
from api.http.decoding import Whole, read_query
from api.http.operations import shows
from api.http.places import tournament_at
from api.http.request import Request, services_of
from api.http.response import Response
from api.pages.directing.evening import CodeKind
from api.pages.directing.fields import directing_words
from api.pages.names import Game, add_names, can_record, has_permission, list_next_pages, place_of, titles
from api.pages.replayed import fetch_replay
from domain.access import WRITERS
from domain.texts import Texts


class GamePageQuery(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    view: ForWhom = None
    after: Annotated[Whole, Meta(description="without script: what happened after this position")] = 0
    embed: Annotated[Literal["1"], Meta(description="only table and slider, to be shown in a frame of another page")] | None = None


@shows("/g/{game:uuid}", "game_page", "Show the page of a game: its replay, live while it is played", query=GamePageQuery)
async def game_page(request: Request, game: FromPath[UUID]) -> Response:
    query, now = read_query(request, GamePageQuery), await services_of(request).journal.current(game)
    tournament = await tournament_at(request, now.opened.tournament)  # a change of its publication changes every name
    make = partial(_page, request, game, query)
    if not request.user.is_address:  # cards that one seat sees
        return await build_page_response(request, await make())
    return await build_shared_page_response(request, make, now.position, tournament and tournament.position)


async def _page(request: Request, game: UUID, query: GamePageQuery) -> Page:
    found = await fetch_replay(request, str(game), query.view, query.after)
    now = await services_of(request).journal.current(game)
    me = None if request.user.is_address else (await call_api(request, "/v1/me")).value_if_ok
    return Page(
        template="game.html.j2",
        title=found.title,
        description=found.description,
        values={
            "game": found,
            "counted": await find_counted_result(request, now.opened),
            "embed": query.embed is not None,
            "public_url": services_of(request).public_url,
            "records": can_record(me, found.short),
            "next_pages": json.dumps(list_next_pages(me, found.short)),
            "lets_in": has_permission(me, "director", place_of(found.short)),
        },
        script="replay.js",
        deck=found.deck,
        reads=(found.last,),
        styles=("cards.css", "table.css", "replay.css", *(("desk.css",) if found.role else ())),
        public=found.published,
        embedded=query.embed is not None and found.published,
    )


# A table of a tournament: what the code on it leads to. The game that is on there, for who records it his page of it; or what is next.


@shows("/t/{tournament:str}/{table:str}", "table_page", "Show the table of a tournament: redirect to its current game, or say what is next")
async def table_page(request: Request, tournament: FromPath[str], table: FromPath[str]) -> Response:
    answer = await call_api(request, f"/v1/tournaments/{tournament}/tables/{table}")
    if answer.status == 404 and await _has_table_code(request, tournament, table):
        return await _waiting(request, tournament, table, None)
    if answer.status >= 400:
        raise ApiError(answer)
    now = answer.value
    if now["game"] is not None:
        room = "/record" if request.user.role in WRITERS and now["state"] == "playing" else ""
        headers = (("location", f"/g/{now['game']['game']}{room}"), ("cache-control", "no-store"), ("vary", "cookie, authorization"))
        return Response(b"", status=303, headers=headers)
    return await _waiting(request, tournament, table, now)


async def _has_table_code(request: Request, tournament: str, table: str) -> bool:
    """Return whether the reader has a code for this table, which need not be paired yet."""
    me = await fetch_value(request, "/v1/me")
    return isinstance(me["scope"], dict) and (me["scope"].get("tournament"), me["scope"].get("table")) == (tournament, table)


async def _waiting(request: Request, tournament: str, table: str, now: Mapping[str, Any] | None) -> Response:
    title = words(page_language(request))["tournament.table"].format(table=table)
    values = {"now": now, "tournament": tournament, "titles": await titles(request, [tournament])}
    return await build_page_response(request, Page(template="table.html.j2", title=title, values=values, script="next.js"))


# The devices at one game: join codes, as QR codes, for the phones of its recorder, its players and its spectators.


@shows("/g/{game:uuid}/devices", "devices_page", "Show the form that makes codes for the devices at a game", role="director")
async def devices_page(request: Request, game: FromPath[UUID]) -> Response:
    language, codes = page_language(request), await fetch_value(request, "/v1/codes")
    said, [about] = directing_words(language), await add_names(request, [await fetch_value(request, f"/v1/games/{game}")])
    values: dict[str, Any] = {
        "words": said,
        "about": about,
        "scope": json.dumps({"game": str(game)}),
        "kinds": list(_code_kinds(about, said)),
        "addresses": codes.get("addresses", ()),
        "only_here": codes.get("only_here", False),
    }
    shown = Page(
        template="devices.html.j2",
        title=said["step.devices"],
        values=values,
        script="devices.js",
        styles=("director.css",),
    )
    return await build_page_response(request, shown)


def _code_kinds(about: Game, said: Texts) -> Iterator[CodeKind]:
    """Yield who can be let in: those who record or rule while the game goes on, its players, and spectators."""
    if not about["finished"]:
        yield CodeKind("recorder", said["code.game_recorder"], ("screen",))
        yield CodeKind("arbiter", said["code.arbiter"], ("screen",))
    for player, name in zip(about["players"], about["names"], strict=True):
        if player:
            yield CodeKind(f"player:{player}", name, ("screen",))
    yield CodeKind("viewer", said["code.game_viewer"], ("many", "screen"))
