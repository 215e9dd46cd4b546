"""The free texts of a tournament: its title, and reasons. Officials read them, directors erase them."""

from msgspec import Struct

from api.common.notes import notes_routes
from api.common.texts import NoteView
from api.tournaments.reading import current_tournament


class TournamentNotesView(Struct, frozen=True, kw_only=True):
    tournament: str
    position: int
    notes: list[NoteView]


class TournamentTextErased(Struct, frozen=True, kw_only=True):
    """The result of an erasure. ``erased`` is false if the text had been erased before."""

    tournament: str
    position: int
    erased: bool


ROUTES = notes_routes("tournament", TournamentNotesView, TournamentTextErased, current_tournament)
