"""Unknown cards of a table, and the faces that they can have (COM-70, COM-74).

On a whole table ``"?"`` is an unknown card. On the table as a seat sees it, it may be a hidden one as well; for both the same holds: the
face is one of those that are not accounted for.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from domain.cards import HIDDEN, Card
from domain.sight import Viewer, visible_from
from domain.table import Table


def count_unknown_faces(table: Table, copies: Mapping[Card, int]) -> dict[Card, int]:
    """Return the faces of the deck, given by their ``copies``, that are not known to lie anywhere: as many as there are cards without a
    face outside of blocks. In the order of the deck; none with 0.
    """
    left = dict(copies)
    # Lists of moves ask this once each, and it is most of what the unknown cards of a short list cost.
    for cards in (*(zone.cards for zone in table.zones.values()), *(block.faces for block in table.blocks or ())):
        if cards and (cards[-1] != HIDDEN or cards.count(HIDDEN) < len(cards)):
            for card in cards:
                if card in left:
                    number = left[card]
                    if number > 1:
                        left[card] = number - 1
                    else:
                        del left[card]
    return left


def faces(table: Table) -> set[Card]:
    """Return every face that is known to lie somewhere, those of blocks among them. Of a deck in which each card is there once, all others
    are not accounted for.
    """
    lying: list[Card] = []
    for zone in table.zones.values():
        lying += zone.cards
    for block in table.blocks or ():
        lying += block.faces
    return set(lying)


def untold_of(table: Table, viewer: Viewer) -> dict[str, int]:
    """Return the number of untold cards by zone, of those that the viewer sees; zones without any are left out (COM-76).

    The table may be whole or masked for the viewer. The public gets none, not even of open cards after a hand.
    """
    if (viewer.who == "public" and not viewer.open) or not table.has_unknown_cards:
        return {}
    seen = {name: zone.cards[visible_from(viewer, zone) :] for name, zone in table.zones.items()}
    return {name: cards.count(HIDDEN) for name, cards in seen.items() if HIDDEN in cards}


def unknown_view(table: Table, viewer: Viewer) -> dict[str, Any]:
    """Return the fields of untold cards in the state view; none where there are no such cards. Blocks are shown to an arbiter alone
    (QTR-32).
    """
    untold = untold_of(table, viewer)
    blocks = [
        {"faces": sorted(block.faces), "places": dict(sorted(block.places.items()))}
        for block in table.blocks or ()
        if viewer.who == "arbiter"
    ]
    return ({"unknown": untold} if untold else {}) | ({"blocks": blocks} if blocks else {})


class PossibleFaces(Struct, frozen=True):
    """The knowledge of the cards of one zone: the known ones, the number of unknown ones, and the faces that these can have.

    A question has three answers: yes, no, and ``None`` where it depends on unknown cards (COM-74). A card that allows an act is taken to be
    there as long as it can be (``may_have_card``); a card that forbids or forces one must be known (``must_have_card``).
    """

    known: tuple[Card, ...]
    unknown: int
    pool: Mapping[Card, int]

    def may_have_card(self, card: Card) -> bool:
        return card in self.known or (self.unknown > 0 and self.pool.get(card, 0) > 0)

    def must_have_card(self, card: Card) -> bool:
        """Return whether the card is known, or all other faces that are not accounted for are fewer than the unknown cards."""
        return card in self.known or self.unknown > sum(self.pool.values()) - self.pool.get(card, 0)

    def has_card(self, card: Card) -> bool | None:
        if self.must_have_card(card):
            return True
        return None if self.may_have_card(card) else False

    def most(self, card: Card) -> int:
        """Return how many cards at most have the face."""
        known = self.known.count(card)
        return known + min(self.unknown, self.pool.get(card, 0)) if self.unknown else known

    def can_be_missing(self, numbers: Mapping[Card, int]) -> bool:
        """Return whether there need not be so many cards of any of these faces."""
        spare = {card: number - 1 - self.known.count(card) for card, number in numbers.items()}
        if any(number < 0 for number in spare.values()):
            return False
        others = 0
        for card, number in self.pool.items():
            others += min(number, spare.get(card, number))
            if others >= self.unknown:
                return True
        return others >= self.unknown


def possible_faces(cards: tuple[Card, ...], pool: Mapping[Card, int]) -> PossibleFaces:
    """Return the knowledge of these cards. ``pool``: the faces that the unknown ones can have."""
    return PossibleFaces(tuple([card for card in cards if card != HIDDEN]), cards.count(HIDDEN), pool)
