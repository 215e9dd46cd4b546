"""Start tables for followers of a replay: the table to fold effects from, given again wherever a frame does not
follow from the one before.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias, cast

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from api.common.names import names_for_caller
from api.common.rulebooks import latest_rulebook_of, load_frame_texts, viewing
from api.games.lines import write_recorded_move
from api.games.requests import ReplayQuery
from api.games.responses import BlockView, GameSummaryView, ReplayFrame, SeatedWords, SummaryChange, TableStart, ZoneView
from api.http.request import Request
from api.http.response import content_hash, encode
from domain.errors import Refused
from domain.events import Event
from domain.events.game import MovePlayed
from domain.game import Game
from domain.opening import OpennessContext
from domain.rules import Move, Rulebook, Rulesets
from domain.sight import Viewer, Viewpoint, Who, masked
from domain.table import Table
from domain.texts.wording import Piece, in_words
from replay.folding import GameSummary, build_summary, effects_of_event, find_summary_change, view_name
from replay.game_frames import frame, remove_text
from replay.past import GameStep
from replay.selection import Selection, positions_of, seat_of

Start: TypeAlias = Callable[[GameStep], TableStart]


def start_maker(now: Game, who: Viewpoint | Who, around: OpennessContext) -> Start:
    """Return a function that gives the table before a step, with the cards that were visible then and that the viewer
    of the step may see.
    """

    def start(step: GameStep) -> TableStart:
        position = step.recorded.position
        table = step.before.table if step.before else step.after.table
        seen = masked(table, now.viewer(who, max(position - 1, 1), around))
        viewer = now.viewer(who, position, around)
        return view_start(position - 1, masked(seen, viewer), view_name(viewer))

    return start


def view_start(position: int, table: Table, sees: str) -> TableStart:
    """Return the start as a response. ``table`` is masked already."""
    return TableStart(
        position=position,
        sees=sees,
        zones={name: ZoneView(sight=one.sight, owner=one.owner, cards=one.cards, marks=one.marks) for name, one in table.zones.items()},
        marks=table.marks,
        phase=table.phase,
        turn=table.turn,
        to_act=table.to_act,
        stand=summary_view(build_summary(table)),
        blocks=tuple(BlockView(faces=block.faces, places=block.places) for block in table.blocks or ()) or UNSET,
    )


def summary_view(stand: GameSummary) -> GameSummaryView:
    return GameSummaryView(hand=stand.hand, dealer=stand.dealer, totals=stand.totals, places=stand.places)


def sight_changes(now: Game, who: Viewpoint | Who, around: OpennessContext, position: int) -> bool:
    """Return whether the event at this position is seen by a different viewer than the one before."""
    return position > 1 and view_name(now.viewer(who, position - 1, around)) != view_name(now.viewer(who, position, around))


def in_turn(show: Callable[[GameStep], ReplayFrame], start: Start, steps: Iterable[GameStep], after: int = -1) -> Iterator[ReplayFrame]:
    """Yield the frames of the steps; one that does not follow directly carries its start. ``after``: the position before the first step."""
    for step in steps:
        made, position = show(step), step.recorded.position
        yield made if position == after + 1 or made.start else replace(made, start=start(step))
        after = position


# Names of the present and former players of a game, as the caller may see them.


Names: TypeAlias = Mapping[str, str]
"""The names to show of players, by their ids."""


async def names_in(request: Request, game: Game) -> Names:
    players = {*game.opened.players, *(left.player for left in game.departures)}
    return await names_for_caller(request, game.opened.tournament, sorted(player for player in players if player is not None))


def names_tag(names: Names | None) -> str:
    """Return the part of the ETag for the names: a name may change where nothing was recorded."""
    return "" if names is None else f".{content_hash(encode(dict(sorted(names.items()))))}"


# The requested frames of a game, and the positions whose cards they show.


def end_of(query: ReplayQuery, now: Game) -> int:
    """Return the last position that can be shown."""
    ends = [now.position, query.last, query.before and query.before - 1]
    return max(1, min(end for end in ends if end is not None))


def selection_of(query: ReplayQuery, now: Game, eyes: Viewpoint) -> Selection:
    first, last = (1, now.position) if query.hand is None else positions_of(now, query.hand)
    last = last if query.last is None else min(query.last, last)
    return Selection(max(query.first, first), last, query.hand, query.seat, now.hidden_from_position(eyes))


def place_before(query: ReplayQuery, now: Game, eyes: Viewpoint) -> int:
    """Return the position before the first possible frame."""
    return min(max(selection_of(query, now, eyes).first, (query.after or 0) + 1) - 1, end_of(query, now))


def bound_positions(query: ReplayQuery, now: Game, eyes: Viewpoint, *, whole: bool) -> tuple[int, int]:
    """Return the first and the last position that can be shown."""
    first, last = _bound_frames(query, now, eyes, whole=whole)
    if query.tables:
        return first, last
    start = max(min(first - 1, end_of(query, now)), 1)
    return start, max(start, last)


def _bound_frames(query: ReplayQuery, now: Game, eyes: Viewpoint, *, whole: bool) -> tuple[int, int]:
    """Return the first and last position of the frames. The end of a page of filtered frames is not known beforehand."""
    chosen = selection_of(query, now, eyes)
    first, last = max(chosen.first, (query.after or 0) + 1), min(chosen.last, end_of(query, now))
    if whole or query.hand is not None or query.seat is not None:
        return first, last
    return (first, min(last, first + query.limit - 1)) if query.before is None else (max(first, last - query.limit + 1), last)


# Frames of a replay as responses. Only ``replay/game_frames.py`` hides cards, and the captions are made from what it leaves.


Show: TypeAlias = Callable[[GameStep], ReplayFrame]


def frame_maker(
    rulesets: Rulesets,
    now: Game,
    who: Viewpoint | Who,
    around: OpennessContext,
    language: str,
    *,
    worded: bool,
    tables: bool = True,
    names: Names | None = None,
) -> Show:
    """Return a function that makes the frames of one game for one view.

    ``worded``: the reader may know the words that people wrote; others get no reference to them, though they may see all cards. Without
    ``tables`` a frame holds no table; where the view changes at a frame, it holds the ``start`` to continue from. With ``names``, which the
    caller may see, it also holds its caption in pieces, and the names of the players by seat. Raises ``Unknown`` for a game whose rules are
    not kept here any more.
    """
    view, rulebook = viewing(rulesets, now.setup), find_rulebook(rulesets, now)
    transcript = load_frame_texts(rulesets[now.setup.ruleset], language)

    start = start_maker(now, who, around)

    def show(step: GameStep) -> ReplayFrame:
        told, viewer = frame(now, who, around, step), now.viewer(who, step.recorded.position, around)
        pieces = transcript.pieces(told)
        return ReplayFrame(
            position=told.position,
            at=told.at,
            by=told.by,
            happened_at=told.happened_at or UNSET,
            void=told.void or UNSET,
            name=told.name,
            hand=told.table.hand,
            seat=seat_of(step) if told.event else None,
            caption=in_words(pieces),
            said=UNSET if names is None else in_pieces(pieces),
            names=UNSET if names is None or viewer.dark else tuple(one and names.get(one) for one in step.after.opened.players),
            written=write_visible_move(rulebook, step, told.event, language),
            body=UNSET if told.event is None else told.event if worded else remove_text(told.event),
            effects=effects_of_event(told.event, told.table),
            stand=_build_summary_change(viewer, step),
            table=view(told.table, viewer) if tables else UNSET,
            start=start(step) if not tables and sight_changes(now, who, around, told.position) else UNSET,
        )

    return show


def in_pieces(pieces: Iterable[Piece]) -> list[str | SeatedWords]:
    """Return the pieces of a caption for a response, in which names can replace seats."""
    return [piece if isinstance(piece, str) else SeatedWords(seats=piece.seats, words=piece.words) for piece in pieces]


def _build_summary_change(viewer: Viewer, step: GameStep) -> SummaryChange | UnsetType:
    stands = find_summary_change(viewer, step.before.table, step.after.table) if step.before else None
    return SummaryChange(before=summary_view(stands[0]), after=summary_view(stands[1])) if stands else UNSET


def find_rulebook(rulesets: Rulesets, now: Game) -> Rulebook | None:
    """Return the rulebook that writes moves: notation depends on the options alone. ``None`` where the ruleset does
    not know them any more.
    """
    try:
        return latest_rulebook_of(rulesets, now.setup)
    except Refused:
        return None


def write_visible_move(rulebook: Rulebook | None, step: GameStep, told: Event | None, language: str) -> str | UnsetType:
    """Return a move in notation, if the view shows the whole move."""
    recorded = step.recorded.event
    if rulebook is None or not (isinstance(told, MovePlayed) and isinstance(recorded, MovePlayed)) or told.move != recorded.move:
        return UNSET
    return write_recorded_move(rulebook, cast("Move", told.move), language) or UNSET
