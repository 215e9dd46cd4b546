"""Hands: dealt from a deck that was recorded at the table, or shuffled here."""

from uuid import UUID

from litestar.params import FromPath
from msgspec import UNSET

from api.common.commands import commit_to_game, recorded_response
from api.common.event_views import CommandResponse
from api.common.rulebooks import newest_of, newest_rulebook_of
from api.games.requests import DealHand
from api.http.decoding import read_body
from api.http.errors import say
from api.http.operations import Content, Operation, writes
from api.http.request import Request, services_of
from api.http.response import Response
from domain.errors import Malformed
from domain.events.game import HandDealt
from domain.game import Game
from domain.journal.application import DecideGame
from replay.cases import full_deck


@writes(
    "/v1/games/{game:uuid}/hands",
    Operation(
        id="deal",
        tag="Playing",
        summary="Deal a hand",
        description=(
            "With `deck` the order that was dealt at the table; with `fill` the cards it leaves out follow in canonical order, or are "
            "unknown. Cards that nobody knows are `?`, `known` names some by the zone to which they go. `card_unknown` says what to tell."
        ),
        body=DealHand,
        responses={201: Content("dealt", CommandResponse, headers=("Location", "ETag"))},
        refuses=(404, 412, 422),
        headers=("If-Match", "Idempotency-Key"),
        role="recorder",
    ),
)
async def deal(request: Request, game: FromPath[UUID]) -> Response:
    body = await read_body(request, DealHand)
    return recorded_response(request, await commit_to_game(request, game, dealing(request, body), happened_at=body.happened_at))


def dealing(request: Request, body: DealHand) -> DecideGame:
    """Raises ``Malformed`` where something is to be filled up that is not there."""
    services = services_of(request)
    if body.deck is UNSET:
        if body.fill is not UNSET:
            raise Malformed("malformed_body", say("fill_alone"), "fill")
        if body.known is not UNSET:
            raise Malformed("malformed_body", say("known_alone"), "known")

    def decide(now: Game) -> tuple[HandDealt]:
        rulebook, edition = newest_rulebook_of(services.rulesets, now.setup), newest_of(services.rulesets, now.setup).edition
        if body.deck is UNSET:
            return (now.deal(rulebook, edition, body.dealer, services.shuffle(rulebook.deck), "shuffled"),)
        hand = {"deck": body.deck} if body.fill is UNSET else {"deck": body.deck, "fill": body.fill}
        return (now.deal(rulebook, edition, body.dealer, full_deck(hand, rulebook), "recorded", body.known),)

    return decide
