"""Frames as they go out: what hides cards is ``replay/timeline.py`` alone, and the captions are made from what it leaves."""

from collections.abc import Callable
from typing import TypeAlias

from msgspec import UNSET

from api.common.rulebooks import about_of, viewing
from api.games.responses import ReplayFrame
from domain.events import effects_of
from domain.game import Boards, Game
from domain.rules import Rulesets
from domain.sight import Who
from replay.past import GameStep
from replay.selection import seat_of
from replay.timeline import frame
from replay.transcript import Transcript

Show: TypeAlias = Callable[[GameStep], ReplayFrame]


def frame_maker(rulesets: Rulesets, now: Game, who: Who, played: Boards, language: str) -> Show:
    """Makes the frames of one game for one view. ``played``: the boards that other tables still play.

    Raises ``Unknown`` for a game whose rules are not kept here any more.
    """
    view = viewing(rulesets, now.setup)
    transcript = Transcript(about_of(rulesets[now.setup.ruleset]), language)

    def show(step: GameStep) -> ReplayFrame:
        told = frame(now, who, played, step)
        return ReplayFrame(
            position=told.position,
            at=told.at,
            by=told.by,
            happened_at=told.happened_at or UNSET,
            void=told.void or UNSET,
            name=told.name,
            hand=told.table.hand,
            seat=seat_of(step),
            caption=transcript.caption(told),
            effects=effects_of(told.event),
            table=view(told.table, now.viewer(who, told.position, played)),
        )

    return show
