"""Values of a game's page: its replay as the reader may see it, and the layout and words of its ruleset."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from msgspec import Struct, to_builtins

from api.common.names import name_places, name_seats
from api.common.pages.shell import call_api, fetch_value, page_language, words
from api.common.rulebooks import about_of
from api.http.request import Request, services_of
from api.rulings.rulings import instance_of
from domain.access import JUDGES
from domain.layout import DeckKind
from domain.rules import About
from domain.ruling import list_decisions
from domain.texts import Texts

FRAMES = 50
"""Frames on one page without script."""


class Replayed(Struct, frozen=True, kw_only=True):
    """The values of a game's page.

    ``facts``: JSON for the script. ``hands``: the lines, by hand. ``views``: the views that the reader may choose, with their names;
    ``sides``: names of the parties, ``tournament`` its title. ``deck``: the kind of its cards, where that is known. ``log``: whether there
    are proofs. ``last``: the path of the last frame, which the script reads first.
    """

    title: str
    description: str
    ruleset: str
    short: Mapping[str, Any]
    sheet: Mapping[str, Any]
    sides: Sequence[str]
    hands: Sequence[tuple[int, Sequence[Mapping[str, Any]]]]
    view: str
    views: Sequence[tuple[str, str]]
    next: int | None
    previous: int | None
    is_dark: bool
    published: bool
    tournament: str | None
    deck: DeckKind | None
    role: str | None
    log: bool
    facts: str
    last: str


async def fetch_replay(request: Request, game: str, view: str | None, after: int) -> Replayed:
    """Read the values of the page. Raises ``ApiError``."""
    short = await fetch_value(request, f"/v1/games/{game}")
    sheet = await fetch_value(request, f"/v1/games/{game}/score-sheet")
    page = await _frames(request, game, view, after=after, limit=FRAMES)
    last = (
        page["frames"] if page["after"] is None else (await _frames(request, game, view, before=short["position"] + 1, limit=1))["frames"]
    )
    spoken, said = page_language(request), words(page_language(request))
    names = (last[-1].get("names") if last else None) or [None] * short["seats"]
    sits, places = name_seats(names, spoken), name_places(short["seats"], spoken)
    about = _about(request, short["ruleset"], spoken)
    ruleset = about.names[spoken] if about else short["ruleset"]
    tournament = await _tournament(request, short["tournament"])
    views = await _views(request, game, page["view"] if view is None else None, sits, said)
    return Replayed(
        title=" – ".join(sits),
        description=f"{ruleset}. {' : '.join(map(str, short['totals']))}",
        ruleset=ruleset,
        short=short,
        sheet={"struck": (), "adjustments": (), **sheet},
        sides=[join_names([sits[seat] for seat in seats], said) for seats in sheet["parties"]],
        hands=[
            (hand, [_line(frame, places, said) for frame in frames])
            for hand, frames in groupby(page["frames"], lambda frame: frame["hand"])
        ],
        view=page["view"],
        views=views,
        next=page["after"],
        previous=after or None,
        is_dark=page["start"]["sees"] == "nothing" and not short["live"] and not short["finished"],
        published=tournament is not None and tournament["publication"] != "no",
        tournament=(tournament and tournament["title"]) or short["tournament"],
        deck=about.deck_kind if about else None,
        role=(role := _judging(request)),
        log=services_of(request).log is not None,
        facts=json.dumps(
            {
                **_script_values(short, sheet, about, spoken, page["view"], view),
                "names": sits,
                "places": places,
                "decides": role and _decides(role),
            },
            separators=(",", ":"),
        ),
        last=_path_of_last_frame(short, view),
    )


def _judging(request: Request) -> str | None:
    """Return the reader's role here, if they see all and may rule."""
    user = request.user
    return user.role if user.role in JUDGES and user.has_full_view else None


def _decides(role: str) -> Mapping[str, Sequence[str]]:
    """Return the possible decisions of a ruling of this role: on a dispute, and of its own motion."""
    return {name: list_decisions(instance_of(role), disputed=name == "disputed") for name in ("disputed", "unasked")}


def _path_of_last_frame(short: Mapping[str, Any], view: str | None) -> str:
    chosen = {
        "after": short["position"] - 1,
        "limit": 1,
        "tables": "false",
        "names": "true",
        **({"view": view} if view is not None else {}),
    }
    return f"/v1/games/{short['id']}/replay?{urlencode(chosen)}"


async def _frames(request: Request, game: str, view: str | None, **chosen: int) -> Any:
    return await fetch_value(request, f"/v1/games/{game}/replay", tables=False, names=True, view=view, **chosen)


_RECENT = 30
"""The last events among which those are looked for that a dispute can be about."""


async def fetch_subjects(request: Request, game: str, position: int, places: Sequence[str]) -> Sequence[Mapping[str, Any]]:
    """Return what a dispute can be about, the latest first: the last five moves, and the deal. Never another act of an official."""
    said = words(page_language(request))
    frames = (await _frames(request, game, None, before=position + 1, limit=_RECENT))["frames"]
    standing = [frame for frame in reversed(frames) if not frame.get("void", False)]
    moves = [frame for frame in standing if frame["name"].startswith("move.")][:5]
    deals = [frame for frame in standing if frame["name"].startswith("hand.")][:1]
    return sorted((_line(frame, places, said) for frame in (*moves, *deals)), key=lambda line: -line["position"])


async def fetch_move(request: Request, game: str, position: int, places: Sequence[str]) -> str:
    """Return what happened at a position, in words."""
    found = (await _frames(request, game, None, before=position + 1, limit=1))["frames"]
    return " ".join(_line(found[-1], places, words(page_language(request)))["says"]) if found else ""


def _about(request: Request, key: str, language: str) -> About | None:
    """Return the description of a ruleset, which is public; None for one that is not kept here any more."""
    ruleset = services_of(request).rulesets.get(key)
    return about_of(ruleset, language) if ruleset else None


async def _views(request: Request, game: str, most: str | None, sits: Sequence[str], said: Texts) -> Sequence[tuple[str, str]]:
    """Return the views that would not be refused: all of them, or the reader's own and that of the public."""
    path = f"/v1/games/{game}/replay"
    whole = not request.user.is_address and (await call_api(request, path, limit=1, tables=False, view="arbiter")).status == 200
    if most is None:
        most = (await fetch_value(request, path, limit=1, tables=False))["view"]
    seats = [(f"seat:{seat}", name) for seat, name in enumerate(sits)]
    named = [("arbiter", said["game.view.arbiter"]), ("public", said["game.view.public"]), *seats]
    return [(view, name) for view, name in named if whole or view in (most, "public")]


async def _tournament(request: Request, tournament: str | None) -> Mapping[str, Any] | None:
    if tournament is None:
        return None
    return (await call_api(request, f"/v1/tournaments/{tournament}")).value_if_ok


def _script_values(
    short: Mapping[str, Any], sheet: Mapping[str, Any], about: About | None, spoken: str, view: str, chosen: str | None
) -> Mapping[str, Any]:
    """Return the values for the script. ``deck``: the kind of cards; for a Quartett its definition."""
    kind = about.deck_kind if about else None
    return {
        "id": short["id"],
        "ruleset": short["ruleset"],
        "tournament": short["tournament"],
        "seats": short["seats"],
        "parties": sheet["parties"],
        "over": short["finished"] or short["state"] in ("abandoned", "annulled"),
        "view": view,
        "chosen": chosen,
        "deck": short["options"].get("deck_def") if kind == "quartett" else kind,
        "layout": to_builtins(about.layout) if about else [],
        "words": {key: value for key, value in about.words[spoken].items() if key.startswith(("row.", "end."))} if about else {},
    }


def _line(frame: Mapping[str, Any], places: Sequence[str], said: Texts) -> Mapping[str, Any]:
    says = "".join(_name_seats(frame, places, said)).split("\n")
    return {"position": frame["position"], "void": frame.get("void", False), "says": says}


def _name_seats(frame: Mapping[str, Any], places: Sequence[str], said: Texts) -> Iterator[str]:
    """Yield the caption with the names of players and places in it."""
    names = [name or place for name, place in zip(frame.get("names") or [None] * len(places), places, strict=True)]
    for piece in frame["said"]:
        if isinstance(piece, str):
            yield piece
        else:
            yield join_names([names[seat] for seat in piece["seats"]], said)


def join_names(names: Sequence[str], said: Texts) -> str:
    """Join names as in a sentence: with commas, and a word before the last."""
    *others, last = names
    return f"{', '.join(others)} {said['game.and']} {last}" if others else last
