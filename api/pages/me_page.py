"""A player's own page: his next table, the score as it stands, what waits for his word, how his games went."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from api.common.figures import number
from api.common.pages.appearance import spoken_to
from api.common.pages.asking import asked, told
from api.common.pages.shell import Page, shown, words
from api.http.media_types import HTML
from api.http.operations import PAGES, Content, Operation, reads
from api.http.request import Request
from api.http.response import Response
from api.pages.my_table import my_table
from api.pages.player_page import history_of

_STYLES = ("tournament.css", "me.css")
_RULINGS = 100
"""So many of the newest rulings are looked through for those in his games."""


@reads(
    "/me",
    Operation(
        id="me_page",
        tag=PAGES,
        summary="A player's own page: next table, score, what waits for his word, history",
        responses={200: Content("a page", {HTML: {"type": "string"}}, headers=("ETag",))},
        within="open",
        headers=("If-None-Match", "Accept-Language"),
    ),
)
async def me_page(request: Request) -> Response:
    said, me = words(spoken_to(request)), await told(request, "/v1/me")
    if me["role"] != "player":
        return await shown(request, Page(template="me.html.j2", title=said["me.title"], values={"me": me, "mine": None}, styles=_STYLES))
    mine = await my_table(request, me)
    history = await _history(request, mine.player)
    values = {
        "me": me,
        "mine": mine,
        "number": partial(number, decimal=said["decimal"]),
        "rulings": await _rulings(request, history["history"]["games"]) if history else (),
        **history,
    }
    title = mine.name or said["me.title"]
    return await shown(request, Page(template="me.html.j2", title=title, values=values, script="me.js", styles=_STYLES))


async def _history(request: Request, player: str | None) -> Mapping[str, Any]:
    """Empty for who was nowhere yet."""
    if player is None or (await asked(request, f"/v1/players/{player}/scores")).status != 200:
        return {}
    return await history_of(request, player, None)


async def _rulings(request: Request, games: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """Those in his games, the newest first."""
    his = {game["game"] for game in games}
    answer = await asked(request, "/v1/rulings", limit=_RULINGS)
    return [one for one in answer.value["rulings"] if one["game"] in his] if answer.status == 200 else ()
