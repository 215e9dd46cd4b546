"""A deal as its recorder entered it: the known cards by the zone to which they go first (COM-70), for entering it again."""

from domain.cards import HIDDEN, Card, Seat
from domain.effects import Effects, ZoneLaid, dealt_deck
from domain.rules import Rulebook
from domain.sight import Trace, Viewer
from domain.table import Table, fold


def entered_cards(rulebook: Rulebook, before: Table, dealer: Seat, effects: Effects, viewer: Viewer) -> dict[str, tuple[Card, ...]]:
    """Return ``known`` of the deal that had these effects, as far as the viewer saw its cards; none of a damaged deal."""
    deck = _seen_deck(before, effects, viewer)
    return rulebook.known_by_zone(before, dealer, deck) if len(deck) == len(rulebook.deck) else {}


def _seen_deck(before: Table, effects: Effects, viewer: Viewer) -> tuple[Card, ...]:
    """Return the deck in the order in which it was dealt, ``"?"`` for each card that the viewer did not see in this deal."""
    if viewer.sees_all:
        return dealt_deck(effects)
    if viewer.dark or viewer.covered:
        return ()
    trace = Trace(viewer, before)
    for effect in effects:
        trace.follow(effect)
    trace.lie_open(fold(before, effects))
    laid = (ids for effect, ids in zip(effects, trace.moved, strict=True) if isinstance(effect, ZoneLaid) and effect.zone == "stock")
    return tuple(trace.faces[card] if card in trace.known else HIDDEN for card in reversed(next(laid, [])))
