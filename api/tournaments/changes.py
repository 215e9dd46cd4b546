"""What an event changes for those who look at a tournament: at its tables, at its results, or at who stands where."""

from typing import Literal, TypeAlias

from domain.effects import GameClosed, HandClosed
from domain.events import Event, effects_of
from domain.events.base import Unreadable
from domain.events.game import (
    CardsTold,
    DisputeAppealed,
    DisputeRaised,
    DisputeRuled,
    DisputeWithdrawn,
    GameAbandoned,
    GameAnnulled,
    GameDisclosed,
    GameOpened,
    GameResumed,
    GameRewound,
    GameSuspended,
    HandDealt,
    HandReported,
    HandStopped,
    MovePlayed,
    MoveStood,
    NoteAdded,
    OrderLifted,
    PlayerSeated,
    PointsAdjusted,
    SheetSigned,
    TableRectified,
)
from domain.events.player import PlayerEvent
from domain.events.shuffles import ShuffleEvent
from domain.events.tournament import (
    EntryAccepted,
    EntryAdvanced,
    EntryChanged,
    EntryRated,
    EntryReturned,
    EntryWithdrawn,
    HallNamesChosen,
    LotsDrawn,
    ResultConfirmed,
    ResultEntered,
    ResultWithdrawn,
    RoundClosed,
    RoundPaired,
    RoundUnpaired,
    TableAdjourned,
    TableForfeited,
    TournamentAnnounced,
    TournamentCorrected,
    TournamentEnded,
    TournamentPublished,
)

Change: TypeAlias = Literal["tables", "results", "standings"]
ALL: tuple[Change, ...] = ("tables", "results", "standings")
_TABLES: tuple[Change, ...] = ("tables",)
_STANDINGS: tuple[Change, ...] = ("standings",)


def changed_by(event: Event) -> tuple[Change, ...]:
    """A hand that ends changes all three; what an official says of a game only its table."""
    if isinstance(event, PlayerEvent | ShuffleEvent):
        return () if isinstance(event, PlayerEvent) else _TABLES
    match event:
        case MovePlayed() | MoveStood() | TableRectified():
            return ALL if any(isinstance(effect, HandClosed | GameClosed) for effect in effects_of(event)) else _TABLES
        case GameOpened() | PlayerSeated() | HandDealt() | CardsTold() | GameSuspended() | GameResumed() | GameDisclosed() | NoteAdded():
            return _TABLES
        case DisputeRaised() | DisputeRuled() | DisputeAppealed() | DisputeWithdrawn() | SheetSigned():
            return _TABLES
        case HandReported() | HandStopped() | GameRewound() | PointsAdjusted() | GameAbandoned() | GameAnnulled() | OrderLifted():
            return ALL
        case ResultEntered() | ResultConfirmed() | ResultWithdrawn() | TableForfeited() | TableAdjourned() | RoundClosed():
            return ALL
        case RoundPaired() | RoundUnpaired() | TournamentAnnounced() | TournamentCorrected() | TournamentEnded():
            return ALL
        case TournamentPublished() | HallNamesChosen() | Unreadable():
            return ALL
        case EntryAccepted() | EntryRated() | EntryAdvanced() | EntryChanged() | EntryWithdrawn() | EntryReturned() | LotsDrawn():
            return _STANDINGS
