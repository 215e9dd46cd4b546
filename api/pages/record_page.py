"""The recorder's page of a game: the table, the history, and a line to type moves; readers who may not record get its replay."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, get_args
from uuid import UUID

from litestar.params import FromPath
from msgspec import Struct, to_builtins

from api.common.pages.assets import page_language
from api.common.pages.shell import Page, build_page_response, fetch_value
from api.http.operations import shows
from api.http.request import Request, services_of
from api.http.response import Response
from api.pages.names import list_next_pages
from api.pages.replayed import fetch_replay
from domain.access import WRITERS
from domain.cards import Card
from domain.errors import Refused
from domain.events.game import NAMES, Entry
from domain.notation.letters import SIGNS, fold_phrase
from domain.notation.syntax import Notation
from domain.rules import Ruleset

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
    cards = {card: (*(alphabet.split(card) if card not in alphabet.ranks else (card, "")), copies[card]) for card in copies}
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
        reads=(found.frames,),
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
