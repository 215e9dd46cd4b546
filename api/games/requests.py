"""Requests about games. Values that the rules judge are ``Any`` and stay undecoded, so that refusals carry their codes."""

from typing import Annotated, Any, ClassVar, Literal, TypeAlias
from uuid import UUID

from msgspec import UNSET, Meta, UnsetType, field

from api.common.tables.columns import CsvDialect
from api.common.tables.files import ListQuery
from api.http.decoding import (
    RESULT,
    TOLD,
    WORTH,
    ChangedSince,
    Cursor,
    FairShuffle,
    Follow,
    HappenedAt,
    Id,
    Incoming,
    IsLive,
    Limit,
    LocalTime,
    MinSequence,
    Move,
    Name,
    Number,
    OpenWhen,
    Options,
    PlayersMove,
    RulesetKey,
    Seat,
    Seats,
    Timestamp,
    View,
    Whole,
)
from domain.forms import FORM
from domain.name_validation import check_signs
from domain.notation.reading import LONGEST_LINE
from domain.shuffling import MOST_DICE
from replay.external_context import LONGEST_REF

AtPosition: TypeAlias = Annotated[Number | None, Meta(description="as it was after this event of the game; by default now")]
ForWhom: TypeAlias = Annotated[View | None, Meta(description="the view; by default the most that the token may see")]
Include: TypeAlias = (
    Annotated[
        str,
        Meta(
            pattern=r"^(legal_moves|score_sheet)(,(legal_moves|score_sheet))?$(?!\n)",
            examples=["legal_moves,score_sheet"],
            description="further parts of the answer, with commas between: `legal_moves` of who is to act, `score_sheet`",
        ),
    ]
    | None
)
SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, le=63)]

Known: TypeAlias = Annotated[
    Any, Meta(description="cards that lie in a zone before the move, by zone", examples=[{"hand:1": ["TD"]}], extra_json_schema=TOLD)
]
Lacks: TypeAlias = Annotated[
    Any, Meta(description="cards that do not lie in a zone before the move, by zone", examples=[{"hand:1": ["C2"]}], extra_json_schema=TOLD)
]


Worth: TypeAlias = Annotated[
    Any,
    Meta(
        description="the worth of hands that are counted, by zone, in the place of their cards",
        examples=[{"hand:1": 145}],
        extra_json_schema=WORTH,
    ),
]


class OpenGame(Incoming, frozen=True, kw_only=True):
    """A game: a ruleset with options, and the players by seat."""

    ruleset: RulesetKey
    seats: Seats
    options: Options = {}
    players: Annotated[list[Id | None], Meta(max_length=64, description="an opaque id or null for each seat; no names")] = []
    tournament: Annotated[Id | None, Meta(description="the tournament that it counts for")] = None
    round: Annotated[Number | None, Meta(description="the round of the tournament")] = None
    table: Annotated[Id | None, Meta(description="the table of the round")] = None
    openness: OpenWhen = "game_over"
    live: IsLive = True
    own_moves: PlayersMove = False
    shuffle: FairShuffle = None
    happened_at: HappenedAt = None

    def __post_init__(self) -> None:
        check_signs(self.options, "options")


class DealHand(Incoming, frozen=True, kw_only=True):
    """A hand, from ``deck`` or from a prepared ``board``, or its ``result`` alone. Without any of them the service shuffles and records the
    order.
    """

    dealer: Annotated[Seat, Meta(description="the seat that deals, from 0")]
    deck: Annotated[
        Any,
        Meta(
            description="card codes, the first is dealt first; `?` for a card that nobody knows. `unknown`: nobody knows any of them",
            examples=[["3H", "8C"]],
            extra_json_schema={"anyOf": [{"type": "array", "items": {"type": "string"}}, {"const": "unknown"}]},
        ),
    ] = UNSET
    fill: (
        Annotated[
            Literal["sorted", "unknown"],
            Meta(description="the cards that `deck` leaves out follow in the order of the ruleset, or are unknown"),
        ]
        | UnsetType
    ) = UNSET
    board: Annotated[Number, Meta(description="the board of this number that was prepared for the round of the game")] | UnsetType = UNSET
    known: Annotated[
        Any,
        Meta(description="cards of the deck by the zone where they go first", examples=[{"board": ["3H", "9C"]}], extra_json_schema=TOLD),
    ] = UNSET
    deal: Annotated[
        Any,
        Meta(
            description="in place of a deck: cards by the zone where they go first; all others are unknown",
            examples=[{"hand:0": ["3H", "8C"], "board": ["KD"]}],
            extra_json_schema=TOLD,
        ),
    ] = UNSET
    result: Annotated[
        Any,
        Meta(
            description="in place of a deck: the score of a hand whose moves were not recorded",
            examples=[{"points": [7, 4]}],
            extra_json_schema=RESULT,
        ),
    ] = UNSET
    happened_at: HappenedAt = None


Text: TypeAlias = Annotated[
    str,
    Meta(
        max_length=LONGEST_LINE,
        description="in the place of `move`, and of `known`, `lacks` and `worth`: one short line, with the letters of `Accept-Language`",
        examples=["3h6s =9"],
    ),
]


class EnteredMove(Incoming, frozen=True, kw_only=True):
    """A move in JSON, or as one short line."""

    seat: Seat
    move: Move = UNSET
    text: Text | UnsetType = UNSET
    known: Known = UNSET
    lacks: Lacks = UNSET
    worth: Worth = UNSET


class OneMove(Incoming, frozen=True, kw_only=True):
    seat: Seat
    move: Move
    known: Known = UNSET
    lacks: Lacks = UNSET
    worth: Worth = UNSET


class PlayMoves(Incoming, frozen=True, kw_only=True):
    """One move (``seat`` with ``move`` or ``text``), or ``moves``: several, all or none."""

    alternatives: ClassVar[bool] = True

    seat: Seat = UNSET
    move: Move = UNSET
    text: Text | UnsetType = UNSET
    known: Known = UNSET
    lacks: Lacks = UNSET
    worth: Worth = UNSET
    moves: (
        Annotated[list[EnteredMove], Meta(min_length=1, max_length=1000, description="several, in their order: all are recorded or none")]
        | UnsetType
    ) = UNSET
    happened_at: HappenedAt = None


class TellCards(Incoming, frozen=True, kw_only=True):
    """Unknown cards that are told now, by zone, or what hands are worth."""

    alternatives: ClassVar[bool] = True

    known: Known = UNSET
    worth: Worth = UNSET
    happened_at: HappenedAt = None


class RewindGame(Incoming, frozen=True, kw_only=True):
    """Back to the position ``to``; what came after it is void."""

    to: Annotated[Whole, Meta(description="the position that stands; what came after it is taken back")]
    reason: Annotated[str, Meta(max_length=2000, description="the reason, in words")] | None = None


class JudgeMove(Incoming, frozen=True, kw_only=True):
    """A move to judge, now or at a position; nothing is recorded."""

    seat: Seat
    move: Move
    known: Known = UNSET
    lacks: Lacks = UNSET
    worth: Worth = UNSET
    position: AtPosition = None


class TryMoves(Incoming, frozen=True, kw_only=True):
    """A line of moves from a position; ``view`` is for whom it is tried."""

    position: Annotated[Number, Meta(description="the event after which the line begins")]
    moves: Annotated[list[OneMove], Meta(min_length=1, max_length=1000, description="the line, in its order")]
    view: Annotated[View | None, Meta(description="the view; by default the most that you may see")] = None


Ref: TypeAlias = Annotated[str, Meta(min_length=1, max_length=LONGEST_REF)]
Points: TypeAlias = Annotated[int, Meta(ge=-1_000_000_000, le=1_000_000_000)]
ByParty: TypeAlias = Annotated[tuple[Points, ...], Meta(max_length=64)]


class HandOnPaper(Incoming, frozen=True, kw_only=True):
    """A hand as it is written on the paper."""

    points: Annotated[ByParty, Meta(description="the points of each party")]
    hand: Annotated[Number | None, Meta(description="its number, for all hands or for none: then they are those that count, in order")] = (
        None
    )
    rows: Annotated[
        dict[str, ByParty],
        Meta(max_length=100, description="line by line, by the ids of the rows, as far as they are written", examples=[{"aces": [1, 3]}]),
    ] = {}
    totals: Annotated[ByParty | None, Meta(description="the totals after it, if they are written")] = None
    struck: Annotated[bool, Meta(description="crossed out: it does not count")] = False


class AdjustmentOnPaper(Incoming, frozen=True, kw_only=True):
    """Points given or taken, as they are written on the paper."""

    party: Annotated[Whole, Meta(description="the party, from 0")]
    points: Annotated[Points, Meta(description="the points given; below 0: taken")]
    hand: Annotated[Number | None, Meta(description="the hand that they belong to, by its number on the sheet; null for none")] = None


class CompareSheet(Incoming, frozen=True, kw_only=True):
    """A score sheet on paper."""

    hands: Annotated[list[HandOnPaper], Meta(max_length=10_000, description="the hands, in the order in which they are written")]
    start_totals: Annotated[ByParty | None, Meta(description="the totals before the first hand, if they are written")] = None
    totals: Annotated[ByParty | None, Meta(description="the totals at the end, if they are written")] = None
    adjustments: Annotated[list[AdjustmentOnPaper], Meta(max_length=1000, description="points that were given or taken")] = []
    position: AtPosition = None


class GamesQuery(ListQuery, frozen=True, kw_only=True):
    ruleset: Annotated[Name | None, Meta(description="games of this ruleset")] = None
    tournament: Annotated[Name | None, Meta(description="games of this tournament")] = None
    round: Annotated[Whole | None, Meta(description="games of this round")] = None
    table: Annotated[Name | None, Meta(description="games at this table")] = None
    player: Annotated[Name | None, Meta(description="games in which this player sits, under this id")] = None
    phase: Annotated[Name | None, Meta(description="games in this phase: `no_hand`, one of the game's own, `hand_over`, `game_over`")] = (
        None
    )
    finished: Annotated[bool | None, Meta(description="games that are over, or those that are not")] = None
    state: Annotated[
        Literal["open", "suspended", "abandoned", "annulled"] | None, Meta(description="games in which play continues, or does not")
    ] = None
    opened_from: Annotated[LocalTime, Meta(description="games opened at this moment or later")] | None = None
    opened_to: Annotated[LocalTime, Meta(description="games opened before this moment")] | None = None
    ref_system: Annotated[Ref, Meta(description="with `ref_id`: the system from which the record comes")] | None = None
    ref_id: Annotated[Ref, Meta(description="with `ref_system`: the id of the record there")] | None = None
    from_: Annotated[LocalTime, Meta(description="played at this moment or later")] | None = field(default=None, name="from")
    to: Annotated[LocalTime, Meta(description="played before this moment")] | None = None
    changed_since: ChangedSince = None


class HistoryQuery(ListQuery, frozen=True, kw_only=True):
    """Filters of games; all that are given must hold."""

    tournament: Annotated[Name | None, Meta(description="of games of this tournament", examples=["spring-open"])] = None
    round: Annotated[Number | None, Meta(description="of games of this round", examples=[2])] = None
    table: Annotated[Name | None, Meta(description="of games at this table", examples=["3"])] = None
    game: Annotated[UUID | None, Meta(description="of this game")] = None
    ruleset: Annotated[Name | None, Meta(description="of games of this ruleset", examples=["casino"])] = None
    player: Annotated[Name | None, Meta(description="of games in which this player sits, under this id")] = None
    from_: Annotated[LocalTime, Meta(description="played at this moment or later")] | None = field(default=None, name="from")
    to: Annotated[LocalTime, Meta(description="played before this moment")] | None = None
    changed_since: ChangedSince = None
    limit: Annotated[int, Meta(ge=1, le=20, description="games on a page of JSON")] = 10


class MovesQuery(HistoryQuery, frozen=True, kw_only=True):
    lines: Annotated[bool, Meta(description="with each move in full notation, in another field")] = False


class ReplayQuery(Incoming, frozen=True, kw_only=True):
    """A page after a position, or the one before it; of one hand, of one seat, from a position to another."""

    after: Annotated[Whole | None, Meta(description="the page after this position")] = None
    before: Annotated[Number | None, Meta(description="the page before this position")] = None
    limit: Limit = 100
    hand: Annotated[Number | None, Meta(description="only this hand, counted from 1")] = None
    seat: Annotated[SeatNumber | None, Meta(description="only moves of this seat, from 0")] = None
    first: Annotated[Number, Meta(description="from this position on")] = 1
    last: Annotated[Number | None, Meta(description="up to this position")] = None
    view: ForWhom = None
    wait: Annotated[int, Meta(ge=0, le=30, description="seconds to wait while nothing comes after `after`")] = 0
    tables: Annotated[bool, Meta(description="`false`: no tables, but the `start` on which to fold the effects")] = True
    names: Annotated[bool, Meta(description="the captions in pieces, too, and the names to put in the place of seats")] = False


class StreamQuery(Incoming, frozen=True, kw_only=True):
    """The position to begin after, unless ``Last-Event-ID`` gives one."""

    after: Annotated[Whole, Meta(description="only what comes after this position")] = 0
    follow: Follow = True
    tables: Annotated[bool, Meta(description="`true`: with the table after each event, as the ruleset shows it")] = False
    names: Annotated[bool, Meta(description="the captions in pieces, too, and the names to put in the place of seats")] = False
    view: ForWhom = None


class TableQuery(Incoming, frozen=True, kw_only=True):
    """``position`` or ``at``, not both; the present without either."""

    position: AtPosition = None
    at: Annotated[Timestamp | None, Meta(description="as it was at this moment; not beside `position`")] = None
    view: ForWhom = None
    include: Include = None


class LegalQuery(Incoming, frozen=True, kw_only=True):
    seat: Annotated[
        SeatNumber | None, Meta(description="for this seat, from 0; by default the seat whose turn it is, for a player their own")
    ] = None
    position: AtPosition = None
    type: Annotated[Name | None, Meta(description="only moves of this type")] = None
    cards: (
        Annotated[
            str,
            Meta(
                max_length=1000,
                description="only moves that name all of these cards, in whatever order: codes with commas between them",
                examples=["7D,5S,2S"],
            ),
        ]
        | None
    ) = None
    text: (
        Annotated[
            str,
            Meta(
                max_length=LONGEST_LINE,
                description="only what this line means, or longer ones would; `reading` says how it is read. Alone but for the place",
                examples=["36=9"],
            ),
        ]
        | None
    ) = None
    written: Annotated[bool, Meta(description="tell how each move is written, and of what its line is spelled")] = False
    effects: Annotated[bool, Meta(description="tell what each move would do")] = False
    said: Annotated[bool, Meta(description="tell each move as a sentence, before it is made")] = False
    limit: Limit = 100
    cursor: Cursor = None


SheetFormat: TypeAlias = Literal["json", "csv", "html", "pdf"]


class SheetQuery(Incoming, frozen=True, kw_only=True):
    position: AtPosition = None
    digest: Annotated[bool, Meta(description="of JSON: tell the digest of the sheet, by which it is signed (docs/paper.md)")] = False
    min_sequence: MinSequence = None
    checkpoint: Annotated[bool, Meta(description="of a page or PDF: with the newest checkpoint of the log (docs/proof.md)")] = False
    format: Annotated[SheetFormat | None, Meta(description="takes precedence over `Accept`")] = None
    dialect: CsvDialect = None


Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", extra_json_schema={FORM: "form.digest"}, description="SHA-256, hexadecimal")]


Chance = Annotated[str, Meta(pattern="^[0-9a-f]{32}$", extra_json_schema={FORM: "form.chance"}, description="16 bytes, hexadecimal")]


class BeginShuffle(Incoming, frozen=True, kw_only=True):
    """A deck for the next hand. A deck that was begun before and not dealt is given up."""

    dealer: Annotated[Seat, Meta(description="the seat that will deal, from 0")]
    dice: Annotated[int, Meta(ge=0, le=MOST_DICE, description="the number of dice that will be thrown and entered, 8 or more; 0: none")] = 0
    happened_at: HappenedAt = None


class JoinShuffle(Incoming, frozen=True, kw_only=True):
    """The commitment that binds the device of a seat to its own chance."""

    commitment: Annotated[Digest, Meta(description="to the seat and 16 bytes, see docs/fair-decks.md")]


class OpenChance(Incoming, frozen=True, kw_only=True):
    """The chance to which the device of a seat was bound."""

    chance: Chance


class TypeDice(Incoming, frozen=True, kw_only=True):
    """The dice as they lie on the table."""

    dice: Annotated[str, Meta(max_length=200, description="with single spaces between them", examples=["6 3 1 1 5 2 4 6"])]
    happened_at: HappenedAt = None
