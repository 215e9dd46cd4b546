"""Games: opening one, the list, and one game in short."""

import asyncio
from uuid import UUID

from litestar.params import FromPath

from api.common.commands import call_of, opened
from api.common.freshness import fresh, reach, reach_head
from api.common.reading import NO_CACHE, next_link, tagged
from api.http.answers import Done
from api.http.decoding import body
from api.http.fields import Fresh, GamesQuery, OpenGame
from api.http.operations import (
    JSON,
    Content,
    Operation,
    reads,
    writes,
)
from api.http.query import Nothing, query
from api.http.response import (
    Answer,
    Asked,
    encoded,
    house_of,
)
from domain.errors import Malformed
from domain.events import GameOpened
from domain.game import opening
from projections.models.game_index import game_list
from projections.models.game_index.game_list import Filters, GameRow, Page
from projections.models.game_index.projection import GAME_INDEX

_EXAMPLE = {"ruleset": "casino", "seats": 2, "options": {"sweeps": True}, "players": ["p_17", None]}


@writes(
    "/v1/games",
    Operation(
        id="open_game",
        tag="Games",
        summary="Open a game",
        body={JSON: OpenGame},
        body_examples={"casino": _EXAMPLE},
        answers={201: Content("opened", {JSON: Done}, headers=("Location", "ETag"))},
        refuses=(422,),
        headers=("Idempotency-Key",),
        role="recorder",
    ),
)
async def open_game(request: Asked) -> Answer:
    query(request, Nothing)
    wanted = await body(request, OpenGame)
    call, id = await call_of(request, wanted.happened_at), house_of(request).new_id()
    return opened(request, await house_of(request).journal.open_game(call, id, (_opening(request, wanted),)))


def _opening(asked: Asked, wanted: OpenGame) -> GameOpened:
    rulesets = house_of(asked).rulesets
    ruleset = rulesets.get(wanted.ruleset)
    if ruleset is None:
        raise Malformed("unknown_ruleset", f"there is no ruleset {wanted.ruleset!r}; known are {', '.join(rulesets)}", "ruleset")
    asked.scope["state"]["ruleset"] = wanted.ruleset
    return opening(
        ruleset,
        wanted.options,
        wanted.seats,
        wanted.players,
        openness=wanted.openness,
        tournament=wanted.tournament,
        round=wanted.round,
        table=wanted.table,
    )


@reads(
    "/v1/games",
    Operation(
        id="list_games",
        tag="Games",
        summary="Games, newest first",
        description=(
            "All filters given must hold: the tables of a tournament that still play are `finished=false&standing=open`. "
            "`opened_from` and `opened_before` speak of when it was recorded. `Link` names the next page."
        ),
        query=GamesQuery,
        answers={200: Content("a page of games", {JSON: Page}, headers=("Link",))},
        refuses=(422, 503),
    ),
)
async def list_games(request: Asked) -> Answer:
    wanted = query(request, GamesQuery)
    await reach(request, GAME_INDEX.name, wanted.min_sequence)
    await reach_head(request, GAME_INDEX.name)
    page = await asyncio.to_thread(game_list.games, house_of(request).store, _filters(wanted), wanted.cursor, wanted.limit)
    headers = [("cache-control", NO_CACHE), ("vary", "authorization")]
    if page.next:
        headers.append(("link", next_link(request, cursor=page.next)))
    return Answer(encoded(page), headers=headers)


def _filters(wanted: GamesQuery) -> Filters:
    return Filters(**{name: getattr(wanted, name) for name in Filters.__struct_fields__})


@reads(
    "/v1/games/{game:uuid}",
    Operation(
        id="read_game",
        tag="Games",
        summary="A game in short: where it stands, who may act, the totals",
        query=Fresh,
        answers={200: Content("the game", {JSON: GameRow}, headers=("ETag",))},
        refuses=(404, 503),
        headers=("If-None-Match",),
    ),
)
async def read_game(request: Asked, game: FromPath[UUID]) -> Answer:
    await reach(request, GAME_INDEX.name, query(request, Fresh).min_sequence)
    row = await fresh(request, GAME_INDEX.name, game, lambda: game_list.game(house_of(request).store, game))
    return tagged(request, f"{row.position}.game.json", lambda: encoded(row))
