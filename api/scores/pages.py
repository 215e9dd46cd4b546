"""Pages of score lines as of one sequence: a cursor holds the sequence of the first page, and the place reached."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from api.common.names import Appearance
from api.scores.formats import add_names
from api.scores.responses import ScorePage
from api.scores.schema import SCHEMA, Names, ScoreLine, score_lines
from domain.access import VisibilityScope
from domain.errors import BadCursor
from projections.engine.store import Store
from projections.models.reading import cursor_of, text_place_of
from projections.models.score_lines.score_list import START, GameEntries, ScoreFilters, ScorePlace, entries

_LINES_A_BLOCK = 4
"""Fewer lines than a block usually has, so that one step usually suffices for a page."""


class Start(Struct, frozen=True):
    """The start of a page: ``rows`` lines of the entry at ``place`` are on earlier pages."""

    as_of: int
    place: ScorePlace = START
    rows: int = 0


NamesOf: TypeAlias = Callable[[set[Appearance]], Names]


def page(store: Store, reach: VisibilityScope, filters: ScoreFilters, start: Start, limit: int, names: NamesOf | None) -> ScorePage:
    told: list[ScoreLine] = []
    end = start
    for line, after in _lines(store, reach, filters, start, limit // _LINES_A_BLOCK, names):
        if len(told) == limit:
            return ScorePage(SCHEMA, start.as_of, tuple(told), text(end))
        told.append(line)
        end = after
    return ScorePage(SCHEMA, start.as_of, tuple(told), None)


def found_from(
    store: Store, reach: VisibilityScope, filters: ScoreFilters, start: Start, blocks: int = 1000
) -> Iterator[list[GameEntries]]:
    """Yield some games at a time, without the lines that are on earlier pages."""
    steps = entries(store, reach, filters, start.as_of, start.place, blocks)
    for step in steps:
        yield [_rest(step[0], start), *step[1:]]
        break
    yield from steps


def _rest(found: GameEntries, start: Start) -> GameEntries:
    first = found.entries[0] if found.entries else None
    if first is None or (found.game.opened, first.position, first.seat) != start.place:
        return found
    left = replace(first, rows=dict(islice(first.rows.items(), start.rows, None)))
    return GameEntries(found.game, (left, *found.entries[1:]))


def _lines(
    store: Store, reach: VisibilityScope, filters: ScoreFilters, start: Start, blocks: int, names: NamesOf | None
) -> Iterator[tuple[ScoreLine, Start]]:
    """Yield each line with the start of the rest after it."""
    for step, known in add_names(found_from(store, reach, filters, start, blocks), names):
        for found in step:
            for entry in found.entries:
                place = (found.game.opened, entry.position, entry.seat)
                told = start.rows if place == start.place else 0
                for row, line in enumerate(score_lines(GameEntries(found.game, (entry,)), known), told + 1):
                    yield line, Start(start.as_of, place, row)


def text(start: Start) -> str:
    """Return the cursor."""
    return cursor_of(".".join(str(number) for number in (start.as_of, *start.place, start.rows)))


def start_of(cursor: str) -> Start:
    """Return the start from a cursor. Raises ``BadCursor``."""
    parts = text_place_of(cursor).split(".")
    if len(parts) != 5 or not all(part.isascii() and part.isdigit() and len(part) < 19 for part in parts):
        raise BadCursor
    as_of, opened, position, seat, rows = map(int, parts)
    return Start(as_of, (opened, position, seat), rows)
