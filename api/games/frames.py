"""Frames of a replay as responses. Only ``replay/game_frames.py`` hides cards, and the captions are made from what it leaves."""

from collections.abc import Callable, Iterable
from typing import TypeAlias, cast

from msgspec import UNSET, UnsetType

from api.common.rulebooks import latest_rulebook_of, load_frame_texts, viewing
from api.games.lines import write_recorded_move
from api.games.replay_starts import Names, sight_changes, start_maker, summary_view
from api.games.responses import ReplayFrame, SeatedWords, SummaryChange
from domain.errors import Refused
from domain.events import Event
from domain.events.game import MovePlayed
from domain.game import Game
from domain.opening import OpennessContext
from domain.rules import Move, Rulebook, Rulesets
from domain.sight import Viewer, Viewpoint, Who
from domain.texts.pieces import Piece, in_words
from replay.folding import effects_of_event, find_summary_change
from replay.game_frames import frame, remove_text
from replay.past import GameStep
from replay.selection import seat_of

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
