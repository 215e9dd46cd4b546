"""Assignment of told faces to unknown cards: told faces become effects (COM-71, COM-72)."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from domain.blocks import Block, block_at
from domain.cards import HIDDEN, Card, copies_of
from domain.checks import refusal
from domain.effects import Known
from domain.errors import Refused
from domain.rules import Codes
from domain.table import Draft
from domain.unknown_cards.support import Order, Zones, count_unknown_faces, possible_faces


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
        self.pool = Counter(count_unknown_faces(draft.table, copies_of(tuple(deck))))

    def tell(self, known: Zones) -> None:
        """Tell the faces. Raises ``Refused`` with ``card_impossible`` for a face that cannot be there."""
        for zone, cards in known.items():
            if self._order(zone) == "ordered":
                self._tell_in_order(zone, cards)
            else:
                for card in subtract_cards(cards, self._cards(zone)):
                    self._tell_any(zone, card)
        self._tell_last_faces()

    def tell_named(self, named: Zones) -> None:
        """Tell the cards that a move names, as far as possible; the rest is left to the game's own checks (COM-72)."""
        for zone, cards in named.items():
            lying = self._cards(zone)
            if self._zones.get(zone) == "ordered":
                if cards and lying[-1:] == (HIDDEN,) and self._can_have_face(zone, 0, cards[0]):
                    self._tell_in_order(zone, cards[:1])
                continue
            for card in subtract_cards(cards, lying):
                if any(self._can_have_face(zone, place, card) for place in self._unknown_places(zone)) and not self._barred(zone, card):
                    self._tell_any(zone, card)
        self._tell_last_faces()

    def check_missing(self, lacks: Zones) -> None:
        """Raise ``Refused`` with ``card_impossible`` where the zone is known to hold the card, or must hold it."""
        for zone, cards in lacks.items():
            self._order(zone)
            held = possible_faces(self._list_known_faces(self.turned.get(zone, zone)), self.pool)
            for card in cards:
                if held.must_have_card(card):
                    raise self._build_refusal(zone, card, "held")

    def check_hand(self, zone: str) -> None:
        """Raise ``Refused`` where the zone is no hand on the table, as one that is told by its worth or by ranks has to be."""
        if self._order(zone) == "ordered":
            raise no_zone(zone, (one for one, order in self._zones.items() if order == "unordered"))

    def _cards(self, zone: str) -> tuple[Card, ...]:
        return self._draft.table.cards(zone)

    def _list_known_faces(self, zone: str) -> tuple[Card, ...]:
        """Return the cards with the faces of blocks that lie in this zone alone, and without places of other blocks."""
        blocks = [block for block in self._blocks if zone in block.places]
        inside = [face for block in blocks if len(block.places) == 1 for face in block.faces]
        count = sum(len(block.places[zone]) for block in blocks)
        lying = list(self._cards(zone))
        for _ in range(count):
            lying.remove(HIDDEN)
        return (*lying, *inside)

    @property
    def _blocks(self) -> tuple[Block, ...]:
        return self._draft.table.blocks or ()

    def _unknown_places(self, zone: str) -> Iterator[int]:
        """Yield the places of cards without a face, from the top down."""
        return (place for place, card in enumerate(reversed(self._cards(zone))) if card == HIDDEN)

    def _can_have_face(self, zone: str, place: int, card: Card) -> bool:
        """Return whether an unknown place can have this face: in a block one of its own, else one that is not accounted for."""
        block = block_at(self._blocks, zone, place)
        return card in block.faces if block else self.pool[card] > 0

    def _order(self, zone: str) -> Order:
        order = self._zones.get(zone)
        if order is None or zone not in self._draft.table.zones:
            raise no_zone(zone, (one for one in self._zones if one in self._draft.table.zones))
        return order

    def _tell_in_order(self, zone: str, cards: tuple[Card, ...]) -> None:
        """Tell cards in order: the next card to leave, the top one, comes first; it is the lowest where the zone is still to be turned
        over.
        """
        source = self.turned.get(zone, zone)
        lying = list(self._cards(source))
        fresh = []
        blocks = dict[int, list[Card]]()
        for number, card in enumerate(cards):
            if number >= len(lying):
                raise self._build_refusal(zone, card, "place")
            place = number if zone in self.turned else len(lying) - 1 - number
            if card in (HIDDEN, lying[place]):
                continue
            if lying[place] != HIDDEN:
                raise self._build_refusal(zone, card, "other")
            if block := block_at(self._blocks, source, len(lying) - 1 - place):
                self._take_from(blocks.setdefault(id(block), [*block.faces]), zone, card)
            else:
                self._take(zone, card)
            lying[place] = card
            fresh.append(place)
        if fresh:
            self._draft.emit(Known(source, tuple(lying[min(fresh) :])))

    def _tell_any(self, zone: str, card: Card) -> None:
        """Tell one of the unknown cards, the top-most that can have this face: in a zone without order it does not matter which."""
        lying = self._cards(zone)
        places = [*self._unknown_places(zone)]
        if not places:
            raise self._build_refusal(zone, card, "full")
        fitting = [place for place in places if self._can_have_face(zone, place, card)]
        free = [place for place in places if not block_at(self._blocks, zone, place)]
        if not fitting and not free:
            raise self._not_of_block(zone, card, {face for block in self._blocks if zone in block.places for face in block.faces})
        if not fitting or fitting[0] in free:
            self._take(zone, card)
        place = len(lying) - 1 - (fitting or free)[0]
        self._draft.emit(Known(zone, (card, *lying[place + 1 :])))

    def _tell_last_faces(self) -> None:
        """Tell the face of every block that has only one left (QTR-32)."""
        for block in self._blocks:
            if len(block.faces) == 1:
                ((zone, (place,)),) = block.places.items()
                lying = self._cards(zone)
                self._draft.emit(Known(zone, (*block.faces, *lying[len(lying) - place :])))

    def _take_from(self, left: list[Card], zone: str, card: Card) -> None:
        """Take the face out of those that the block has left."""
        if card not in left:
            raise self._not_of_block(zone, card, left)
        left.remove(card)

    def _not_of_block(self, zone: str, card: Card, left: Iterable[Card]) -> Refused:
        return not_of_block(self._codes, zone, card, left)

    def _take(self, zone: str, card: Card) -> None:
        if self._barred(zone, card):
            raise self._build_refusal(zone, card, "barred")
        if not self.pool[card]:
            raise self._build_refusal(zone, card, "accounted")
        self.pool[card] -= 1

    def _build_refusal(self, zone: str, card: Card, problem: str) -> Refused:
        return build_face_refusal(zone, card, problem)


def build_face_refusal(zone: str, card: Card, problem: str, number: str = "COM-71") -> Refused:
    """Return the refusal of a face. ``problem``: why the card cannot be there."""
    return Refused("card_impossible", number, zone=zone, card=card, problem=problem)


def not_of_block(codes: Codes, zone: str, card: Card, left: Iterable[Card]) -> Refused:
    """Return the refusal of a face that the block does not hold, with the game's own rule of blocks. ``left``: the faces that it holds. The
    sentence does not name them (``name_faces_of_block``).
    """
    return refusal(codes, "card_impossible", "COM-71", zone=zone, card=card, problem="block", faces=tuple(sorted(left)))


def name_faces_of_block(refused: Refused) -> None:
    """Let the sentence of a refusal name the faces of the block: for those to whom its zone is open (QTR-32)."""
    if refused.detail.get("problem") == "block":
        refused.detail["problem"] = "block_open"


def no_zone(zone: str, zones: Iterable[str], number: str = "COM-71") -> Refused:
    """Return the refusal of a zone of which nothing can be told, with those of which it can."""
    return Refused("card_impossible", number, zone=zone, card=HIDDEN, problem="zone", zones=sorted(zones))


def subtract_cards(told: Iterable[Card], lying: Iterable[Card]) -> list[Card]:
    """Return the told cards beyond those known to lie there, copies counted."""
    left = Counter(lying)
    more: list[Card] = []
    for card in told:
        if card == HIDDEN:
            continue
        if left[card]:
            left[card] -= 1
        else:
            more.append(card)
    return more
