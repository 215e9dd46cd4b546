"""The end of a turn, of a hand and of the match (CAN-41 to CAN-50)."""

from domain.cards import Seat
from domain.effects import GameClosed, HandClosed, MarkSet, Scored
from domain.games.canasta.options import Options
from domain.games.canasta.score import ROWS, hand_rows, provisional
from domain.games.canasta.table import TURN_MARKS, CanastaTable
from domain.score import Sheet, places_by, totals
from domain.table import Draft, Table


def lapsed(table: Table) -> list[MarkSet]:
    """What held for one turn only is forgotten (CAN-41)."""
    return [MarkSet(mark, None) for mark in TURN_MARKS if mark in table.marks]


def reached(table: Table, options: Options) -> bool:
    """Whether the points on the table bring a party to the target, if they are counted in at once (CAN-49)."""
    if options.end != "target" or options.target_check != "immediate":
        return False
    standing = zip(totals(table.setup, table.score), provisional(CanastaTable(table)), strict=True)
    return any(before + points >= options.target_score for before, points in standing)


def close_hand(draft: Draft, options: Options, end: str, out: Seat | None = None) -> None:
    """The hand is counted; ``out`` is the seat that went out (CAN-43 to CAN-47)."""
    table = CanastaTable(draft.table)
    concealed = out is not None and table.opening
    rows = hand_rows(table, end, None if out is None else table.party(out), concealed=concealed)
    draft.emit(
        *lapsed(draft.table),
        *(Scored(row, rows[row]) for row in ROWS),
        HandClosed(end, {"out_seat": out, "concealed": concealed, "minimums": table.minimums}),
    )
    if _is_last(draft.table, options):
        draft.emit(GameClosed(places_by(totals(draft.table.setup, draft.table.score)), {}))


def stop(draft: Draft, options: Options) -> bool:
    """As after an empty stock (COM-43, CAN-18)."""
    close_hand(draft, options, "stock_exhausted")
    return True


def closing(options: Options, sheet: Sheet) -> GameClosed | None:
    """The end of the match once a party has the target (CAN-48), whatever brought it there (COM-42)."""
    reached = options.end == "target" and max(sheet.totals) >= options.target_score
    return GameClosed(places_by(sheet.totals), {}) if reached else None


def _is_last(table: Table, options: Options) -> bool:
    """CAN-48."""
    if options.end == "hands":
        return table.hand >= options.hand_count
    return max(totals(table.setup, table.score)) >= options.target_score
