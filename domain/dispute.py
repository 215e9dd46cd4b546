"""What officials have on their table about a game: disputes, rulings, whether play is halted. Folded from the events alone.

Total like every fold: an act about a dispute that is not there (damaged history) is passed over.
"""

from collections.abc import Callable
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Seat
from domain.errors import Refused
from domain.events import (
    Decision,
    DisputeAppealed,
    DisputeRaised,
    DisputeRuled,
    DisputeWithdrawn,
    GameAbandoned,
    GameAnnulled,
    GameResumed,
    GameRewound,
    GameSuspended,
    HandDealt,
    Instance,
    MovePlayed,
    MoveStood,
    PointsAdjusted,
    Recorded,
    TableRectified,
    TextRef,
    Unreadable,
)
from domain.score import Adjustment, Score, adjusted, annulled, taken_back

Stage: TypeAlias = Literal["open", "ruled", "appealed", "withdrawn"]
Standing: TypeAlias = Literal["open", "suspended", "abandoned", "annulled"]
"""Whether moves may be made in a game: only in one that stands ``open``."""

_UNDECIDED = ("open", "appealed")


class Dispute(Struct, frozen=True):
    """``raised_at`` is the position of the event, ``position`` the one in dispute; ``rulings`` are numbers of rulings.

    ``suspends``: no move is made until there is a decision, on the dispute or on the appeal that came last.
    """

    number: int
    raised_at: int
    position: int
    seat: Seat | None
    claim: TextRef | None
    suspends: bool
    stage: Stage = "open"
    rulings: tuple[int, ...] = ()


class Ruling(Struct, frozen=True):
    number: int
    position: int
    dispute: int | None
    instance: Instance
    decision: Decision
    reason: TextRef | None
    rules: tuple[str, ...]


class Docket(Struct, frozen=True):
    """``spared`` are the positions of acts, which no rewind makes void. ``ordered_at``: what an official did to the table or the
    sheet up to this position cannot be undone by the recorder.
    """

    disputes: tuple[Dispute, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    halted: bool = False
    ended: Literal["abandoned", "annulled"] | None = None
    spared: frozenset[int] = frozenset()
    ordered_at: int = 0

    @property
    def standing(self) -> Standing:
        if self.ended:
            return self.ended
        return "suspended" if self.halted or any(one.suspends and one.stage in _UNDECIDED for one in self.disputes) else "open"

    def dispute(self, number: int) -> Dispute | None:
        return next((one for one in self.disputes if one.number == number), None)

    def check_play(self) -> None:
        """Raises ``Refused`` (COM-65) where no move may be made."""
        if self.standing != "open":
            raise Refused(f"game_{self.standing}", "COM-65")


def docketed(docket: Docket, recorded: Recorded) -> Docket:
    """The docket after one more event."""
    event, position = recorded.event, recorded.position
    match event:
        case HandDealt() | MovePlayed() | Unreadable():
            return docket
        case MoveStood() | TableRectified():
            return replace(docket, ordered_at=position)
        case GameRewound(to=to, ruling=ruling):
            return docket if ruling is None else replace(docket, ordered_at=to)
    return _after_act(replace(docket, spared=docket.spared | {position}), recorded)


def _after_act(docket: Docket, recorded: Recorded) -> Docket:
    event, position = recorded.event, recorded.position
    match event:
        case PointsAdjusted():
            return replace(docket, ordered_at=position)
        case DisputeRaised():
            raised = Dispute(event.number, position, event.position, event.seat, event.claim, event.suspends)
            return replace(docket, disputes=(*docket.disputes, raised))
        case DisputeRuled():
            ruled = Ruling(event.ruling, position, event.dispute, event.instance, event.decision, event.reason, event.rules)
            docket = replace(docket, rulings=(*docket.rulings, ruled))
            return _with(docket, event.dispute, lambda one: replace(one, stage="ruled", rulings=(*one.rulings, event.ruling)))
        case DisputeAppealed():
            return _with(docket, event.dispute, lambda one: replace(one, stage="appealed", suspends=event.suspends))
        case DisputeWithdrawn():
            return _with(docket, event.dispute, lambda one: replace(one, stage="withdrawn"))
        case GameSuspended():
            return replace(docket, halted=True)
        case GameResumed():
            return replace(docket, halted=False, disputes=tuple(replace(one, suspends=False) for one in docket.disputes))
        case GameAbandoned():
            return replace(docket, ended="abandoned")
        case GameAnnulled():
            return replace(docket, ended="annulled", ordered_at=position)
    return docket


def _with(docket: Docket, number: int | None, changed: Callable[[Dispute], Dispute]) -> Docket:
    return replace(docket, disputes=tuple(changed(one) if one.number == number else one for one in docket.disputes))


def score_after(score: Score, recorded: Recorded) -> Score:
    """What an event does to the sheet, apart from its effects."""
    match recorded.event:
        case PointsAdjusted() as event:
            reason = event.reason.id if event.reason else None
            adjustment = Adjustment(recorded.position, event.hand, event.party, event.points, reason, event.ruling)
            return adjusted(score, adjustment, event.places)
        case GameRewound(restored=restored, ruling=ruling):
            return taken_back(score, restored.score, recorded.position, ruling)
        case GameAnnulled(ruling=ruling):
            return annulled(score, recorded.position, ruling)
    return score
