"""Pages of a replay: the frames that a reader asked for, as JSON or line by line."""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple
from uuid import UUID

from msgspec import UNSET

from api.common.live.change_feed import SharedReads
from api.common.long_reads import FEW, long_read
from api.common.reading import game_then, past_of
from api.games.replay_starts import Names, frame_maker, in_turn, place_before, selection_of, start_maker, view_start
from api.games.requests import ReplayQuery
from api.games.responses import Replay, ReplayFrame, TableStart
from api.http.paging import page_links
from api.http.request import Request, part_of, services_of
from api.http.response import encode, lines_of
from domain.game import Game
from domain.opening import OpennessContext
from domain.sight import Viewpoint, masked
from domain.table import Table
from replay.folding import view_name
from replay.past import GamePast, GameStep
from replay.selection import FramesPage, page_after, page_before


class ReplayRequest(NamedTuple):
    """``position``: where the game stood."""

    query: ReplayQuery
    id: UUID
    position: int
    eyes: Viewpoint
    around: OpennessContext
    language: str
    worded: bool
    names: Names | None


async def make_page(request: Request, asked: ReplayRequest, tag: str) -> tuple[bytes, list[tuple[str, str]]]:
    """Return the page. A short one, or one that several clients wait for, is made once for all who see the same."""
    frames = min(asked.query.limit, asked.position)
    make = partial(_page, request, frames, asked)
    if frames > FEW and not asked.query.wait:
        return await make()
    key = (asked.id, tag, request.scope["path"], request.scope["query_string"])
    return await part_of(request.app, SharedReads).replays.once(key, make)


@long_read("replays")
def _page(request: Request, asked: ReplayRequest) -> tuple[bytes, list[tuple[str, str]]]:
    query, eyes, now = asked.query, asked.eyes, game_then(request, asked.id, asked.position)
    line, selection = past_of(request, now.id), selection_of(query, now, eyes)
    if query.before is not None:
        page = page_before(line, selection, min(query.before, now.position + 1), query.limit)
    else:
        page = page_after(line, selection, query.after or 0, query.limit)
    following, previous = _adjacent_positions(page)
    start = UNSET if query.tables else _start(asked, now, line, page.steps)
    frames = list(frames_of(request, asked, now, page.steps, start.position if start else -1))
    replay = Replay(game=now.id, position=now.position, view=eyes.view, start=start, frames=frames, after=following)
    return encode(replay), page_links(request, {"after": following, "before": None}, {"before": previous, "after": None})


def frames_of(request: Request, asked: ReplayRequest, now: Game, steps: Iterable[GameStep], started: int = -1) -> Iterator[ReplayFrame]:
    """``started``: at which position the start was told already."""
    query, eyes, around = asked.query, asked.eyes, asked.around
    rulesets = services_of(request).rulesets
    show = frame_maker(rulesets, now, eyes, around, asked.language, worded=asked.worded, tables=query.tables, names=asked.names)
    return map(show, steps) if query.tables else in_turn(show, start_maker(now, eyes, around), steps, started)


def _start(asked: ReplayRequest, now: Game, line: GamePast, steps: Sequence[GameStep]) -> TableStart:
    """The table before the first of the steps; where there is none, before the first that there could be."""
    eyes, around = asked.eyes, asked.around
    if steps:
        return start_maker(now, eyes, around)(steps[0])
    position = place_before(asked.query, now, eyes)
    viewer = now.viewer(eyes, max(position, 1), around)
    table = line.at(position, now.position) if position else Table(now.setup)
    return view_start(position, masked(table, viewer), view_name(viewer))


def _adjacent_positions(page: FramesPage) -> tuple[int | None, int | None]:
    if not page.steps:
        return None, None
    first, last = page.steps[0].recorded.position, page.steps[-1].recorded.position
    return last if page.newer else None, first if page.older else None


async def encode_lines(frames: Iterator[ReplayFrame]) -> AsyncGenerator[bytes, None]:
    while piece := await asyncio.to_thread(lines_of, frames):
        yield piece


def find_all_steps(request: Request, now: Game, eyes: Viewpoint, query: ReplayQuery) -> Iterator[GameStep]:
    found = selection_of(query, now, eyes).after(past_of(request, now.id), query.after or 0)
    last = query.before or now.position + 1
    return (step for step in found if step.recorded.position < last)
