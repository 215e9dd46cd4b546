"""Places and points by number, and the end of a game (QTR-28)."""

from domain.effects import GameClosed, HandClosed, Plain, Scored
from domain.score import Sheet, places_by, sheet
from domain.table import Draft


def close_hand(draft: Draft, deals: int, row: str, points: tuple[int, ...], end: str, facts: dict[str, Plain]) -> None:
    """The hand is entered on the sheet; the last one ends the game, and the totals give its places."""
    draft.emit(Scored(row, points), HandClosed(end, facts))
    if closed := closing(deals, sheet(draft.table.setup, draft.table.score)):
        draft.emit(closed)


def closing(deals: int, sheet: Sheet) -> GameClosed | None:
    """The end of a game of so many hands with the last of them (QTR-28)."""
    return GameClosed(places_by(sheet.totals), {}) if sheet.hands[-1].hand >= deals else None
