"""The recorder's pages of a game: the table with a line to type moves, and a fair deck in progress, also for players and spectators."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, get_args
from uuid import UUID

from litestar.params import FromPath
from msgspec import Struct, to_builtins

from api.common.pages.shell import Page, build_page_response, fetch_value, page_language, words
from api.http.operations import shows
from api.http.request import Request, services_of
from api.http.response import Response
from api.pages.names import add_names, list_next_pages
from api.pages.replayed import fetch_replay
from domain.access import WRITERS
from domain.cards import Card
from domain.errors import Refused
from domain.events.game import NAMES, Entry
from domain.notation.letters import SIGNS, fold_phrase
from domain.notation.syntax import Notation
from domain.rules import Ruleset
from domain.shuffling import LEAST_DICE

# Letters and signs of a game in one language, by which the page itself matches typed lines with the legal moves that it holds. The spelling
# of each move comes with it (``units``), so a page needs no grammar.


class NotationData(Struct, frozen=True, kw_only=True):
    """The notation of a game.

    ``cards``: the rank of each, the codes of its suits and how often the deck has it; ``ranks``, ``suits``: what may be typed for them,
    separated by blanks. ``own``: cards may stand in any order among the signs. ``hands``: the suits of a hand that is typed suit by suit.
    ``words``: what may be typed in the place of words and names of cards. ``laid``: groups of cards that a seat lays as soon as it holds
    them, by which the page asks for those that were laid with the deal.
    """

    cards: Mapping[Card, tuple[str, str, int]]
    ranks: Mapping[str, str]
    suits: Mapping[str, str]
    signs: Mapping[str, str]
    numbered: Sequence[str]
    bare: bool
    plain: str | None
    order: Sequence[str]
    own: bool
    hands: str
    words: Mapping[str, str]
    laid: Sequence[Sequence[Card]]


def find_notation(ruleset: Ruleset | None, options: Mapping[str, Any], seats: int, language: str) -> NotationData | None:
    """Return the notation; None for a game that has none, or whose rules are not kept here any more."""
    try:
        notation = ruleset.bind(dict(options), seats).notation if ruleset else None
    except Refused:
        return None
    return view_notation(notation, language) if notation else None


def view_notation(notation: Notation, language: str) -> NotationData:
    grammar, alphabet = notation.grammar, notation.letters.of(language)
    copies = Counter(notation.deck)
    cards: dict[str, tuple[str, str, int]] = {}
    for card, number in copies.items():
        rank, suits = (card, "") if card in alphabet.ranks else alphabet.split(card)
        cards[card] = (rank, suits, number)
    return NotationData(
        cards=cards,
        ranks=alphabet.ranks,
        suits=alphabet.suits,
        signs={typed: sign for typed, sign in SIGNS[language].items() if sign in grammar.signs},
        numbered=grammar.numbered,
        bare=grammar.bare,
        plain=grammar.plain,
        order=grammar.order,
        own=grammar.fitting is not None,
        hands=grammar.suits,
        words={**_name_cards(notation, language), **notation.card_words(notation.letters, language)},
        laid=notation.laid,
    )


def _name_cards(notation: Notation, language: str) -> Mapping[str, str]:
    """Return by its name what may be typed for each card, where no other card has the name."""
    typed = {next(iter(cards)): text for text, cards in notation.cards_by_text(language).items() if len(cards) == 1}
    names = [(fold_phrase(name), *cards) for name, cards in notation.names.names.items() if len(cards) == 1]
    return {phrase: typed[card] for phrase, card in names if phrase and card in typed}


_LAST = 60
"""Lines of history on the page without script."""


@shows("/g/{game:uuid}/record", "record_page", "Show the page to record a game; redirect others to its replay")
async def record_page(request: Request, game: FromPath[UUID]) -> Response:
    short = await fetch_value(request, f"/v1/games/{game}")
    if request.user.role not in WRITERS:
        headers = (("location", f"/g/{game}"), ("cache-control", "no-store"), ("vary", "cookie, authorization"))
        return Response(b"", status=303, headers=headers)
    me = await fetch_value(request, "/v1/me")
    found = await fetch_replay(request, str(game), None, max(short["position"] - _LAST, 0))
    letters = find_notation(services_of(request).rulesets.get(short["ruleset"]), short["options"], short["seats"], page_language(request))
    page = Page(
        template="record.html.j2",
        title=found.title,
        description=found.description,
        values={
            "game": found,
            "directs": request.user.role == "director",
            "fair": await _is_fair(request, game),
            "notation": _compact(to_builtins(letters)),
            "who": _compact(_describe_principal(me)),
            "next_pages": _compact(list_next_pages(me, short)),
            "entries": _compact([NAMES[kind].partition("/")[0] for kind in get_args(Entry)]),
        },
        script="record.js",
        deck=found.deck,
        reads=(found.last,),
        styles=("cards.css", "table.css", "record.css", "outbox.css"),
    )
    return await build_page_response(request, page)


async def _is_fair(request: Request, game: UUID) -> bool:
    """Return whether the decks of the game follow from chances that nobody chose."""
    return bool((await fetch_value(request, f"/v1/games/{game}/shuffles"))["fair"])


def _describe_principal(me: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the principal in whose name waiting entries on the device are sent."""
    return {"id": me["principal"], "label": me.get("label") or ""}


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


# The page of a fair deck in progress: for the recorder, for each player at their seat, and for spectators.


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
