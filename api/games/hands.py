"""Dealing of hands: from a recorded deck, a prepared board of the round, or a shuffle here; or a hand by its result alone."""

import asyncio
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from litestar.params import FromPath
from msgspec import UNSET

from api.common.commands import build_commit_response, commit_to_game
from api.common.rulebooks import latest_rulebook_of
from api.games.moves import PlayQuery, PlayResponse, check_include, include_parts
from api.games.requests import DealHand
from api.http.decoding import read_body, read_query
from api.http.errors import say
from api.http.operations import describe_responses, writes
from api.http.request import Request, services_of
from api.http.response import Response
from domain.errors import InvalidFormatError, Refused, Unavailable, Unknown
from domain.events.game import HandDealt, HandReported
from domain.game import Game
from domain.journal.application import DecideGame
from domain.journal.commits import Board, BoardReplaced, Receipt
from domain.moves import latest_of
from replay.cases import full_deck, get_known_deck

_OF_DECK = ("deck", "fill", "known", "deal")
_ATTEMPTS = 3


@writes(
    "/v1/games/{game:uuid}/hands",
    "deal",
    "Deal a hand",
    tag="Playing",
    description=(
        "`deck` is the order that was dealt at the table. With `fill` the cards that it leaves out follow in canonical "
        "order, or are unknown. `?` is a card that nobody knows; `known` names some cards by the zone to which they go. "
        "`card_unknown` says which cards to name. `deal` names cards by zone; everything else is unknown. `board` deals "
        "the deck that was prepared under this number for the round of the game; a game deals each board once. `result` "
        "records only the score of a hand: it counts and is over. With `dry_run=true` nothing is recorded. Then a deck that "
        "is not in the request, and a prepared one, is another one: no dry run shows a deck before it is dealt."
    ),
    query=PlayQuery,
    body=DealHand,
    responses=describe_responses(PlayResponse, says="dealt, or counted", result="what would be dealt or would count, not recorded"),
    refuses=(422,),
    role="recorder",
)
async def deal(request: Request, game: FromPath[UUID]) -> Response:
    query, body = read_query(request, PlayQuery), await read_body(request, DealHand)
    check_include(query)
    return await include_parts(request, game, await _deal(request, game, body, dry=query.dry_run), query.include)


async def _deal(request: Request, game: UUID, body: DealHand, *, dry: bool) -> Response:
    decide, board = _reporting(request, body), body.board
    if decide is None and board is not UNSET:
        receipt = await _deal_board(request, game, body, board, dry=dry)
    else:
        receipt = await commit_to_game(request, game, decide or dealing(request, body), happened_at=body.happened_at, dry_run=dry)
    return build_commit_response(request, receipt, dry_run=dry)


def _reporting(request: Request, body: DealHand) -> DecideGame | None:
    """Return the decision for a hand of which only the result is known. Raises ``InvalidFormatError`` where the body also names a deck."""
    if body.result is UNSET:
        return None
    if any(getattr(body, name) is not UNSET for name in (*_OF_DECK, "board")):
        raise InvalidFormatError("malformed_body", say("result_alone"), "result")
    rulesets = services_of(request).rulesets

    def decide(now: Game) -> tuple[HandReported]:
        edition = latest_of(rulesets, now.setup).edition
        return (now.report(latest_rulebook_of(rulesets, now.setup), edition, body.dealer, body.result),)

    return decide


async def _deal_board(request: Request, id: UUID, body: DealHand, number: int, *, dry: bool) -> Receipt[Game]:
    """Deal a prepared board; try again where the board was replaced since it was read. A dry run deals another deck.

    Raises ``InvalidFormatError``, ``Unknown``, ``Refused``, and ``Unavailable`` after 3 attempts.
    """
    if any(getattr(body, name) is not UNSET for name in _OF_DECK):
        raise InvalidFormatError("malformed_body", say("board_or_deck"), "board")
    for _ in range(_ATTEMPTS):
        board = await _board(request, id, number)
        decide = _dealing(request, body.dealer, board, dry=dry)
        try:
            return await commit_to_game(request, id, decide, happened_at=body.happened_at, board=None if dry else board, dry_run=dry)
        except BoardReplaced:
            continue
    raise Unavailable(f"board {number} keeps being replaced", unclear=False)


async def _board(request: Request, id: UUID, number: int) -> Board:
    services = services_of(request)
    opened = (await services.journal.current(id)).opened
    if opened.tournament is None or opened.round is None:
        raise Refused("no_boards_here")
    found = await asyncio.to_thread(services.registers.find_board, opened.tournament, opened.round, number)
    if found is None:
        raise Unknown("board", number)
    return found


def _dealing(request: Request, dealer: object, board: Board, *, dry: bool) -> DecideGame:
    services = services_of(request)

    def decide(now: Game) -> tuple[HandDealt]:
        rulebook, edition = latest_rulebook_of(services.rulesets, now.setup), latest_of(services.rulesets, now.setup).edition
        deck = services.shuffle(rulebook.deck) if dry else board.deck
        return (now.deal_board(rulebook, edition, dealer, deck, board.number),)

    return decide


def dealing(request: Request, body: DealHand) -> DecideGame:
    """Return the decision to deal from a deck. Raises ``InvalidFormatError`` for a wrong combination of fields."""
    services, hand = services_of(request), _hand(body)

    def decide(now: Game) -> tuple[HandDealt]:
        rulebook, edition = latest_rulebook_of(services.rulesets, now.setup), latest_of(services.rulesets, now.setup).edition
        if not hand:
            return (now.deal(rulebook, edition, body.dealer, services.shuffle(rulebook.deck), "shuffled"),)
        return (now.deal(rulebook, edition, body.dealer, full_deck(hand, rulebook), "recorded", get_known_deck(hand)),)

    return decide


def _hand(body: DealHand) -> Mapping[str, Any]:
    """Return the fields of the deck, as a hand of a record has them; nothing where the service is to shuffle."""
    given = {name: value for name in _OF_DECK if (value := getattr(body, name)) is not UNSET}
    if "deal" in given and len(given) > 1:
        raise InvalidFormatError("malformed_body", say("deal_alone"), "deal")
    for name in ("fill", "known"):
        if name in given and "deck" not in given:
            raise InvalidFormatError("malformed_body", say(f"{name}_alone"), name)
    return given
