"""The table that a follower starts from, and frames without tables that tell it wherever it does not follow from the frame before."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from msgspec.structs import replace

from api.games.responses import ReplayFrame, StandView, TableStart, ZoneView
from domain.game import Game
from domain.openness.around import Around
from domain.sight import Eyes, Who, masked
from domain.table import Table
from replay.folding import Stand, sees, stand_of
from replay.past import GameStep

Start: TypeAlias = Callable[[GameStep], TableStart]


def start_maker(now: Game, who: Eyes | Who, around: Around) -> Start:
    """The table before a step: no more of it than was to be seen then, nor than whoever sees the step may see."""

    def start(step: GameStep) -> TableStart:
        position = step.recorded.position
        table = step.before.table if step.before else step.after.table
        seen = masked(table, now.viewer(who, max(position - 1, 1), around))
        viewer = now.viewer(who, position, around)
        return told_start(position - 1, masked(seen, viewer), sees(viewer))

    return start


def told_start(position: int, table: Table, sees: str) -> TableStart:
    """``table`` is masked already."""
    return TableStart(
        position=position,
        sees=sees,
        zones={name: ZoneView(sight=one.sight, owner=one.owner, cards=one.cards, marks=one.marks) for name, one in table.zones.items()},
        marks=table.marks,
        phase=table.phase,
        turn=table.turn,
        to_act=table.to_act,
        stand=stand_view(stand_of(table)),
    )


def stand_view(stand: Stand) -> StandView:
    return StandView(hand=stand.hand, dealer=stand.dealer, totals=stand.totals, places=stand.places)


def sight_changes(now: Game, who: Eyes | Who, around: Around, position: int) -> bool:
    """Whether another sees the event at this position than saw the one before."""
    return position > 1 and sees(now.viewer(who, position - 1, around)) != sees(now.viewer(who, position, around))


def in_turn(show: Callable[[GameStep], ReplayFrame], start: Start, steps: Iterable[GameStep], after: int = -1) -> Iterator[ReplayFrame]:
    """The frames of the steps; one that does not come next carries its start. ``after``: the position of the one before the first."""
    for step in steps:
        made, position = show(step), step.recorded.position
        yield made if position == after + 1 or made.start else replace(made, start=start(step))
        after = position
