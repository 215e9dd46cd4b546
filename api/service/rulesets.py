"""Rulesets: the games of this service, with all that a client needs to build its forms."""

from hashlib import sha256

from litestar.params import FromPath

from api.common.rulebooks import about_of
from api.http.decoding import copy_fields
from api.http.operations import Content, reads
from api.http.request import Request, language_of, services_of
from api.http.response import Response, build_etag_response, encode
from api.service.responses import NotationExample, NotationView, RulesetList, RulesetSummary, RulesetView
from domain.errors import Refused, Unknown
from domain.notation.syntax import Notation
from domain.notation.writing import write_move
from domain.rules import Ruleset
from domain.texts import LANGUAGES
from replay.sample_games import find_minimum_seats


@reads(
    "/v1/rulesets",
    "list_rulesets",
    "List the rulesets of this service",
    responses={200: Content("all rulesets", RulesetList, headers=("ETag",))},
    within="open",
)
async def list_rulesets(request: Request) -> Response:
    return _response_with_etag(
        request, RulesetList(items=[_short(ruleset) for ruleset in services_of(request).rulesets.values()], next=None)
    )


@reads(
    "/v1/rulesets/{key:str}",
    "read_ruleset",
    "Read a ruleset: JSON Schemas of options and moves, numbered rules, codes, the deck",
    responses={200: Content("the ruleset", RulesetView, headers=("ETag",))},
    within="open",
)
async def read_ruleset(request: Request, key: FromPath[str]) -> Response:
    ruleset = services_of(request).rulesets.get(key)
    if ruleset is None:
        raise Unknown("ruleset", key)
    spoken = language_of(request)
    return _response_with_etag(request, _full_view(ruleset, spoken), ("content-language", spoken))


def _response_with_etag(request: Request, value: object, *said: tuple[str, str]) -> Response:
    body = encode(value)
    vary = "accept-language, authorization" if said else "authorization"
    return build_etag_response(request, sha256(body).hexdigest()[:16], lambda: body, headers=said, vary=vary)


def _short(ruleset: Ruleset) -> RulesetSummary:
    return RulesetSummary(key=ruleset.key, edition=ruleset.edition, names=about_of(ruleset).names)


def _full_view(ruleset: Ruleset, language: str) -> RulesetView:
    return copy_fields(about_of(ruleset, language), RulesetView, key=ruleset.key, edition=ruleset.edition, notation=_notation(ruleset))


def _notation(ruleset: Ruleset) -> NotationView | None:
    """Return the notation; ``None`` where the game has none, or an option has to be given."""
    try:
        notation = ruleset.bind({}, find_minimum_seats(ruleset, {})).notation
    except Refused:
        return None
    if notation is None:
        return None
    grammar = notation.grammar
    return NotationView(
        signs=grammar.signs,
        cards={language: _write_cards(notation, language) for language in LANGUAGES},
        plain=grammar.plain,
        examples=[
            NotationExample(move=move, written={language: write_move(notation, move, language) for language in LANGUAGES})
            for move in grammar.examples
        ],
    )


def _write_cards(notation: Notation, language: str) -> dict[str, str]:
    alphabet = notation.letters.of(language)
    return {card: alphabet.write_card(card) for card in dict.fromkeys(notation.deck)}
