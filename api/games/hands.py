"""Hands: dealt from a deck that was recorded at the table, or shuffled here."""

from uuid import UUID

from litestar.params import FromPath
from msgspec import UNSET

from api.common.commands import commit, recorded
from api.common.rulebooks import newest_of, newest_rulebook_of
from api.http.answers import Done
from api.http.decoding import body
from api.http.fields import DealHand
from api.http.operations import (
    JSON,
    Content,
    Operation,
    writes,
)
from api.http.query import Nothing, query
from api.http.response import Answer, Asked, house_of
from domain.errors import Malformed
from domain.events import HandDealt
from domain.game import Game
from domain.journal.application import Decide
from replay.cases import full_deck


@writes(
    "/v1/games/{game:uuid}/hands",
    Operation(
        id="deal",
        tag="Playing",
        summary="Deal a hand",
        description="With `deck` the order that was dealt at the table; with `fill` the cards it leaves out follow in canonical order.",
        body={JSON: DealHand},
        body_examples={"shuffled": {"dealer": 1}, "recorded": {"dealer": 1, "deck": ["3H", "8C", "5S"], "fill": "sorted"}},
        answers={201: Content("dealt", {JSON: Done}, headers=("Location", "ETag"))},
        refuses=(404, 412, 422),
        headers=("If-Match", "Idempotency-Key"),
        role="recorder",
    ),
)
async def deal(request: Asked, game: FromPath[UUID]) -> Answer:
    query(request, Nothing)
    wanted = await body(request, DealHand)
    return recorded(request, await commit(request, game, dealing(request, wanted), happened_at=wanted.happened_at))


def dealing(asked: Asked, wanted: DealHand) -> Decide:
    """Raises ``Malformed`` where something is to be filled up that is not there."""
    house = house_of(asked)
    if wanted.fill is not UNSET and wanted.deck is UNSET:
        raise Malformed("malformed_body", "fill stands beside a deck", "fill")

    def decide(now: Game) -> tuple[HandDealt]:
        rulebook, edition = newest_rulebook_of(house.rulesets, now.setup), newest_of(house.rulesets, now.setup).edition
        if wanted.deck is UNSET:
            return (now.deal(rulebook, edition, wanted.dealer, house.shuffle(rulebook.deck), "shuffled"),)
        hand = {"deck": wanted.deck} if wanted.fill is UNSET else {"deck": wanted.deck, "fill": wanted.fill}
        return (now.deal(rulebook, edition, wanted.dealer, full_deck(hand, rulebook), "recorded"),)

    return decide
