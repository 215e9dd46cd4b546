"""Decks with unknown cards: the deck of a deal, completed with the cards that were told (COM-70)."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TypeAlias

from domain.cards import HIDDEN, Card
from domain.unknown_cards.face_entry import build_face_refusal, no_zone, subtract_cards
from domain.unknown_cards.support import Zones

Deck: TypeAlias = tuple[Card, ...]
Dealt: TypeAlias = Callable[[Deck], Mapping[str, tuple[int, ...]]]
"""The indices of a deck by the zone to which a card goes first (``UnknownCardsSupport.dealt``)."""


def complete_deck(deck: Deck, known: Zones, dealt: Dealt, in_order: Callable[[str, int], bool], full: Deck) -> Deck:
    """Return the deck with the faces that were told; ``in_order`` as ``UnknownCardsSupport.dealt_in_order``.

    Raises ``Refused`` with ``card_impossible`` for a face that cannot be there.
    """
    made = _Making(deck, full)
    order = dealt(deck)
    for zone in known:
        if zone not in order:
            raise no_zone(zone, order, "COM-70")
    for zone in order:
        if in_order(zone, len(order[zone])):
            made.tell_in_order(zone, known.get(zone, ()), dealt)
        else:
            made.tell_any(zone, known.get(zone, ()), order[zone])
    return made.deck


def group_known_cards(deck: Deck, order: Mapping[str, tuple[int, ...]], in_order: Callable[[str, int], bool]) -> dict[str, Deck]:
    """Return the known cards of a deck as ``complete_deck`` takes them; ``order`` are its indices by the zone to which a card goes
    first.
    """
    by_zone = {zone: tuple(deck[place] for place in places) for zone, places in order.items()}
    known = {zone: _cut_after_last_known(cards) if in_order(zone, len(cards)) else _list_known(cards) for zone, cards in by_zone.items()}
    return {zone: cards for zone, cards in known.items() if cards}


def _list_known(cards: Deck) -> Deck:
    return tuple(card for card in cards if card != HIDDEN)


def _cut_after_last_known(cards: Deck) -> Deck:
    """Return the cards up to the last known one, with a ``"?"`` for every unknown card before it."""
    while cards and cards[-1] == HIDDEN:
        cards = cards[:-1]
    return cards


class _Making:
    """A deck in the making, and the faces that are not in it yet."""

    def __init__(self, deck: Deck, full: Deck) -> None:
        self.deck = deck
        self._pool = Counter(full)
        self._pool.subtract(card for card in deck if card != HIDDEN)

    def tell_any(self, zone: str, cards: Deck, places: tuple[int, ...]) -> None:
        for card in subtract_cards(cards, [self.deck[place] for place in places]):
            free = [place for place in places if self.deck[place] == HIDDEN]
            if not free:
                raise build_face_refusal(zone, card, "full", "COM-70")
            self._put(zone, card, free[0])

    def tell_in_order(self, zone: str, cards: Deck, dealt: Dealt) -> None:
        for number, card in enumerate(cards):
            places = dealt(self.deck)[zone]
            if number >= len(places):
                raise build_face_refusal(zone, card, "place", "COM-70")
            lying = self.deck[places[number]]
            if card in (HIDDEN, lying):
                continue
            if lying != HIDDEN:
                raise build_face_refusal(zone, card, "other", "COM-70")
            self._put(zone, card, places[number])

    def _put(self, zone: str, card: Card, place: int) -> None:
        if not self._pool[card]:
            raise build_face_refusal(zone, card, "accounted", "COM-70")
        self._pool[card] -= 1
        self.deck = (*self.deck[:place], card, *self.deck[place + 1 :])
