"""The parts of a tournament that an event changes for its readers."""

from typing import Literal, TypeAlias

from domain.effects import GameClosed, HandClosed
from domain.events import Event, effects_of, game, tournament
from domain.events.player import PlayerEvent
from domain.events.ratings import RatingsPublished
from domain.events.series import SeriesEvent
from domain.events.shuffles import ShuffleEvent
from domain.tournament.state import EntryEvent
from domain.tournament.tournament import DrawEvent

Change: TypeAlias = Literal["tables", "results", "standings"]
ALL: tuple[Change, ...] = ("tables", "results", "standings")
_TABLES: tuple[Change, ...] = ("tables",)
_STANDINGS: tuple[Change, ...] = ("standings",)


def list_changes(event: Event) -> tuple[Change, ...]:
    """Return the parts that an event changes. An event that is not named here changes all, so that no reader keeps an old part: the end of
    a hand does, and an act that moves the standings.
    """
    if isinstance(event, PlayerEvent | SeriesEvent | RatingsPublished):
        return ()
    if isinstance(event, game.MovePlayed | game.IllegalMoveAccepted | game.TableCorrected):
        return ALL if any(isinstance(effect, HandClosed | GameClosed) for effect in effects_of(event)) else _TABLES
    if isinstance(event, ShuffleEvent | game.GameOpened | game.HandDealt | game.CardsTold | game.DisputeRuled):
        return _TABLES
    if isinstance(event, game.Act) and not game.ACTS[type(event)].moves_standings:
        return _TABLES
    if isinstance(event, tournament.EntryLabelsSet | tournament.EntryChanged | tournament.EntryCorrected):
        return ALL
    return _STANDINGS if isinstance(event, EntryEvent | DrawEvent | tournament.StandingsOrdered) else ALL
