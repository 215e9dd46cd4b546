"""The free texts of a series: its title, and the reasons of adjustments and removals. Officials read them, directors erase them."""

from msgspec import Struct

from api.common.notes import notes_routes
from api.common.texts import NoteView
from api.series.reading import current_series


class SeriesNotesView(Struct, frozen=True, kw_only=True):
    series: str
    position: int
    notes: list[NoteView]


class SeriesTextErased(Struct, frozen=True, kw_only=True):
    """The result of an erasure. ``erased`` is false if the text had been erased before."""

    series: str
    position: int
    erased: bool


ROUTES = notes_routes("series", SeriesNotesView, SeriesTextErased, current_series)
