"""Legality checks of Cascades moves, one check a line, in the order in which they decide (CSC-33)."""

from domain.cards import Card, Seat
from domain.errors import Refused
from domain.games.cascades.decktet import rank, shares_suit
from domain.games.cascades.moves import AnyMove, Play, Resign, Turn
from domain.games.cascades.table import THREE, CascadesTable

_TWICE = {"A": "CSC-29", "CROWN": "CSC-29"}
_TWICE_ABOVE = {"PAWN": "CSC-31", "COURT": "CSC-31"}


def check(_: object, table: CascadesTable, seat: Seat, move: AnyMove) -> None:
    """Check a move by the game's own rules (CSC-33, CSC-39). Raises ``Refused``."""
    match move:
        case Play(card=card, tier=tier):
            check_play(table, card, tier)
        case Turn():
            check_turning(table)
        case Resign():
            pass


def check_play(table: CascadesTable, card: Card, tier: int) -> None:
    """Check whether the card may be placed on the tier. Raises ``Refused``."""
    if (lying := _tier_of(table.tiers, card)) is not None:
        raise Refused("card_already_played", "CSC-25", card=card, tier=lying)
    if (beside := _tier_of(table.bases, card)) is not None:
        raise Refused("card_already_played", "CSC-34", card=card, tier=beside)
    if card not in table.available:
        raise Refused("card_not_available", "CSC-14", "CSC-21", "CSC-23", "CSC-33", card=card, cards=tuple(table.available))
    if is_full(table, card, tier):
        limit_rule = (_TWICE | _TWICE_ABOVE).get(rank(card), "CSC-27")
        raise Refused("rank_limit_reached", limit_rule, card=card, rank=rank(card), tier=tier, limit=limit(card, tier))
    if is_missing_in_upper_tier(table, card, tier):
        held = table.count(tier, rank(card))
        raise Refused("rank_missing_above", "CSC-28", card=card, rank=rank(card), tier=tier, above=tier - 1, held=held)
    if is_missing_in_lower_tier(table, card, tier):
        raise Refused("rank_missing_below", "CSC-32", card=card, rank=rank(card), tier=tier, below=2)
    if not table.is_ace_variant and has_other_suit(table, card, tier):
        raise Refused("suit_mismatch", "CSC-26", card=card, tier=tier, end=table.tiers[tier][-1])
    if table.is_ace_variant and has_other_suit(table, card, tier):
        raise Refused("suit_mismatch", "CSC-36", card=card, tier=tier, aces=table.bases[tier])


def check_turning(table: CascadesTable) -> None:
    """Check whether three more cards may be turned. Raises ``Refused``."""
    if table.stock:
        return
    if not table.waste:
        raise Refused("nothing_to_turn", "CSC-19")
    if table.passes_used_up:
        raise Refused("no_passes_left", "CSC-18", passes=table.passes_allowed)


def fits(table: CascadesTable, card: Card, tier: int) -> bool:
    """Return whether rank and suit of a card let it lie on the tier now, whatever zone it comes from."""
    return not (
        is_full(table, card, tier)
        or is_missing_in_upper_tier(table, card, tier)
        or is_missing_in_lower_tier(table, card, tier)
        or has_other_suit(table, card, tier)
    )


def can_place_card(table: CascadesTable, card: Card) -> bool:
    return any(fits(table, card, tier) for tier in THREE)


def is_full(table: CascadesTable, card: Card, tier: int) -> bool:
    """Return whether the tier holds no further card of this rank (CSC-27, CSC-29, CSC-31)."""
    return table.count(tier, rank(card)) >= limit(card, tier)


def limit(card: Card, tier: int) -> int:
    """Return how many cards of its rank a tier holds."""
    return 2 if rank(card) in _TWICE or (tier == 0 and rank(card) in _TWICE_ABOVE) else 1


def is_missing_in_upper_tier(table: CascadesTable, card: Card, tier: int) -> bool:
    """Return whether the tier above lacks a card of this rank (CSC-28); nothing is above the upper tier (CSC-30)."""
    return tier > 0 and table.count(tier - 1, rank(card)) <= table.count(tier, rank(card))


def is_missing_in_lower_tier(table: CascadesTable, card: Card, tier: int) -> bool:
    """Return whether the lower tier lacks the rank that a second pawn or court needs (CSC-32)."""
    is_second = tier == 0 and rank(card) in _TWICE_ABOVE and table.count(0, rank(card)) > 0
    return is_second and not table.count(2, rank(card))


def has_other_suit(table: CascadesTable, card: Card, tier: int) -> bool:
    """Return whether the suits do not match (CSC-26, or CSC-36 with aces beside the tiers). On an empty tier every suit fits."""
    to_match = table.bases[tier] if table.is_ace_variant else table.tiers[tier][-1:]
    return bool(to_match) and not any(shares_suit(card, other) for other in to_match)


def _tier_of(rows: tuple[tuple[Card, ...], ...], card: Card) -> int | None:
    return next((tier for tier in THREE if card in rows[tier]), None)
