"""Effects of Cascades deals and moves, the end of the game, and its legal moves."""

from collections.abc import Iterator
from typing import Literal

from domain.cards import HIDDEN, Card, Seat
from domain.effects import (
    CardsMoved,
    DetailAnnounced,
    Effect,
    GameClosed,
    HandClosed,
    HandOpened,
    MarkSet,
    Scored,
    SightSet,
    TurnPassed,
    ZoneAdded,
)
from domain.games.cascades.checks import can_place_card, fits
from domain.games.cascades.decktet import ACES, aces_of, deck
from domain.games.cascades.moves import AnyMove, Play, Resign, Turn
from domain.games.cascades.options import Options
from domain.games.cascades.score import counts, hand_rows, places
from domain.games.cascades.table import THREE, CascadesTable, base_zone, pile_zone, tier_zone
from domain.rules import Move
from domain.score import Sheet
from domain.table import Draft

End = Literal["complete", "stuck", "resigned"]


def open_hand(draft: Draft, options: Options, dealer: Seat, deck: tuple[Card, ...]) -> None:
    """Deal, with the cards that are turned (CSC-8 to CSC-10, CSC-34, CSC-35)."""
    aces_aside = options.variant == "ace"
    draft.emit(
        HandOpened(draft.table.hand + 1, dealer),
        ZoneAdded("stock", "none", None, deck[::-1]),
        ZoneAdded("waste", "top", None),
        *(ZoneAdded(tier_zone(tier), "all", None) for tier in THREE),
        *(_bases_dealt(deck) if aces_aside else _deal_piles(deck)),
    )
    turned = draft.table.cards("stock")[:-4:-1]  # three from the top, the last of them ends on top of the waste
    draft.emit(CardsMoved(turned, "stock", "waste"), MarkSet("pass", 1), MarkSet("turns", 1))
    if not aces_aside:
        draft.emit(*_place_card(turned, "waste", 0))
    draft.emit(TurnPassed("play", 0, (0,)))


def _deal_piles(deck: tuple[Card, ...]) -> list[Effect]:
    laid: list[Effect] = [ZoneAdded(pile_zone(pile), "none", None) for pile in THREE]
    return laid + [CardsMoved(deck[3 * pile : 3 * pile + 3], "stock", pile_zone(pile)) for pile in THREE]


def _bases_dealt(deck: tuple[Card, ...]) -> list[Effect]:
    aces = tuple(deck[place] for place in aces_of(deck))
    laid: list[Effect] = [ZoneAdded(base_zone(tier), "all", None) for tier in THREE]
    return laid + [CardsMoved(aces[2 * tier : 2 * tier + 2], "stock", base_zone(tier), shown=True) for tier in THREE]


def play(draft: Draft, _: object, table: CascadesTable, seat: Seat, move: AnyMove) -> None:
    """Play a legal move, and what follows from it."""
    match move:
        case Play(card=card, tier=tier):
            place(draft, table, card, tier)
        case Turn():
            turn(draft, table)
        case Resign():
            _close(draft, table, "resigned")


def place(draft: Draft, table: CascadesTable, card: Card, tier: int) -> None:
    """Place a card legally, with what follows from it."""
    zone = table.available[card]
    draft.emit(*_place_card(table.table.cards(zone), zone, tier))
    after = CascadesTable(draft.table)
    draft.emit(*_piles_opened(table, after))
    _end(draft, after)


def turn(draft: Draft, table: CascadesTable) -> None:
    """Turn cards legally, with what follows from it."""
    stock = table.stock
    effects: list[Effect] = []
    if not stock:
        stock = table.waste[::-1]
        effects += [
            CardsMoved(stock, "waste", "stock"),
            MarkSet("pass", table.pass_number + 1),
            MarkSet("placed_before", table.tier_card_count),
        ]
    effects += [CardsMoved(stock[:-4:-1], "stock", "waste"), MarkSet("turns", table.turns + 1)]
    draft.emit(*effects)
    after = CascadesTable(draft.table)
    if after.stock:
        return
    opened = _piles_opened(table, after)
    draft.emit(DetailAnnounced(None, "pass_ended", after.pass_number), *opened)
    _end(draft, after, barren=not opened and is_pass_empty(after))


def _place_card(cards: tuple[Card, ...], zone: str, tier: int) -> list[Effect]:
    """Move the top of the pile to the tier; the card under it then lies open (CSC-14, CSC-22)."""
    placed: list[Effect] = [CardsMoved(cards[-1:], zone, tier_zone(tier), shown=True)]
    return placed + [CardsMoved(cards[-2:-1], zone, zone, shown=True)] * (len(cards) > 1)


def _piles_opened(before: CascadesTable, after: CascadesTable) -> list[Effect]:
    """Turn up the top card of each reserve pile that opens (CSC-20, CSC-24)."""
    effects: list[Effect] = []
    for pile in THREE:
        if after.open_piles[pile] and not before.open_piles[pile]:
            zone = pile_zone(pile)
            effects += [SightSet(zone, "top"), CardsMoved(after.reserve[pile][-1:], zone, zone, shown=True)]
    return effects


def is_pass_empty(table: CascadesTable) -> bool:
    """Return whether a pass that ends now has placed nothing, and the next one could only repeat it (CSC-38)."""
    if table.passes_allowed or table.tier_card_count > table.placed_before:
        return False
    coming = {*table.waste[2::3], *table.available}  # every third card of the next pass comes to lie on top
    # An unknown card might be placed (COM-74).
    return HIDDEN not in coming and not any(can_place_card(table, card) for card in coming)


def _end(draft: Draft, table: CascadesTable, *, barren: bool = False) -> None:
    """Check for the ends of the game in their order (CSC-43)."""
    if not table.left:
        _close(draft, table, "complete")
        return
    is_stuck = barren or (not table.can_turn and not any(can_place_card(table, card) for card in table.available))
    # A card without a face is asked for before an end depends on it (CSC-48).
    if is_stuck and not table.has_untold_top:
        _close(draft, table, "stuck")


def stop(draft: Draft, _: object) -> bool:
    """End the one deal of the game without counting it: it is neither won nor lost (COM-43, CSC-7)."""
    draft.emit(*_lay_open(CascadesTable(draft.table)), HandClosed("stopped", {}), GameClosed((None,), {}))
    return False


def closing(options: Options, sheet: Sheet) -> GameClosed:
    """Return the end of the game: it ends with its one deal (CSC-7)."""
    return GameClosed(places(options, sheet), {})


def ends(options: Options, points: tuple[int, ...]) -> tuple[str, ...]:
    """Return the ends that the points allow: a deal is complete with the last card placed, and not before (CSC-43, CSC-45)."""
    cards = len(deck(pawns=options.pawns, courts=options.courts)) - ACES * (options.variant == "ace")
    (placed,) = points
    if not 0 <= placed <= cards:
        return ()
    return ("complete",) if placed == cards else ("stuck", "resigned")


def _lay_open(table: CascadesTable) -> list[SightSet]:
    return [SightSet(zone, "all") for zone in ("stock", "waste", *map(pile_zone, THREE)) if table.table.cards(zone)]


def _close(draft: Draft, table: CascadesTable, end: End) -> None:
    """Write the sheet and lay everything open (CSC-44, CSC-45, CSC-47)."""
    won = end == "complete"
    draft.emit(
        *_lay_open(table),
        *(Scored(row, (number,)) for row, number in hand_rows(table).items()),
        HandClosed(end, {"result": "won" if won else "lost", **counts(table, won=won)}),
        GameClosed((1 if won else None,), {}),
    )


# Every legal move: what can be placed, then turning, then giving up. Every card is unique, so none is listed twice.


def legal_moves(_: object, table: CascadesTable, seat: Seat) -> Iterator[Move]:
    """List the legal moves: the top of the waste first, then the open piles; for each card the tiers from the upper one down."""
    for card in table.available:
        for tier in THREE:
            if fits(table, card, tier):
                yield {"type": "play", "card": card, "tier": tier}
    if table.can_turn:
        yield {"type": "turn"}
    yield {"type": "resign"}
