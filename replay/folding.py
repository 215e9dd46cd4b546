"""Effects for followers of a game: for every event, effects that lead from the table before it to the table after it, for one viewer.

If an event replaces the table (a rewind, an order that is lifted) its effects lay the whole one again. They are made on reading; the table
itself is stored.
"""

from msgspec import UNSET, Struct

from domain.cards import Seat
from domain.effects import BlockAdded, Effect, Effects, HandOpened, MarkSet, TurnPassed, ZoneAdded
from domain.events import Event, effects_of
from domain.events.game import OrderLifted, RewindRecorded
from domain.score import totals
from domain.sight import Viewer, Viewpoint, masked
from domain.table import Table


class GameSummary(Struct, frozen=True):
    """The standing of the game: hand and dealer as on the table, totals and places by party; no places before the game is over."""

    hand: int
    dealer: Seat | None
    totals: tuple[int, ...]
    places: tuple[int | None, ...] | None


def build_summary(table: Table) -> GameSummary:
    score = table.score
    return GameSummary(score.hand, score.dealer, totals(table.setup, score), score.places)


def view_name(viewer: Viewer) -> str:
    """Return by what a follower masks their table: ``all``, ``nothing``, ``public`` or ``seat:1``."""
    if viewer.has_full_view:
        return "all"
    if viewer.dark or viewer.covered:
        return "nothing"
    return Viewpoint(viewer.who).view


def find_summary_change(viewer: Viewer, before: Table, after: Table) -> tuple[GameSummary, GameSummary] | None:
    """Return the standing of the game before an event and after it, if they differ for the viewer; the tables are whole ones."""
    if before.score is after.score:
        return None
    stands = build_summary(masked(before, viewer)), build_summary(masked(after, viewer))
    return stands if stands[0] != stands[1] else None


def effects_of_event(told: Event | None, after: Table) -> Effects:
    """Return the effects of an event as it is shown, redacted already. ``after`` is the masked table after it.

    Folded on the masked table before it, and masked, they give zones, marks, phase and turn of ``after``. Changes of the score are only in
    the score: points are given and lifted without any effect.
    """
    match told:
        case None:
            return ()
        case RewindRecorded() | OrderLifted(restored=Table()):
            return effects_of_table(after)
        case OrderLifted(reopened=True):
            return (*effects_of(told), _turn(after))
        case _:
            return effects_of(told)


def effects_of_table(table: Table) -> Effects:
    """Return effects that make this table of any other one, with the lines that are written of the hand in progress."""
    score = table.score
    laid: list[Effect] = [HandOpened(score.hand, score.dealer or 0)]  # before the first hand there is no dealer
    for name, zone in table.zones.items():
        laid.append(ZoneAdded(name, zone.sight, zone.owner, zone.cards))
        laid += (MarkSet(mark, value, name) for mark, value in zone.marks.items())
    laid += (MarkSet(mark, value) for mark, value in table.marks.items())
    if table.blocks is not UNSET:
        laid += (BlockAdded((), {}), *(BlockAdded(block.faces, block.places) for block in table.blocks))
    return (*laid, *score.lines, _turn(table))


def _turn(table: Table) -> TurnPassed:
    return TurnPassed(table.phase, table.turn, table.to_act)
