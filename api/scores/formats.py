"""The forms in which score lines go out, whole or as a page."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from typing import Literal, TypeAlias

from msgspec import Struct

from api.http.formats import CSV, Format, binary_format
from api.http.media_types import JSON, NDJSON
from api.scores.exports import Make, Pieces, through_a_file
from api.scores.parquet import check_parquet, write_parquet
from api.scores.responses import ScorePage
from api.scores.schema import Names, ScoreLine
from api.scores.text import csv, csv_head, ndjson
from api.scores.xlsx import write_xlsx
from projections.models.score_lines.score_list import GameEntries

Step: TypeAlias = tuple[list[GameEntries], Names | None]
"""Some of what was found, and the names of the players in it if the request wants names."""

FormatName: TypeAlias = Literal["ndjson", "csv", "xlsx", "parquet"]
FormName: TypeAlias = Literal["json", FormatName]
"""JSON comes page by page."""

FORMATS: Mapping[FormName, Format] = {
    "json": Format(JSON, ScorePage),
    "ndjson": Format(NDJSON, ScoreLine),
    "csv": CSV,
    "xlsx": binary_format("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    "parquet": binary_format("application/vnd.apache.parquet"),
}
LABELS = ("NDJSON", "CSV", "XLSX", "Parquet")
"""Of those that come whole."""


class FileInfo(Struct, frozen=True):
    """What a file says of itself: as of which sequence, made when, and whether names are in it."""

    as_of: int
    at: datetime
    named: bool


def named_steps(steps: Iterable[list[GameEntries]], names: Callable[[set[str]], Names] | None) -> Iterator[Step]:
    """``names`` looks up the names of some players."""
    for found in steps:
        yield found, names({entry.player for one in found for entry in one.entries if entry.player is not None}) if names else None


def check_installed(format: FormatName) -> None:
    """Raises ``NotInstalled``."""
    if format == "parquet":
        check_parquet()


def maker(format: FormatName, about: FileInfo) -> Make[Step]:
    """How the steps become bytes. Raises ``NotInstalled``."""
    check_installed(format)
    match format:
        case "ndjson":
            return lambda steps: (ndjson(*step) for step in steps)
        case "csv":
            return lambda steps: _csv(steps, about.named)
        case "xlsx":
            return through_a_file(lambda file, steps: write_xlsx(file, steps, about.named, about.as_of, about.at))
        case "parquet":
            return through_a_file(lambda file, steps: write_parquet(file, steps, about.named, about.as_of))


def _csv(steps: Iterable[Step], named: bool) -> Pieces:
    yield csv_head(named)
    for step in steps:
        yield csv(*step)
