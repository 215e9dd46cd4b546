"""The forms in which score lines go out, whole or as a page."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import astuple

from api.common.names import Appearance
from api.common.tables.columns import Row
from api.common.tables.formats import FILES, FormatName, FormName, check_installed
from api.common.tables.parquet import write_parquet
from api.common.tables.through_a_file import Make, Pieces, through_a_file
from api.common.tables.xlsx import write_xlsx
from api.http.formats import Format
from api.http.media_types import JSON, NDJSON
from api.scores.responses import ScorePage
from api.scores.schema import SCHEMA, Names, ScoreLine, columns, score_lines
from api.scores.text import csv, csv_head, ndjson
from projections.models.score_lines.score_list import GameEntries

Step: TypeAlias = tuple[list[GameEntries], Names | None]
"""Some of what was found, and the names of the players in it if the request wants names."""

FORMATS: Mapping[FormName, Format] = {"json": Format(JSON, ScorePage), **FILES, "ndjson": Format(NDJSON, ScoreLine)}


class FileInfo(Struct, frozen=True):
    """What a file says of itself: as of which sequence, made when, and whether names are in it."""

    as_of: int
    at: datetime
    named: bool


def named_steps(steps: Iterable[list[GameEntries]], names: Callable[[set[Appearance]], Names] | None) -> Iterator[Step]:
    """``names`` looks up the names of some players."""
    for found in steps:
        yield found, names(_appearances(found)) if names else None


def _appearances(found: Iterable[GameEntries]) -> set[Appearance]:
    return {(entry.player, one.game.tournament) for one in found for entry in one.entries if entry.player is not None}


def maker(format: FormatName, about: FileInfo) -> Make[Step]:
    """How the steps become bytes. Raises ``NotInstalled``."""
    check_installed(format)
    match format:
        case "ndjson":
            return lambda steps: (ndjson(*step) for step in steps)
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
    """The cells of the lines in the order of the columns, some games at a time."""
    told = [column.name for column in columns(named)]
    for found, names in steps:
        yield [[getattr(line, name) for name in told] for some in found for line in score_lines(some, names)]


def _rows(steps: Iterable[Step]) -> Iterator[Row]:
    return (astuple(line) for found, names in steps for some in found for line in score_lines(some, names))


def _csv(steps: Iterable[Step], named: bool) -> Pieces:
    yield csv_head(named)
    for step in steps:
        yield csv(*step)
