"""The page of a fair deck in progress: for the recorder, for each player at their seat, and for spectators."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from litestar.params import FromPath
from msgspec import Struct

from api.common.pages.assets import page_language
from api.common.pages.shell import Page, build_page_response, fetch_value, words
from api.http.operations import shows
from api.http.request import Request
from api.http.response import Response
from api.pages.names import add_names
from domain.access import WRITERS
from domain.shuffling import LEAST_DICE

Told = Mapping[str, Any]


class Shuffling(Struct, frozen=True, kw_only=True):
    """The state of the deck.

    ``now``: the try in progress. ``mine``: the seat of the reader, ``joined``: what their device is bound to. ``dealer``: the next dealer,
    if the order continues; ``past``: the tries of each hand, the newest hand first.
    """

    now: Told | None
    names: Sequence[str]
    records: bool
    mine: int | None
    joined: Told | None
    dealer: int
    past: Sequence[tuple[int, Sequence[Told]]]

    @property
    def waits(self) -> bool:
        """True if only the dice are missing."""
        return self.now is not None and self.now["dice"] > 0 and not self.now["missing"]

    @property
    def closed(self) -> bool:
        return self.now is not None and any(one["chance"] is not None for one in self.now["joined"])


@shows("/g/{game:uuid}/shuffle", "shuffle_page", "Show a fair shuffle as it happens")
async def shuffle_page(request: Request, game: FromPath[UUID]) -> Response:
    short, shuffles = await fetch_value(request, f"/v1/games/{game}"), await fetch_value(request, f"/v1/games/{game}/shuffles")
    said = words(page_language(request))
    (called,) = await add_names(request, [short])
    values = {
        "game": short,
        "fair": shuffles["fair"],
        "position": shuffles["position"],
        "title": called["title"],
        "least": LEAST_DICE,
        "shuffling": await _shuffling(request, short, shuffles["shuffles"], called["names"]),
    }
    page = Page(
        template="shuffle.html.j2", title=said["shuffle.title"], values=values, script="shuffle.js", styles=("tournament.css", "me.css")
    )
    return await build_page_response(request, page)


async def _shuffling(request: Request, short: Told, tries: Sequence[Told], names: Sequence[str]) -> Shuffling:
    now = tries[-1] if tries and tries[-1]["dealt"] is None and not tries[-1]["ended"] else None
    mine = await _seat(request, short)
    last = tries[-1]["dealer"] if tries else -1
    hands = sorted({one["hand"] for one in tries if one is not now}, reverse=True)
    return Shuffling(
        now=now,
        names=names,
        records=request.user.role in WRITERS,
        mine=mine,
        joined=next((one for one in now["joined"] if one["seat"] == mine), None) if now else None,
        dealer=now["dealer"] if now else (last + 1) % len(names),
        past=[(hand, [one for one in tries if one["hand"] == hand and one is not now]) for hand in hands],
    )


async def _seat(request: Request, short: Told) -> int | None:
    """Return the seat that the player holds in this game."""
    if request.user.role != "player":
        return None
    me = await fetch_value(request, "/v1/me")
    scope = me["scope"] if isinstance(me["scope"], dict) else {}
    if scope.get("game") == short["id"] and me.get("seat") is not None:
        return int(me["seat"])
    return short["players"].index(me["player"]) if me.get("player") in short["players"] else None
