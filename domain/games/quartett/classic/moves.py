"""The only move of classic Quartett."""

from typing import Annotated

from msgspec import Meta

from domain.cards import CARD_CODE, Card
from domain.games.quartett.classic.options import Options
from domain.games.quartett.options import Deck, QuartettTerms
from domain.rules import TypedMove
from domain.unknown_cards.support import Zones


class Ask(TypedMove, frozen=True, tag="ask"):
    """Ask another seat for a card."""

    target: Annotated[int, Meta(description="seat that is asked")]
    card: Annotated[str, Meta(description="id or name of the card, as in A4 or Azobé", extra=CARD_CODE)]


def list_named_cards(agreed: QuartettTerms[Options], move: Ask) -> tuple[Card, ...]:
    """Return the card as its id, also if it was asked for by its name."""
    return (resolve_asked_card(agreed.deck, move),)


def locate_named_cards(*_: object) -> Zones:
    """Return no cards: a question names no card of the own hand (QKL-18)."""
    return {}


def resolve_asked_card(deck: Deck, move: Ask) -> Card:
    return deck.find_card(move.card) or move.card
