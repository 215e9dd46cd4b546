"""Events of a game: what happens at a card table, and what officials do about it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.cards import Card, Seat
from domain.effects import Effects, Plain
from domain.events import shuffles
from domain.events.base import EventBase, TextRef
from domain.events.shuffles import ShuffleEvent
from domain.forms import FORM
from domain.setup import Setup
from domain.table import Table
from domain.time_zones import StoredTimeZone


class OpensAt(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A moment at which the cards open, whatever the state of the game is then."""

    at: Annotated[datetime, Meta(tz=True, description="the moment", extra_json_schema={FORM: "form.time"})]


OpensWhen: TypeAlias = Literal["hand_over", "game_over", "round_over", "tournament_over", "never"]
Openness: TypeAlias = OpensWhen | OpensAt
"""The time from which the hidden cards of a game may be shown to everybody: after each hand, the game, its round or its tournament, at a
moment, or never.
"""

Live: TypeAlias = bool | UnsetType
"""``False``: while a game is in progress the public sees only that it is on, and the points of closed hands. Absent where it is shown as it
is played.
"""

Instance: TypeAlias = Literal["arbiter", "committee"]
Decision: TypeAlias = Literal["stands", "rewind", "rectify", "adjust", "penalty", "annul", "overturn"]


OwnMoves: TypeAlias = Literal[True] | UnsetType
"""``True``: the players make their moves themselves. Absent where a recorder makes them."""


Shuffle: TypeAlias = Literal["fair"] | UnsetType
"""``fair``: every hand is dealt from a deck that nobody chose (``domain/shuffling/``). Absent where decks are typed or shuffled by the
service.
"""


class GameOpened(EventBase, frozen=True):
    """``game.opened/1``: setup, edition of the rules, the players by seat (ids or null), and where the game belongs.

    ``played_at``: when it was played, as reported by the record from which it was imported (``domain/events/played.py``). ``time_zone`` is
    that of its days and months.
    """

    setup: Setup
    edition: int
    players: tuple[str | None, ...]
    openness: Openness
    tournament: str | None = None
    round: int | None = None
    table: str | None = None
    played_at: str | UnsetType = UNSET
    live: Live = UNSET
    own_moves: OwnMoves = UNSET
    shuffle: Shuffle = UNSET
    time_zone: StoredTimeZone = UNSET


class HandDealt(EventBase, frozen=True):
    """``hand.dealt/1``: ``how`` says whether the order of the deck was recorded at the table, shuffled by the service, prepared, or follows
    from a secret and chances that nobody chose (``fair``).

    ``board`` is the number of the prepared board in the round of the game, ``tries`` how many fair decks were begun for this hand, this one
    among them; neither is there for any other deck. ``played_at`` as that of the game, where the record reports it of the hand.
    """

    dealer: Seat
    edition: int
    how: Literal["recorded", "shuffled", "prepared", "fair"]
    effects: Effects
    board: int | UnsetType = UNSET
    played_at: str | UnsetType = UNSET
    tries: int | UnsetType = UNSET


ReportedPoints: TypeAlias = tuple[Annotated[int, Meta(ge=-1_000_000, le=1_000_000)], ...]
"""A number per party, as somebody reported it."""


class HandResult(EventBase, frozen=True):
    """The reported result of a hand that was not recorded move by move (COM-67). ``rows`` add up to the points."""

    points: ReportedPoints
    rows: dict[str, ReportedPoints] | UnsetType = UNSET
    end: str | UnsetType = UNSET


class HandReported(EventBase, frozen=True):
    """``hand.reported/1``: a hand of which only the result is known. ``effects`` write it on the sheet, and end the game where it does.

    ``played_at`` as that of a hand that was dealt.
    """

    dealer: Seat
    edition: int
    result: HandResult
    effects: Effects
    played_at: str | UnsetType = UNSET


ToldCards: TypeAlias = dict[str, tuple[Card, ...]]
"""Faces by zone, as they were told (COM-71)."""


ToldWorth: TypeAlias = dict[str, int]
"""The worth of hands by zone, as it was told (CAN-57)."""


class MovePlayed(EventBase, frozen=True):
    """``move.played/1``: the move as it was made, and its effects on the table.

    ``known`` and ``lacks`` are the told faces of unknown cards, ``worth`` what hands are worth; left out where none were told.
    """

    seat: Seat
    move: Plain
    effects: Effects
    known: ToldCards | UnsetType = UNSET
    lacks: ToldCards | UnsetType = UNSET
    worth: ToldWorth | UnsetType = UNSET


class CardsTold(EventBase, frozen=True):
    """``cards.told/1``: between two moves the recorder told faces that the record did not know (COM-75), or what hands are worth."""

    known: ToldCards
    effects: Effects
    worth: ToldWorth | UnsetType = UNSET


class RewindRecorded(EventBase, frozen=True):
    """``game.rewound/1``: the events after position ``to`` are void but stay in the history.

    ``restored`` is the whole table as it stood at ``to``; every fold replaces its table by it. ``ruling`` is the number of the
    ruling that ordered it, null for the recorder's own undo.
    """

    to: int
    reason: TextRef | None
    ruling: int | None
    restored: Table


class IllegalMoveAccepted(EventBase, frozen=True):
    """``move.stood/1``: an illegal move that was not noticed in time, or that was let stand.

    ``code`` and ``rules`` are the refusal that it would have got, ``effects`` its real effects on the table. ``imported``, true or not
    there: no official noted it here, a record from elsewhere says it.
    """

    seat: Seat
    move: Plain
    code: str
    rules: tuple[str, ...]
    effects: Effects
    reason: TextRef | None = None
    ruling: int | None = None
    imported: bool | UnsetType = UNSET


class TableCorrected(EventBase, frozen=True):
    """``table.rectified/1``: an official put right what lies on the table. No rule was asked; no card is gained or lost."""

    effects: Effects
    reason: TextRef | None
    ruling: int | None = None


class HandEndedEarly(EventBase, frozen=True):
    """``hand.stopped/1``: time was up, and the hand in progress is over (COM-43). The effects follow from the game.

    Without ``counts`` the hand counts for nothing: it is struck out on the sheet.
    """

    effects: Effects
    counts: bool
    reason: TextRef | None


class PointsAdjusted(EventBase, frozen=True):
    """``points.adjusted/1``: points given or taken, for a hand or for none. ``places`` are the new ones where the game is over.

    ``effects`` hold its end where it is over with these points (COM-42). ``further``: another change of the same order follows at once, and
    the end of the game is checked with the last. ``imported`` as of a move that stood.
    """

    hand: int | None
    party: int
    points: int
    reason: TextRef | None
    ruling: int | None = None
    places: tuple[int | None, ...] | None = None
    effects: Effects | UnsetType = UNSET
    further: bool | UnsetType = UNSET
    imported: bool | UnsetType = UNSET


class RefusedMove(EventBase, frozen=True):
    """A move that the rules refused, with ``code`` and ``rules`` of the refusal."""

    seat: Seat
    move: Plain
    code: str
    rules: tuple[str, ...]


class DisputeRaised(EventBase, frozen=True):
    """``dispute.raised/1``: ``position`` is the one that is disputed, ``seat`` the one that disputes it, null for an official.

    Disputes are numbered from 1 in their game. ``suspends``: no move is made until it is decided. ``refused_move``: the move that was made
    at the table although the rules refuse it, where the dispute is about one.
    """

    number: int
    position: int
    seat: Seat | None
    claim: TextRef | None
    suspends: bool
    refused_move: RefusedMove | UnsetType = UNSET


class DisputeRuled(EventBase, frozen=True):
    """``dispute.ruled/1``: a decision; its orders follow as events of their own that name its number.

    Rulings are numbered from 1 in their game. ``dispute`` is null where none had been raised. On appeal the committee decides.
    """

    ruling: int
    dispute: int | None
    instance: Instance
    decision: Decision
    reason: TextRef | None
    rules: tuple[str, ...] = ()


class DisputeAppealed(EventBase, frozen=True):
    """``dispute.appealed/1``: the committee is to decide, until ``deadline`` if there is one. ``seat``: the one that appeals.

    ``suspends``: no move is made until it has decided.
    """

    dispute: int
    seat: Seat | None
    deadline: datetime | None
    reason: TextRef | None
    suspends: bool = False


class DisputeWithdrawn(EventBase, frozen=True):
    """``dispute.withdrawn/1``."""

    dispute: int
    reason: TextRef | None


class GameSuspended(EventBase, frozen=True):
    """``game.suspended/1``: no move is made until the game is resumed."""

    reason: TextRef | None


class GameResumed(EventBase, frozen=True):
    """``game.resumed/1``: play goes on, also while a dispute is open."""

    reason: TextRef | None


class GameAbandoned(EventBase, frozen=True):
    """``game.abandoned/1``: no move is made any more; scored points stay."""

    reason: TextRef | None


class GameAnnulled(EventBase, frozen=True):
    """``game.annulled/1``: the game counts for nothing; its hands are struck out."""

    reason: TextRef | None
    ruling: int | None = None


class OrderLifted(EventBase, frozen=True):
    """``order.lifted/1``: the order of ruling ``lifted`` at ``position`` counts no more, because ruling ``ruling`` overturned it.

    ``restored`` is the table as it stood before the order; every fold replaces its table by it. It is null where points were ordered: these
    are struck. ``places`` are the new ones if the game is over then; ``effects`` and ``further`` as where points are adjusted.
    ``reopened``: the game was over only because of points that were lifted, and continues.
    """

    position: int
    lifted: int
    ruling: int
    reason: TextRef | None
    restored: Table | None = None
    places: tuple[int | None, ...] | None = None
    effects: Effects | UnsetType = UNSET
    further: bool | UnsetType = UNSET
    reopened: bool | UnsetType = UNSET


class GameMadePublic(EventBase, frozen=True):
    """``game.disclosed/1``: an official opens the game to everybody before its openness does. It cannot be closed again."""

    reason: TextRef | None


class NoteAdded(EventBase, frozen=True):
    """``note.added/1``: a remark of an official, about a position or the whole game."""

    text: TextRef | None
    position: int | None = None


class SheetSigned(EventBase, frozen=True):
    """``sheet.signed/1``: the recorder notes that a party signed the score sheet as it was at ``position``.

    ``digest`` is that of the sheet (``domain/paper.py``).
    """

    party: int
    position: int
    digest: str


class SignatureWithdrawn(EventBase, frozen=True):
    """``signature.withdrawn/1``: a party takes back the signature that it gave at ``position``, under the current sheet."""

    party: int
    position: int


class PlayerSeated(EventBase, frozen=True):
    """``player.seated/1``: from now on this player (an id, or null) sits here."""

    seat: Seat
    player: str | None


class PlayersCorrected(EventBase, frozen=True):
    """``players.rectified/1``: it was really these players, one for each seat, who sat there from hand ``from_hand`` on."""

    players: tuple[str | None, ...]
    from_hand: int
    reason: TextRef | None


SeatAct: TypeAlias = PlayerSeated | PlayersCorrected


def players_after(players: tuple[str | None, ...], act: SeatAct) -> tuple[str | None, ...]:
    """Return who sits there after the act. Total: of damaged history there are as many as before."""
    match act:
        case PlayersCorrected():
            return (*act.players, *(None for _ in players))[: len(players)]
        case PlayerSeated():
            return tuple(act.player if seat == act.seat else known for seat, known in enumerate(players))


DisputeAct: TypeAlias = DisputeRaised | DisputeRuled | DisputeAppealed | DisputeWithdrawn
StandingAct: TypeAlias = GameSuspended | GameResumed | GameAbandoned | GameMadePublic
CorrectingAct: TypeAlias = IllegalMoveAccepted | TableCorrected | PointsAdjusted | GameAnnulled
SigningAct: TypeAlias = SheetSigned | SignatureWithdrawn
Act: TypeAlias = DisputeAct | StandingAct | CorrectingAct | SigningAct | SeatAct | HandEndedEarly | OrderLifted | NoteAdded
"""The acts of arbiters, directors and committees."""

Entry: TypeAlias = HandDealt | HandReported | MovePlayed | CardsTold
"""The entries of a recorder, which an undo takes back."""

GameEvent: TypeAlias = GameOpened | Entry | RewindRecorded | ShuffleEvent | Act


class ActRule(Struct, frozen=True):
    """The properties of a kind of act, in one place. ``name``: under which it is stored.

    ``moves_standings``: it may change the standings of a tournament. ``beyond_moves``: an effect of it that no list of legal moves shows,
    as the key of its words in the texts (``beyond.<key>``).
    """

    name: str
    moves_standings: bool
    beyond_moves: str | None


ACTS: Mapping[type[Act], ActRule] = {
    IllegalMoveAccepted: ActRule("move.stood/1", True, None),
    TableCorrected: ActRule("table.rectified/1", True, "rectified"),
    HandEndedEarly: ActRule("hand.stopped/1", True, "stopped"),
    PointsAdjusted: ActRule("points.adjusted/1", True, "adjusted"),
    DisputeRaised: ActRule("dispute.raised/1", False, None),
    DisputeRuled: ActRule("dispute.ruled/1", True, None),
    DisputeAppealed: ActRule("dispute.appealed/1", False, None),
    DisputeWithdrawn: ActRule("dispute.withdrawn/1", False, None),
    GameSuspended: ActRule("game.suspended/1", False, None),
    GameResumed: ActRule("game.resumed/1", False, None),
    GameAbandoned: ActRule("game.abandoned/1", True, "abandoned"),
    GameAnnulled: ActRule("game.annulled/1", True, "annulled"),
    OrderLifted: ActRule("order.lifted/1", True, None),
    GameMadePublic: ActRule("game.disclosed/1", False, None),
    NoteAdded: ActRule("note.added/1", False, None),
    SheetSigned: ActRule("sheet.signed/1", False, None),
    SignatureWithdrawn: ActRule("signature.withdrawn/1", False, None),
    PlayerSeated: ActRule("player.seated/1", False, None),
    PlayersCorrected: ActRule("players.rectified/1", True, None),
}

NAMES: dict[type, str] = {
    GameOpened: "game.opened/1",
    HandDealt: "hand.dealt/1",
    HandReported: "hand.reported/1",
    MovePlayed: "move.played/1",
    CardsTold: "cards.told/1",
    RewindRecorded: "game.rewound/1",
    **shuffles.NAMES,
    **{kind: rule.name for kind, rule in ACTS.items()},
}
