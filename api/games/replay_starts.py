"""The table that a follower starts from, and frames without tables that tell it wherever it does not follow from the frame before."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias

from msgspec.structs import replace

from api.common.names import names_for_caller
from api.games.requests import ReplayQuery
from api.games.responses import ReplayFrame, StandView, TableStart, ZoneView
from api.http.etag import content_hash
from api.http.request import Request
from api.http.response import encode
from domain.game import Game
from domain.openness import Around
from domain.sight import Eyes, Who, masked
from domain.table import Table
from replay.folding import Stand, sees, stand_of
from replay.past import GameStep
from replay.selection import Selection, positions_of

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


# What those are called who sit in a game, or sat there, as the caller may see it.


Names: TypeAlias = Mapping[str, str]
"""What to call players, by their ids."""


async def names_in(request: Request, game: Game) -> Names:
    players = {*game.opened.players, *(left.player for left in game.departures)}
    return await names_for_caller(request, game.opened.tournament, sorted(player for player in players if player is not None))


def names_tag(names: Names | None) -> str:
    """For the ETag: a name may change where nothing was recorded."""
    return "" if names is None else f".{content_hash(encode(dict(sorted(names.items()))))}"


# Which frames of a game are asked for, and from which positions on cards are shown by that.


def end_of(query: ReplayQuery, now: Game) -> int:
    """The last position that can be shown."""
    ends = [now.position, query.to, query.before and query.before - 1]
    return max(1, min(end for end in ends if end is not None))


def selection_of(query: ReplayQuery, now: Game, eyes: Eyes) -> Selection:
    first, last = (1, now.position) if query.hand is None else positions_of(now, query.hand)
    last = last if query.to is None else min(query.to, last)
    return Selection(max(query.from_, first), last, query.hand, query.seat, now.dark_from(eyes))


def place_before(query: ReplayQuery, now: Game, eyes: Eyes) -> int:
    """The position before the first frame that there could be."""
    return min(max(selection_of(query, now, eyes).first, (query.after or 0) + 1) - 1, end_of(query, now))


def shown(query: ReplayQuery, now: Game, eyes: Eyes, *, whole: bool) -> tuple[int, int]:
    """The first and the last position that can be shown."""
    first, last = _framed(query, now, eyes, whole=whole)
    if query.tables:
        return first, last
    start = max(min(first - 1, end_of(query, now)), 1)
    return start, max(start, last)


def _framed(query: ReplayQuery, now: Game, eyes: Eyes, *, whole: bool) -> tuple[int, int]:
    """Of a page of chosen frames nobody knows beforehand how far it goes."""
    chosen = selection_of(query, now, eyes)
    first, last = max(chosen.first, (query.after or 0) + 1), min(chosen.last, end_of(query, now))
    if whole or query.hand is not None or query.seat is not None:
        return first, last
    return (first, min(last, first + query.limit - 1)) if query.before is None else (max(first, last - query.limit + 1), last)
