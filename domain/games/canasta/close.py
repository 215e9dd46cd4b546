"""The end of a turn, of a hand and of the match (CAN-41 to CAN-50)."""

from domain.cards import Seat
from domain.effects import GameClosed, HandClosed, MarkSet, Scored
from domain.games.canasta.codes import CODES
from domain.games.canasta.options import Options
from domain.games.canasta.score import ROWS, count_table_points, hand_rows
from domain.games.canasta.table import TURN_MARKS, CanastaTable
from domain.score import Sheet, places_by, sheet
from domain.table import Draft, Table
from domain.unknown_cards.asking import card_unknown


def clear_turn_marks(table: Table) -> list[MarkSet]:
    """Return the effects that clear the marks of a single turn (CAN-41)."""
    return [MarkSet(mark, None) for mark in TURN_MARKS if mark in table.marks]


def has_reached_target(table: Table, options: Options) -> bool:
    """Return whether the points on the table bring a party to the target, if they are counted in at once (CAN-49)."""
    if not options.at_once:
        return False
    lying = CanastaTable(table)
    return any(before + points >= options.target_score for before, points in zip(lying.totals, count_table_points(lying), strict=True))


def close_hand(draft: Draft, options: Options, end: str, out: Seat | None = None) -> None:
    """Count the hand; ``out`` is the seat that went out (CAN-43 to CAN-47)."""
    table = CanastaTable(draft.table)
    if end != "target_reached":
        _check_hands_counted(table)
    concealed = out is not None and table.opening
    rows = hand_rows(table, end, None if out is None else table.party(out), concealed=concealed)
    draft.emit(
        *clear_turn_marks(draft.table),
        *(Scored(row, rows[row]) for row in ROWS),
        HandClosed(end, {"out_seat": out, "concealed": concealed, "minimums": table.minimums}),
    )
    if closed := closing(options, sheet(draft.table.setup, draft.table.score)):
        draft.emit(closed)


def _check_hands_counted(table: CanastaTable) -> None:
    """Refuse if it is not known what a hand is worth: it counts (CAN-55, CAN-57)."""
    if untold := [seat for seat in range(table.table.setup.seats) if table.hand_points(seat) is None]:
        raise card_unknown(CODES, ({"zone": f"hand:{seat}", "count": len(table.hand(seat))} for seat in untold), "CAN-55")


def stop(draft: Draft, options: Options) -> bool:
    """End the hand as after an empty stock (COM-43, CAN-18). It counts."""
    close_hand(draft, options, "stock_exhausted")
    return True


def closing(options: Options, sheet: Sheet) -> GameClosed | None:
    """Return the end of the match (CAN-48): its hands are played, or a party has reached the target, by whatever points (COM-42)."""
    is_last = sheet.hands[-1].hand >= options.hand_count if options.end == "hands" else max(sheet.totals) >= options.target_score
    return GameClosed(places_by(sheet.totals), {}) if is_last else None


def ends(options: Options, _: tuple[int, ...]) -> tuple[str, ...]:
    """Return the ways in which a hand may end (CAN-43): broken off at the target only where that is agreed (CAN-49)."""
    return ("went_out", "stock_exhausted", *(("target_reached",) if options.at_once else ()))
