"""Cards that nobody has told: which zones can be told when, and what a deck has to name (CSC-48, CSC-49)."""

from domain.cards import HIDDEN, Card, Seat
from domain.checks import refusal
from domain.games.cascades.codes import CODES
from domain.games.cascades.decktet import ACES, aces_of, rank
from domain.games.cascades.moves import AnyMove, Turn
from domain.games.cascades.options import Options
from domain.games.cascades.table import THREE, CascadesTable, base_zone, reserve_zone
from domain.table import Table
from domain.telling.facing import impossible
from domain.telling.tellable import Order, Zones


def told_zones(_: object, __: Table) -> dict[str, Order]:
    """All of them are piles; what lies in a tier or beside it is always known."""
    return dict.fromkeys(("stock", "waste", *map(reserve_zone, THREE)), "ordered")


def first_zones(options: Options, _: Table, dealer: Seat, deck: tuple[Card, ...]) -> dict[str, tuple[int, ...]]:
    """Where the cards of a deal go first, by their indices in the deck; of a reserve pile the top card is told first."""
    if options.variant == "ace":
        aces = aces_of(deck)
        bases = {base_zone(tier): aces[2 * tier : 2 * tier + 2] for tier in THREE}
        return {**bases, "stock": tuple(place for place in range(len(deck)) if place not in aces)}
    piles = {reserve_zone(pile): (3 * pile + 2, 3 * pile + 1, 3 * pile) for pile in THREE}
    return {**piles, "stock": tuple(range(9, len(deck)))}


def check_deck(options: Options, deck: tuple[Card, ...], known: Zones) -> None:
    """Where the aces are laid aside, a deck names all of them or none, and only they are told there. Raises ``Refused``."""
    if options.variant != "ace":
        return
    named = sum(rank(card) == "A" for card in deck)
    if named != ACES and (named or any(card != HIDDEN for card in deck[:ACES])):
        raise refusal(CODES, "bad_deck", "COM-70", size=len(deck), problem="aces")
    for zone, cards in known.items():
        for card in cards:
            if card != HIDDEN and (rank(card) == "A") != (zone in map(base_zone, THREE)):
                raise impossible(CODES, zone, card, "barred", "COM-70")


def turned_over(table: CascadesTable, move: AnyMove) -> dict[str, str]:
    """With an empty stock a turn takes from the waste, as it lies when it is turned over."""
    return {"stock": "waste"} if isinstance(move, Turn) and not table.stock else {}


def named(_: object, __: CascadesTable, ___: Seat, ____: AnyMove) -> Zones:
    """There are no hands."""
    return {}
