"""The docket of a game, folded from its events: disputes, rulings, and whether moves may be made.

Total like every fold: an act about a dispute that does not exist (damaged history) changes nothing.
"""

from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias, cast

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from domain.cards import Seat
from domain.errors import Refused
from domain.events import Recorded
from domain.events import game as events
from domain.events.base import TextRef, Unreadable, text_ref_of
from domain.events.shuffles import ShuffleEvent
from domain.score import Adjustment, Score, adjust_score, annul_score, lift_order, rewind_score, stop_hand

Stage: TypeAlias = Literal["open", "ruled", "appealed", "withdrawn"]
Standing: TypeAlias = Literal["open", "suspended", "abandoned", "annulled"]
"""The state of a game: moves may be made only while it is ``open``."""

WAITING = ("open", "appealed")
"""The stages in which a dispute waits for a decision: one that suspends keeps the game suspended."""


class Dispute(Struct, frozen=True, gc=False):
    """A dispute. ``raised_at`` is the position of its event, ``position`` the one in dispute; ``rulings`` are numbers of rulings.

    ``suspends``: no move is made until there is a decision, on the dispute or on the last appeal. ``appealed_by``: the seat that appealed
    last, ``None`` for an official; ``appeal``: their words. ``refused_move``: the move that was made although the rules refuse it, where
    the dispute is about one.
    """

    number: int
    raised_at: int
    position: int
    seat: Seat | None
    claim: TextRef | None
    suspends: bool
    stage: Stage = "open"
    rulings: tuple[int, ...] = ()
    appealed_by: Seat | None = None
    refused_move: events.RefusedMove | UnsetType = UNSET
    appeal: TextRef | None = None


OrderKind: TypeAlias = Literal["table", "points", "annulment"]


class RulingOrder(Struct, frozen=True, gc=False):
    """An order of a ruling: the position of its event, and the kind of its change."""

    position: int
    ruling: int
    kind: OrderKind


class Ruling(Struct, frozen=True, gc=False):
    """A ruling. ``lifted_by``: the ruling that overturned it."""

    number: int
    position: int
    dispute: int | None
    instance: events.Instance
    decision: events.Decision
    reason: TextRef | None
    rules: tuple[str, ...]
    lifted_by: int | None = None


class Docket(Struct, frozen=True, gc=False):
    """The docket. ``spared`` are the positions of acts that no rewind makes void. The recorder may not rewind beyond ``ordered_at``: there
    an official changed table or sheet, or a ruling rewound to it. ``public`` are the ids of texts that may be shown to everybody.
    ``orders`` are those of rulings that were not lifted, ``lifted`` the positions of the others. ``closed_by``: the position of the act
    that ended the game by the points that it gave, took or lifted; 0 for none. ``disclosed``: an official has opened the game.
    """

    disputes: tuple[Dispute, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    halted: bool = False
    ended: Literal["abandoned", "annulled"] | None = None
    spared: frozenset[int] = frozenset()
    ordered_at: int = 0
    public: frozenset[str] = frozenset()
    orders: tuple[RulingOrder, ...] = ()
    lifted: frozenset[int] = frozenset()
    abandoned: bool = False
    closed_by: int = 0
    disclosed: bool = False

    @property
    def standing(self) -> Standing:
        if self.ended:
            return self.ended
        if self.halted or (self.disputes and any(one.suspends and one.stage in WAITING for one in self.disputes)):
            return "suspended"
        return "open"

    def dispute(self, number: int) -> Dispute | None:
        return next((one for one in self.disputes if one.number == number), None)

    def ruling(self, number: int) -> Ruling | None:
        return next((one for one in self.rulings if one.number == number), None)

    def check_play(self) -> None:
        """Raise ``Refused`` (COM-65) if no move may be made."""
        if self.standing != "open":
            raise Refused(f"game_{self.standing}", "COM-65")


def docket_after(docket: Docket, recorded: Recorded) -> Docket:
    """Return the docket after one more event."""
    event, position = recorded.event, recorded.position
    if isinstance(event, events.Entry | ShuffleEvent | Unreadable):
        return docket
    if isinstance(event, events.RewindRecorded):
        if event.to < docket.closed_by:
            docket = replace(docket, closed_by=0)
        return docket if event.ruling is None else replace(_add_order(docket, event, position), ordered_at=event.to)
    if isinstance(event, events.Act):
        return _telling(_after_act(_add_order(docket, event, position), Score(), event, position)[0], event)
    return _keep_act(docket, position)


def _add_order(docket: Docket, event: events.Act | events.RewindRecorded, position: int) -> Docket:
    kind = _ORDERS.get(type(event))
    ruling: int | None = getattr(event, "ruling", None)
    return docket if kind is None or ruling is None else replace(docket, orders=(*docket.orders, RulingOrder(position, ruling, kind)))


_ORDERS: Mapping[type, OrderKind] = {
    events.RewindRecorded: "table",
    events.TableCorrected: "table",
    events.IllegalMoveAccepted: "table",
    events.PointsAdjusted: "points",
    events.GameAnnulled: "annulment",
}
"""The kind of change of each event that a ruling can order."""


def _telling(docket: Docket, act: events.Act) -> Docket:
    text = text_ref_of(act)
    return replace(docket, public=docket.public | {text.id}) if text and text.public else docket


def score_after(score: Score, recorded: Recorded) -> Score:
    """Return the score after an event, as far as it does not follow from effects: rewinds, adjustments and annulments."""
    event, position = recorded.event, recorded.position
    if isinstance(event, events.RewindRecorded):
        return rewind_score(score, event.restored.score, position, event.ruling)
    # By its type: a union of all acts would be asked one by one, and this is asked of every event.
    return _after_act(Docket(), score, cast(events.Act, event), position)[1] if type(event) in events.ACTS else score


def _after_act(docket: Docket, score: Score, act: events.Act, position: int) -> tuple[Docket, Score]:
    """Return docket and score after an act. A rewind spares every act except those whose effects fell on the table."""
    spared = _keep_act(docket, position)
    if isinstance(act, events.DisputeAct):
        return _after_dispute(spared, act, position), score
    if isinstance(act, events.StandingAct):
        return _after_standing(spared, act), score
    match act:
        case events.IllegalMoveAccepted() | events.TableCorrected() | events.HandEndedEarly():
            struck = isinstance(act, events.HandEndedEarly) and not act.counts
            return replace(docket, ordered_at=position), stop_hand(score, position) if struck else score
        case events.PointsAdjusted(reason=reason):
            adjustment = Adjustment(position, act.hand, act.party, act.points, reason.id if reason else None, act.ruling)
            return replace(_closing(spared, act, position), ordered_at=position), adjust_score(score, adjustment, act.places)
        case events.GameAnnulled(ruling=ruling):
            return replace(spared, ended="annulled", ordered_at=position), annul_score(score, position, ruling)
        case events.OrderLifted():
            return _lifting(_closing(spared, act, position), act, position), _lift_order(score, act, position)
        case events.NoteAdded() | events.SheetSigned() | events.SignatureWithdrawn() | events.PlayerSeated() | events.PlayersCorrected():
            return spared, score


def _after_standing(docket: Docket, act: events.StandingAct) -> Docket:
    match act:
        case events.GameSuspended():
            return replace(docket, halted=True)
        case events.GameResumed():
            return replace(docket, halted=False, disputes=tuple(replace(one, suspends=False) for one in docket.disputes))
        case events.GameAbandoned():
            return replace(docket, ended="abandoned", abandoned=True)
        case events.GameMadePublic():
            return replace(docket, disclosed=True)


def _lift_order(score: Score, act: events.OrderLifted, position: int) -> Score:
    before = act.restored.score if act.restored else None
    after = lift_order(score, position, act.position, act.ruling, before, act.places)
    return replace(after, places=None, facts={}) if act.reopened else after


def _closing(docket: Docket, act: events.PointsAdjusted | events.OrderLifted, position: int) -> Docket:
    if act.effects:
        return replace(docket, closed_by=position)
    return replace(docket, closed_by=0) if isinstance(act, events.OrderLifted) and act.reopened else docket


def _lifting(docket: Docket, act: events.OrderLifted, position: int) -> Docket:
    left = tuple(one for one in docket.orders if one.position != act.position)
    ended = docket.ended
    if ended == "annulled":  # nothing else can be lifted then
        ended = "abandoned" if docket.abandoned else None
    rulings = tuple(replace(one, lifted_by=act.ruling) if one.number == act.lifted else one for one in docket.rulings)
    return replace(docket, orders=left, lifted=docket.lifted | {act.position}, rulings=rulings, ordered_at=position, ended=ended)


def _keep_act(docket: Docket, position: int) -> Docket:
    return replace(docket, spared=docket.spared | {position})


def _after_dispute(docket: Docket, act: events.DisputeAct, position: int) -> Docket:
    match act:
        case events.DisputeRaised():
            raised = Dispute(act.number, position, act.position, act.seat, act.claim, act.suspends, refused_move=act.refused_move)
            return replace(docket, disputes=(*docket.disputes, raised))
        case events.DisputeRuled():
            ruled = Ruling(act.ruling, position, act.dispute, act.instance, act.decision, act.reason, act.rules)
            docket = replace(docket, rulings=(*docket.rulings, ruled))
            return _with(docket, act.dispute, lambda one: replace(one, stage="ruled", rulings=(*one.rulings, act.ruling)))
        case events.DisputeAppealed():
            appealed = {"stage": "appealed", "suspends": act.suspends, "appealed_by": act.seat, "appeal": act.reason}
            return _with(docket, act.dispute, lambda one: replace(one, **appealed))
        case events.DisputeWithdrawn():
            return _with(docket, act.dispute, lambda one: replace(one, stage="withdrawn"))


def _with(docket: Docket, number: int | None, changed: Callable[[Dispute], Dispute]) -> Docket:
    return replace(docket, disputes=tuple(changed(one) if one.number == number else one for one in docket.disputes))
