"""The parts of a tournament that an event changes for its readers."""

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
    GameMadePublic,
    GameOpened,
    GameResumed,
    GameSuspended,
    HandDealt,
    HandEndedEarly,
    HandReported,
    IllegalMoveAccepted,
    MovePlayed,
    NoteAdded,
    OrderLifted,
    PlayersCorrected,
    PlayerSeated,
    PointsAdjusted,
    RewindRecorded,
    SheetSigned,
    SignatureWithdrawn,
    TableCorrected,
)
from domain.events.player import PlayerEvent
from domain.events.ratings import RatingsPublished
from domain.events.series import SeriesEvent
from domain.events.shuffles import ShuffleEvent
from domain.events.tournament import (
    ClubsGrouped,
    EntryAccepted,
    EntryAdvanced,
    EntryChanged,
    EntryCorrected,
    EntryLabelsSet,
    EntryRated,
    EntryReturned,
    EntryWithdrawn,
    HallNamesSet,
    LotsDrawn,
    PairingChanged,
    PairingWithdrawn,
    PresenceChecked,
    PrizePoolsSet,
    ResultConfirmed,
    ResultEntered,
    ResultWithdrawn,
    RoundClosed,
    RoundPaired,
    ScheduleSet,
    StandingsOrdered,
    TableAdjourned,
    TableForfeited,
    TableNoticeSet,
    TimeZoneSet,
    TournamentAnnounced,
    TournamentCorrected,
    TournamentEnded,
    TournamentPublished,
    TournamentReopened,
    WishRecorded,
    WishWithdrawn,
)

Change: TypeAlias = Literal["tables", "results", "standings"]


ALL: tuple[Change, ...] = ("tables", "results", "standings")


_TABLES: tuple[Change, ...] = ("tables",)


_STANDINGS: tuple[Change, ...] = ("standings",)


def list_changes(event: Event) -> tuple[Change, ...]:
    """Return the parts that an event changes: the end of a hand changes all three; an official's act in a game usually only its table."""
    if isinstance(event, PlayerEvent | SeriesEvent | RatingsPublished | ShuffleEvent):
        return _TABLES if isinstance(event, ShuffleEvent) else ()
    match event:
        case MovePlayed() | IllegalMoveAccepted() | TableCorrected():
            return ALL if any(isinstance(effect, HandClosed | GameClosed) for effect in effects_of(event)) else _TABLES
        case GameOpened() | PlayerSeated() | HandDealt() | CardsTold() | GameSuspended() | GameResumed() | GameMadePublic() | NoteAdded():
            return _TABLES
        case DisputeRaised() | DisputeRuled() | DisputeAppealed() | DisputeWithdrawn() | SheetSigned() | SignatureWithdrawn():
            return _TABLES
        case HandReported() | HandEndedEarly() | RewindRecorded() | PointsAdjusted() | GameAbandoned() | GameAnnulled() | OrderLifted():
            return ALL
        case ResultEntered() | ResultConfirmed() | ResultWithdrawn() | TableForfeited() | TableAdjourned() | RoundClosed():
            return ALL
        case RoundPaired() | PairingWithdrawn() | TournamentAnnounced() | TournamentCorrected() | TournamentEnded() | TournamentReopened():
            return ALL
        case (
            EntryChanged()
            | EntryLabelsSet()
            | EntryCorrected()
            | PrizePoolsSet()
            | PlayersCorrected()
            | PairingChanged()
            | TournamentPublished()
            | HallNamesSet()
            | TimeZoneSet()
            | TableNoticeSet()
            | ScheduleSet()
            | Unreadable()
        ):
            return ALL
        case (
            EntryAccepted()
            | EntryRated()
            | EntryAdvanced()
            | EntryWithdrawn()
            | EntryReturned()
            | WishRecorded()
            | WishWithdrawn()
            | ClubsGrouped()
            | PresenceChecked()
            | LotsDrawn()
            | StandingsOrdered()
        ):
            return _STANDINGS
