"""Assignment of told faces to unknown cards: told faces become effects (COM-71, COM-72)."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from domain.cards import HIDDEN, Card, copies_of
from domain.checks import refusal
from domain.effects import Known
from domain.errors import Refused
from domain.rules import Codes
from domain.table import Draft
from domain.unknown_cards.tellable import Order, Zones
from domain.unknown_cards.untold import count_unaccounted, possible_faces


class Telling:
    """One act of telling: writes ``Known`` effects on a draft, and keeps count of the faces that are not accounted for."""

    def __init__(
        self, draft: Draft, zones: Mapping[str, Order], deck: Iterable[Card], codes: Codes, barred: Callable[[str, Card], bool]
    ) -> None:
        self.turned: Mapping[str, str] = {}
        """Zones that come about because the act turns another one over, and that one."""
        self._draft = draft
        self._barred = barred
        self._zones = zones
        self._codes = codes
        self.pool = Counter(count_unaccounted(draft.table, copies_of(tuple(deck))))

    def tell(self, known: Zones) -> None:
        """Tell the faces. Raises ``Refused`` with ``card_impossible`` for a face that cannot be there."""
        for zone, cards in known.items():
            if self._order(zone) == "ordered":
                self._tell_in_order(zone, cards)
            else:
                for card in subtract_cards(cards, self._cards(zone)):
                    self._tell_any(zone, card)

    def tell_named(self, named: Zones) -> None:
        """Tell the cards that a move names, as far as possible; the rest is left to the game's own checks (COM-72)."""
        for zone, cards in named.items():
            lying = self._cards(zone)
            if self._zones.get(zone) == "ordered":
                if cards and lying[-1:] == (HIDDEN,) and self.pool[cards[0]]:
                    self._tell_in_order(zone, cards[:1])
                continue
            for card in subtract_cards(cards, lying):
                if HIDDEN in self._cards(zone) and self.pool[card] and not self._barred(zone, card):
                    self._tell_any(zone, card)

    def check_missing(self, lacks: Zones) -> None:
        """Raise ``Refused`` with ``card_impossible`` where the zone is known to hold the card, or must hold it."""
        for zone, cards in lacks.items():
            self._order(zone)
            held = possible_faces(self._cards(self.turned.get(zone, zone)), self.pool)
            for card in cards:
                if held.must_have_card(card):
                    raise self._impossible(zone, card, "held")

    def check_hand(self, zone: str) -> None:
        """Raise ``Refused`` where the zone is no hand on the table, as one that is told by its worth or by ranks has to be."""
        if self._order(zone) == "ordered":
            raise no_zone(self._codes, zone, (one for one, order in self._zones.items() if order == "unordered"))

    def _cards(self, zone: str) -> tuple[Card, ...]:
        return self._draft.table.cards(zone)

    def _order(self, zone: str) -> Order:
        order = self._zones.get(zone)
        if order is None or zone not in self._draft.table.zones:
            raise no_zone(self._codes, zone, (one for one in self._zones if one in self._draft.table.zones))
        return order

    def _tell_in_order(self, zone: str, cards: tuple[Card, ...]) -> None:
        """Tell cards in order: the next card to leave, the top one, comes first; it is the lowest where the zone is still to be turned
        over.
        """
        source = self.turned.get(zone, zone)
        lying = list(self._cards(source))
        fresh = []
        for number, card in enumerate(cards):
            if number >= len(lying):
                raise self._impossible(zone, card, "place")
            place = number if zone in self.turned else len(lying) - 1 - number
            if card in (HIDDEN, lying[place]):
                continue
            if lying[place] != HIDDEN:
                raise self._impossible(zone, card, "other")
            self._take(zone, card)
            lying[place] = card
            fresh.append(place)
        if fresh:
            self._draft.emit(Known(source, tuple(lying[min(fresh) :])))

    def _tell_any(self, zone: str, card: Card) -> None:
        """Tell one of the unknown cards, the top-most: in a zone without order it does not matter which."""
        lying = self._cards(zone)
        if HIDDEN not in lying:
            raise self._impossible(zone, card, "full")
        self._take(zone, card)
        place = lying[::-1].index(HIDDEN) + 1
        self._draft.emit(Known(zone, (card, *lying[len(lying) - place + 1 :])))

    def _take(self, zone: str, card: Card) -> None:
        if self._barred(zone, card):
            raise self._impossible(zone, card, "barred")
        if not self.pool[card]:
            raise self._impossible(zone, card, "accounted")
        self.pool[card] -= 1

    def _impossible(self, zone: str, card: Card, problem: str) -> Refused:
        return impossible(self._codes, zone, card, problem)


def impossible(codes: Codes, zone: str, card: Card, problem: str, number: str = "COM-71") -> Refused:
    """Return the refusal of a face. ``problem``: why the card cannot be there."""
    return refusal(codes, "card_impossible", number, zone=zone, card=card, problem=problem)


def no_zone(codes: Codes, zone: str, zones: Iterable[str], number: str = "COM-71") -> Refused:
    """Return the refusal of a zone of which nothing can be told, with those of which it can."""
    return refusal(codes, "card_impossible", number, zone=zone, card=HIDDEN, problem="zone", zones=sorted(zones))


def subtract_cards(told: Iterable[Card], lying: Iterable[Card]) -> list[Card]:
    """Return the told cards beyond those known to lie there, copies counted."""
    left, more = Counter(lying), []
    for card in told:
        if card == HIDDEN:
            continue
        if left[card]:
            left[card] -= 1
        else:
            more.append(card)
    return more
