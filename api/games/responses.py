"""Responses about a game. Fields that are left out are ``UNSET`` by default."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from msgspec import UNSET, Meta, UnsetType

from api.common.event_views import EventView
from api.games.lines import STATE_VIEW_REF, LineReading, NotationUnit
from api.http.decoding import MOVE, ResponseModel
from api.http.problems import Ask
from domain.effects import Sight
from domain.events.game import HandResult, ToldCards

_EFFECTS: dict[str, Any] = {"type": "array", "items": {"type": "array", "items": {}}}


class History(ResponseModel, frozen=True, kw_only=True):
    game: UUID
    position: Annotated[int, Meta(description="of the last event of the game")]
    events: list[EventView]
    after: Annotated[int, Meta(description="`after` of the next page; null on the last")] | None


class GameSummaryView(ResponseModel, frozen=True, kw_only=True):
    """The stand of the game, as the view may know it."""

    hand: Annotated[int, Meta(description="in progress, or played last; 0 before the first")]
    dealer: int | None
    totals: Annotated[tuple[int, ...], Meta(description="by party")]
    places: Annotated[tuple[int | None, ...] | None, Meta(description="by party; null before the game is over")]


class ZoneView(ResponseModel, frozen=True, kw_only=True):
    """Cards that lie together, the top last; `sight` and `owner` say who sees which faces (docs/architecture.md)."""

    sight: Sight
    owner: int | None
    cards: tuple[str, ...]
    marks: dict[str, Any]


class BlockView(ResponseModel, frozen=True, kw_only=True):
    """Cards that lie together in an order that nobody recorded."""

    faces: tuple[str, ...]
    places: Annotated[dict[str, tuple[int, ...]], Meta(description="by zone; 0 is the next card to leave")]


class TableStart(ResponseModel, frozen=True, kw_only=True):
    """The table after ``position``, as a client needs it to fold what follows. See docs/replay.md."""

    position: Annotated[int, Meta(description="0: before the first event")]
    sees: Annotated[str, Meta(description="by what to mask after every fold", examples=["all", "nothing", "public", "seat:1"])]
    zones: dict[str, ZoneView]
    marks: dict[str, Any]
    phase: str
    turn: int | None
    to_act: tuple[int, ...]
    stand: GameSummaryView
    blocks: Annotated[tuple[BlockView, ...] | UnsetType, Meta(description="for arbiters alone; absent if there are none")] = UNSET


class SummaryChange(ResponseModel, frozen=True, kw_only=True):
    before: GameSummaryView
    after: GameSummaryView


class SeatedWords(ResponseModel, frozen=True, kw_only=True):
    """The seats of players, and the words of the caption that stand for them without a name."""

    seats: tuple[int, ...]
    words: Annotated[str, Meta(examples=["Seat 1"])]


class ReplayFrame(ResponseModel, frozen=True, kw_only=True):
    """An event as the view may see it, in a sentence and in effects, and the table after it."""

    position: int
    at: datetime
    by: str
    happened_at: datetime | UnsetType = UNSET
    void: Annotated[bool, Meta(description="a rewind took it back")] | UnsetType = UNSET
    name: Annotated[str, Meta(examples=["move.played/1"])]
    hand: Annotated[int, Meta(description="in progress, or played last; 0 before the first")]
    seat: Annotated[int, Meta(description="the seat that made the move; null if the event is no move")] | None
    caption: Annotated[str, Meta(examples=["Seat 1 takes 7♦ 2♣ and the build of 9 with 9♠."])]
    said: (
        Annotated[list[str | SeatedWords], Meta(description="with `names=true`: the caption in pieces, for names in the place of seats")]
        | UnsetType
    ) = UNSET
    names: (
        Annotated[
            tuple[str | None, ...],
            Meta(
                description=(
                    "with `names=true`: the player on each seat after it, by the name that the caller may see; null for an empty seat"
                )
            ),
        ]
        | UnsetType
    ) = UNSET
    written: Annotated[str, Meta(description="the move in the notation", examples=["9s x 7d2c #1"])] | UnsetType = UNSET
    body: (
        Annotated[
            Any,
            Meta(
                description=("the event as in the history, see docs/events.md; absent while the event is hidden until the end of the game"),
                extra_json_schema={"type": "object"},
            ),
        ]
        | UnsetType
    ) = UNSET
    effects: Annotated[
        Any,
        Meta(
            description="see docs/events.md; an event that replaces the table has the effects that lay it again", extra_json_schema=_EFFECTS
        ),
    ]
    stand: Annotated[SummaryChange, Meta(description="present if the event changed hand, dealer, totals or places")] | UnsetType = UNSET
    table: Annotated[
        Any, Meta(description="the state view of the ruleset after it; not with `tables=false`", extra_json_schema=STATE_VIEW_REF)
    ] = UNSET
    start: Annotated[TableStart, Meta(description="with `tables=false`: fold on from here and drop the earlier table")] | UnsetType = UNSET


class Replay(ResponseModel, frozen=True, kw_only=True):
    game: UUID
    position: Annotated[int, Meta(description="of the last event of the game")]
    view: Annotated[str, Meta(examples=["arbiter", "public", "seat:1"])]
    start: Annotated[TableStart, Meta(description="with `tables=false`: the table before the first frame")] | UnsetType = UNSET
    frames: list[ReplayFrame]
    after: Annotated[int, Meta(description="`after` of the next page; null on the last")] | None


class RewindLimit(ResponseModel, frozen=True, kw_only=True):
    """The reason why the recorder cannot rewind further."""

    code: str
    sentence: str


class EnteredDeal(ResponseModel, frozen=True, kw_only=True):
    """A deal, or the result of a hand, in the form in which it can be entered again, with the cards that the caller may see."""

    dealer: int
    deck: Literal["unknown"] | UnsetType = UNSET
    known: Annotated[ToldCards, Meta(description="cards of the deck by the zone where they go first")] | UnsetType = UNSET
    result: HandResult | UnsetType = UNSET


class RewindState(ResponseModel, frozen=True, kw_only=True):
    """The range in which the recorder can rewind the game."""

    game: UUID
    position: int
    earliest: (
        Annotated[int, Meta(description="the earliest position for a rewind; null before the first hand, and when play does not continue")]
        | None
    )
    limit: Annotated[RewindLimit, Meta(description="not where everything can be taken back")] | UnsetType = UNSET
    again: (
        Annotated[EnteredDeal, Meta(description="the deal or result that was entered last, while it can be taken back or was taken back")]
        | UnsetType
    ) = UNSET
    taken_back: Annotated[bool, Meta(description="with `again`: whether it was taken back")] | UnsetType = UNSET


class LegalMoves(ResponseModel, frozen=True, kw_only=True):
    game: UUID
    position: int
    seat: int | None
    moves: list[Annotated[Any, Meta(extra_json_schema=MOVE)]]
    next: Annotated[str, Meta(description="cursor of the next page; null on the last")] | None
    effects: (
        Annotated[
            list[Annotated[Any, Meta(extra_json_schema={"oneOf": [_EFFECTS, {"type": "null"}]})]],
            Meta(description=("with `effects=true`: the effects of each of `moves`, in their order; null if cards have to be named first")),
        ]
        | UnsetType
    ) = UNSET
    asks: (
        Annotated[
            list[list[Ask]],
            Meta(description="for unknown cards of the table: the cards to name with each of `moves`, in their order"),
        ]
        | UnsetType
    ) = UNSET
    written: (
        Annotated[
            list[str], Meta(description="with `written=true` or `text`: each of `moves` as a line, in their order", examples=[["9c -"]])
        ]
        | UnsetType
    ) = UNSET
    units: Annotated[list[list[NotationUnit]], Meta(description="beside `written`: what each line is spelled of")] | UnsetType = UNSET
    said: (
        Annotated[
            list[list[str | SeatedWords]],
            Meta(
                description=(
                    "with `said=true`: the caption of each of `moves`, in their order and in pieces like the captions of the replay"
                )
            ),
        ]
        | UnsetType
    ) = UNSET
    reading: Annotated[LineReading, Meta(description="with `text`: how the line is read")] | UnsetType = UNSET


class RuleReference(ResponseModel, frozen=True, kw_only=True):
    number: str
    text: str


class JudgedMove(ResponseModel, frozen=True, kw_only=True):
    """The judgement of a move: legal, or refused with code, rules with their texts, and a sentence."""

    game: UUID
    position: int
    seat: Any
    move: Any
    legal: bool
    code: str | UnsetType = UNSET
    rules: list[RuleReference] | UnsetType = UNSET
    sentence: str | UnsetType = UNSET
    asks: list[Ask] | UnsetType = UNSET


class TestedMoveView(ResponseModel, frozen=True, kw_only=True):
    """A tried move: its effects, or the reason why it would be refused."""

    seat: Any
    move: Any
    legal: bool
    code: str | UnsetType = UNSET
    rules: list[RuleReference] | UnsetType = UNSET
    sentence: str | UnsetType = UNSET
    asks: list[Ask] | UnsetType = UNSET
    effects: Annotated[Any, Meta(description="see docs/events.md", extra_json_schema=_EFFECTS)] | UnsetType = UNSET


class BranchView(ResponseModel, frozen=True, kw_only=True):
    """A line from ``position``; ``table`` is the arbiter's view at its end. Nothing was recorded.

    A seat of a game that is not open gets only ``legal`` or the ``code``.
    """

    game: UUID
    position: int
    moves: list[TestedMoveView]
    table: Annotated[Any, Meta(extra_json_schema=STATE_VIEW_REF)] | UnsetType = UNSET
