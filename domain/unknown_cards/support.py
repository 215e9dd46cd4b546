"""A game's support for unknown cards, as a table of functions: the faces that they can have, and the values of counted cards.

On a whole table ``"?"`` is an unknown card. On the table as a seat sees it, it may be a hidden one as well; for both the same holds: the
face is one of those that are not accounted for.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct

from domain.cards import HIDDEN, Card, Seat
from domain.effects import Effects, ZoneAdded, dealt_deck
from domain.rules import Rulebook
from domain.sight import Trace, Viewer, visible_from
from domain.table import Table, fold

Rank: TypeAlias = str


class CardValues:
    """The ranks of the faces that a counted hand can hold, in the order of the deck, and the values of the ranks."""

    def __init__(self, ranks: Mapping[Card, Rank], value: Callable[[Rank], int]) -> None:
        self.ranks = ranks
        self.value = value

    @cached_property
    def order(self) -> Mapping[Rank, int]:
        """The place of each rank in the order of the deck."""
        return {rank: place for place, rank in enumerate(dict.fromkeys(self.ranks.values()))}

    def sum(self, ranks: Counter[Rank]) -> int:
        return sum(self.value(rank) * number for rank, number in ranks.items())

    def names_ranks(self, cards: tuple[Card, ...]) -> bool:
        """Return whether a list of told cards names one by its rank alone. The code of a joker is a face, too, so it does not tell."""
        return any(card in self.order and card not in self.ranks for card in cards)

    def faces_in(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        """Return the told faces. In a list with ranks a joker is told by its rank, so it stays unknown."""
        return tuple(card for card in cards if card not in self.order) if self.names_ranks(cards) else cards

    def ranks_in(self, cards: tuple[Card, ...]) -> tuple[Rank, ...]:
        """Return the ranks of a list of told cards, those of its faces among them."""
        return tuple(rank for card in cards if card != HIDDEN and (rank := self.ranks.get(card, card)) in self.order)


# A game's support for unknown cards, as a table of functions, and the faces that unknown cards of a table can have.


Settled = TypeVar("Settled")
OnTable = TypeVar("OnTable")
Played = TypeVar("Played")

Order: TypeAlias = Literal["ordered", "unordered"]
"""The order of telling: in an ``ordered`` zone the next card to leave (the top one) comes first."""

Zones: TypeAlias = Mapping[str, tuple[Card, ...]]
"""Faces by zone."""

Asked: TypeAlias = dict[str, object]
"""``{"zone", "places"}``, ``{"zone", "face"}`` or ``{"zone", "count"}`` (COM-73)."""


def not_in_hands(zone: str, count: int) -> bool:
    return not zone.startswith("hand:")


def is_never_excluded(zone: str, card: Card) -> bool:
    return False


def accept_any_deck(settled: object, deck: tuple[Card, ...], known: Zones) -> None:
    """Accept every deck."""


def nothing_to_lay(settled: object) -> tuple[tuple[Card, ...], ...]:
    return ()


def nothing_turned(table: object, move: object) -> Mapping[str, str]:
    return {}


class UnknownCardsSupport(Struct, Generic[Settled, OnTable, Played], frozen=True, eq=False):
    """A game's functions for unknown cards. ``zones``: the zones whose cards can be told on this table.

    ``dealt``: for a deal by this dealer from this deck (in which ``"?"`` may stand) the indices of the deck by the zone to which a card
    goes first, before anything is turned or laid by rule. Within a zone they stand in the order in which ``known`` of a deal names them;
    the zones stand in the order in which they are told, if cards told of one decide where another begins. It is called again for every
    card. ``dealt_in_order``: whether their order counts in a zone of so many cards; of a hand it does not, as a rule.

    ``named``: the cards that a move names as lying in a hand, by zone: it tells them by itself (COM-72). Called before the game's checks,
    so it must not fail whatever the move names.

    ``barred``: faces that can never be told of a zone. ``heeding``: the typed table with the faces that the act says are lacking; only a
    game that asks whether a zone holds a face needs it. ``deck``: further checks of a deck with unknown cards, and of the cards told of it;
    raises ``Refused``. ``turned``: zones that result because the move turns another one over, and that one; with the move, and only with
    it, the cards are told as they lie after that. ``counted``: the values by which hands may be told in the place of faces.
    ``laid``: groups of cards that a seat has to lay as soon as it holds them. Nobody asks for them: they are told unasked.
    """

    zones: Callable[[Settled, Table], Mapping[str, Order]]
    dealt: Callable[[Settled, Table, Seat, tuple[Card, ...]], Mapping[str, tuple[int, ...]]]
    named: Callable[[Settled, OnTable, Seat, Played], Zones]
    dealt_in_order: Callable[[str, int], bool] = not_in_hands
    barred: Callable[[str, Card], bool] = is_never_excluded
    heeding: Callable[[OnTable, Zones], OnTable] | None = None
    deck: Callable[[Settled, tuple[Card, ...], Zones], None] = accept_any_deck
    turned: Callable[[OnTable, Played], Mapping[str, str]] = nothing_turned
    counted: CardValues | None = None
    laid: Callable[[Settled], tuple[tuple[Card, ...], ...]] = nothing_to_lay


def hand_zones(table: Table) -> dict[str, Order]:
    """Return the hands of all seats, which have no order."""
    return {f"hand:{seat}": "unordered" for seat in range(table.setup.seats)}


# A deal as its recorder entered it: the known cards by the zone to which they go first (COM-70), for entering it again.


def list_entered_cards(rulebook: Rulebook, before: Table, dealer: Seat, effects: Effects, viewer: Viewer) -> dict[str, tuple[Card, ...]]:
    """Return ``known`` of the deal that had these effects, as far as the viewer saw its cards; none of a damaged deal."""
    deck = _reconstruct_visible_deck(before, effects, viewer)
    return rulebook.group_known_cards(before, dealer, deck) if len(deck) == len(rulebook.deck) else {}


def _reconstruct_visible_deck(before: Table, effects: Effects, viewer: Viewer) -> tuple[Card, ...]:
    """Return the deck in the order in which it was dealt, ``"?"`` for each card that the viewer did not see in this deal."""
    if viewer.has_full_view:
        return dealt_deck(effects)
    if viewer.dark or viewer.covered:
        return ()
    trace = Trace(viewer, before)
    for effect in effects:
        trace.track(effect)
    trace.list_open_cards(fold(before, effects))
    laid = (ids for effect, ids in zip(effects, trace.moved, strict=True) if isinstance(effect, ZoneAdded) and effect.zone == "stock")
    return tuple(trace.faces[card] if card in trace.known else HIDDEN for card in reversed(next(laid, [])))


# Unknown cards of a table, and the faces that they can have (COM-70, COM-74).


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
