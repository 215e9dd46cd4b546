"""The devices at one game: join codes, as QR codes, for the phones of its recorder, its players and its spectators."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from litestar.params import FromPath

from api.common.pages.assets import page_language
from api.common.pages.internal_api import fetch_value
from api.common.pages.shell import Page, build_page_response
from api.http.operations import page, reads
from api.http.request import Request
from api.http.response import Response
from api.pages.directing.evening import CodeKind
from api.pages.directing.fields import directing_words
from api.pages.names import Game, add_names
from domain.texts import Texts


@reads("/g/{game:uuid}/devices", page("devices_page", "Show the form that makes codes for the devices at a game", role="director"))
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
        also=(f"words/director.{language}.js",),
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
