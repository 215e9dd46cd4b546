"""Scoring of Cascades: how many cards were placed, and where the others lie (CSC-45)."""

from domain.effects import Plain
from domain.games.cascades.table import CascadesTable
from domain.score import Sheet

ROWS = ("upper", "middle", "lower")


def hand_rows(table: CascadesTable) -> dict[str, int]:
    """Return the number of cards in each tier. Raises nothing: a finished deal can always be scored."""
    return dict(zip(ROWS, map(len, table.tiers), strict=True))


def counts(table: CascadesTable, *, won: bool) -> dict[str, Plain]:
    """Return the facts of a deal that are numbers."""
    return {
        "won": int(won),
        "cards_total": table.tier_card_count + table.left,
        "cards_placed": table.tier_card_count,
        "cards_left": table.left,
        "left_stock": len(table.stock),
        "left_waste": len(table.waste),
        "left_reserve": sum(map(len, table.reserve)),
        "passes": table.pass_number,
        "turns": table.turns,
    }


def places(_: object, sheet: Sheet) -> tuple[int | None, ...]:
    """Return the place of the solitaire, won or lost (CSC-45); adjusted points do not change it."""
    return (1 if any(hand.end == "complete" for hand in sheet.hands) else None,)
