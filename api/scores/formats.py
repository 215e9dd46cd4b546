"""Formats of score lines: as a whole file, or as pages as of one sequence, whose cursor holds that sequence and the place reached."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from itertools import islice
from typing import Any, AnyStr, TypeAlias

from msgspec import UNSET, Struct, defstruct
from msgspec.structs import astuple, replace

from api.common.names import Appearance
from api.common.tables.columns import DialectName, Make, Pieces, Row, encode_csv, through_a_file
from api.common.tables.encoders import write_parquet, write_xlsx
from api.common.tables.files import FILES, FormatName, FormName, check_installed
from api.http.media_types import JSON, NDJSON
from api.http.response import Format, csv_text, encode, format_time
from api.scores.responses import ScorePage
from api.scores.schema import SCHEMA, Names, ScoreLine, columns, name_of, score_lines
from domain.access import VisibilityScope
from domain.errors import BadCursor
from projections.engine.store import Store
from projections.models.reading import cursor_of, text_place_of
from projections.models.score_lines.score_list import START, GameEntries, ScoreEntry, ScoreFilters, ScorePlace, entries
from projections.values import to_datetime

# Score lines as text: CSV for spreadsheets, NDJSON for programs.


_ROW = ScoreLine.__struct_fields__.index("row")
_Left = defstruct("_Left", ScoreLine.__struct_fields__[:_ROW], gc=False)
_Right = defstruct("_Right", [*ScoreLine.__struct_fields__[_ROW + 2 : -1], ("player_name", Any, UNSET)], gc=False)


def encode_json_lines(found: Iterable[GameEntries], names: Names | None) -> bytes:
    """Encode one object per line, each a ``ScoreLine``. The common part of the lines of an entry is encoded once."""
    return b"".join(text for one in found for text in _encode_lines(one, names))


def _encode_lines(found: GameEntries, names: Names | None) -> Iterator[bytes]:
    game = found.game
    opened_at = None if game.opened_at is None else _to_datetime(game.opened_at)
    place = (game.id, game.ruleset, game.tournament, game.round, game.table, opened_at)
    for one in found.entries:
        when = (_to_datetime(one.played_at), one.position or None, one.hand, _to_datetime(one.at))
        left = _Left(*place, *when, one.party, one.seat, one.player, one.recorded, one.club, one.how)
        right = _Right(one.status, one.ruling, one.sequence, UNSET if names is None else name_of(found, one, names))
        before, after = b'%b,"row":' % encode(left)[:-1], b",%b\n" % encode(right)[1:]
        yield from _wrap_lines(before, [b'%b,"points":%d' % (_json(row), points) for row, points in one.rows.items()], after)


def _wrap_lines(before: AnyStr, lines: list[AnyStr], after: AnyStr) -> tuple[AnyStr, ...]:
    """Return the pieces of a text with each of the lines between the same beginning and end."""
    return (before, (after + before).join(lines), after) if lines else ()  # pyrefly: ignore[no-matching-overload, bad-argument-type]


def csv_head(named: bool) -> bytes:
    return f"{','.join(column.name for column in columns(named))}\r\n".encode()


def csv(found: Iterable[GameEntries], names: Names | None) -> bytes:
    """Encode CSV without the module csv: the common part of the lines of an entry is written once."""
    return "".join(text for one in found for text in _csv_of_game(one, names)).encode()


def _csv_of_game(found: GameEntries, names: Names | None) -> Iterator[str]:
    game = found.game
    place = f"{game.id or ''},{csv_text(game.ruleset)},{csv_text(game.tournament)},{_number(game.round)},{csv_text(game.table)}"
    place = f"{place},{'' if game.opened_at is None else _time(game.opened_at)}"
    for one in found.entries:
        who = f"{one.party},{one.seat},{csv_text(one.player)},{csv_text(one.recorded)},{csv_text(one.club)},{one.how}"
        left = f"{place},{_time(one.played_at)},{_number(one.position or None)},{_number(one.hand)},{_time(one.at)},{who},"
        right = f",{one.status},{_number(one.ruling)},{one.sequence}{_name(found, one, names)}\r\n"
        yield from _wrap_lines(left, [f"{csv_text(row)},{points}" for row, points in one.rows.items()], right)


def _name(found: GameEntries, one: ScoreEntry, names: Names | None) -> str:
    return "" if names is None else f",{csv_text(name_of(found, one, names))}"


@lru_cache(maxsize=1000)
def _to_datetime(microseconds: int) -> datetime:
    return to_datetime(microseconds)


@lru_cache(maxsize=1000)
def _json(text: str) -> bytes:
    return encode(text)


def _number(value: int | None) -> str:
    return "" if value is None else str(value)


@lru_cache(maxsize=1000)
def _time(microseconds: int) -> str:
    return format_time(_to_datetime(microseconds))


Step: TypeAlias = tuple[list[GameEntries], Names | None]
"""Some of the entries, and the names of their players if the request wants names."""

FORMATS: Mapping[FormName, Format] = {"json": Format(JSON, ScorePage), **FILES, "ndjson": Format(NDJSON, ScoreLine)}


class FileInfo(Struct, frozen=True):
    """Metadata of a file: the sequence as of which it was made, the time, whether names are in it, and the dialect of CSV."""

    as_of: int
    at: datetime
    named: bool
    dialect: DialectName | None = None


def add_names(steps: Iterable[list[GameEntries]], names: Callable[[set[Appearance]], Names] | None) -> Iterator[Step]:
    """Yield the steps with names. ``names`` looks up the names of some players."""
    for found in steps:
        yield found, names(_list_named_players(found)) if names else None


def _list_named_players(found: Iterable[GameEntries]) -> set[Appearance]:
    return {(entry.player, one.game.tournament) for one in found for entry in one.entries if entry.player is not None}


def maker(format: FormatName, about: FileInfo) -> Make[Step]:
    """Return the function that makes bytes of the steps. Raises ``NotInstalled``."""
    check_installed(format)
    match format:
        case "ndjson":
            return lambda steps: (encode_json_lines(*step) for step in steps)
        case "csv" if about.dialect:
            heading = [column.name for column in columns(about.named)]
            return lambda steps: (piece for piece in encode_csv(heading, _groups(steps, about.named), about.dialect))
        case "csv":
            return lambda steps: _csv(steps, about.named)
        case "xlsx":
            says = f"{SCHEMA}, as of {about.as_of}"
            told = columns(about.named)
            return through_a_file(lambda file, steps: write_xlsx(file, "scores", told, _rows(steps), says, about.at))
        case "parquet":
            return through_a_file(
                lambda file, steps: write_parquet(file, columns(about.named), _groups(steps, about.named), SCHEMA, about.as_of)
            )


def _groups(steps: Iterable[Step], named: bool) -> Iterator[list[Row]]:
    """Yield the cells of the lines in the order of the columns, some games at a time."""
    told = [column.name for column in columns(named)]
    for found, names in steps:
        yield [[getattr(line, name) for name in told] for some in found for line in score_lines(some, names)]


def _rows(steps: Iterable[Step]) -> Iterator[Row]:
    return (astuple(line) for found, names in steps for some in found for line in score_lines(some, names))


def _csv(steps: Iterable[Step], named: bool) -> Pieces:
    yield csv_head(named)
    for step in steps:
        yield csv(*step)


# Pages of score lines as of one sequence: a cursor holds the sequence of the first page, and the place reached.


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
