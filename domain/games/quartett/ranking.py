"""Places and points by number, and the end of a game (QTR-28)."""

from domain.effects import Effect, GameClosed, HandClosed, Plain, Scored
from domain.score import places_by, totals
from domain.table import Draft


def close_hand(draft: Draft, deals: int, row: str, points: tuple[int, ...], end: str, facts: dict[str, Plain]) -> None:
    """The hand is entered on the sheet; the last one ends the game, and the totals give its places."""
    draft.emit(Scored(row, points), HandClosed(end, facts))
    if draft.table.hand >= deals:
        closed: Effect = GameClosed(places_by(totals(draft.table.setup, draft.table.score)), {})
        draft.emit(closed)
