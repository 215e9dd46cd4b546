"""Whole exports of score lines, as jobs of the export process."""

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from typing import TypeAlias

from api.common.names import NameViewer, load_display_names
from api.common.tables.columns import DialectName, Pieces
from api.common.tables.files import FormatName
from api.common.time_zone import Times
from api.http.decoding import copy_fields
from api.scores.formats import FileInfo, Start, add_names, found_from, maker
from api.scores.responses import ScoresQuery
from api.services import Export
from domain.access import VisibilityScope
from domain.journal.registers import Registers
from projections.engine.store import Store
from projections.models.score_lines.score_list import GameEntries, ScoreFilters

Steps: TypeAlias = Iterator[list[GameEntries]]


class ScoreFile(Export, frozen=True, kw_only=True):
    """All lines from ``start`` on within the reach of the caller.

    ``audience``: the readers of the names, if ``named``. ``at``: when the file was requested.
    """

    form: FormatName
    reach: VisibilityScope
    filters: ScoreFilters
    start: Start
    dialect: DialectName | None = None
    named: bool
    audience: NameViewer
    at: datetime

    @property
    def queue_name(self) -> str:
        """The queue of the export: text takes a moment and need not wait for spreadsheets."""
        return "text" if self.form in ("csv", "ndjson") else "tables"


def score_filters(query: ScoresQuery, times: Times) -> ScoreFilters:
    game, played = query.game and str(query.game), {"played_from": times.get("from_"), "played_before": times.get("to")}
    return copy_fields(query, ScoreFilters, game=game, **played)


def score_pieces(file: ScoreFile, registers: Registers, store: Store, watched: Callable[[Steps], Steps]) -> Pieces:
    """Yield the bytes of the file. ``watched`` passes the steps on for as long as the client reads."""
    make = maker(file.form, FileInfo(file.start.as_of, file.at, file.named, file.dialect))
    names = partial(load_display_names, registers, store, audience=file.audience) if file.named else None
    return make(add_names(watched(found_from(store, file.reach, file.filters, file.start)), names))
