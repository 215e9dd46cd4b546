"""A game's support for unknown cards, as a table of functions: the last part of its rules."""

from collections.abc import Callable, Mapping
from typing import Generic, Literal, TypeAlias, TypeVar

from msgspec import Struct

from domain.cards import HIDDEN, Card, Seat
from domain.effects import Effects, ZoneAdded, dealt_deck
from domain.rules import Rulebook
from domain.sight import Trace, Viewer
from domain.table import Table, fold
from domain.unknown_cards.card_values import CardValues

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
