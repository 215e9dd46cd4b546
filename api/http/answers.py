"""What goes out. Fields that are left out are ``UNSET`` by default."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from api.http.schemas import STATE_VIEW
from domain.effects import Plain
from domain.rules import Rule


class _Out(Struct, frozen=True, kw_only=True):
    """The base of all that goes out."""


class Told(_Out, frozen=True, kw_only=True):
    """A recorded event as the caller may see it; a face that he may not see is ``"?"``."""

    position: int
    name: Annotated[str, Meta(examples=["move.played/1"])]
    at: datetime
    by: Annotated[str, Meta(description="the principal who recorded it, an opaque id")]
    happened_at: datetime | UnsetType = UNSET
    link: Annotated[str, Meta(description="SHA-256 of the stored event before; only for those who see all")] | UnsetType = UNSET
    void: Annotated[bool, Meta(description="a rewind took it back")] | UnsetType = UNSET
    body: Annotated[Any, Meta(description="the event itself, see docs/events.md", extra_json_schema={"type": "object"})]


class ClosedHand(_Out, frozen=True, kw_only=True):
    """What a hand that ended brought, a number per party."""

    hand: int
    end: str
    points: tuple[int, ...]
    totals: tuple[int, ...]


class Done(_Out, frozen=True, kw_only=True):
    """What was recorded, and how the game stands after it. ``closed_hands`` only where a hand ended; ``dry_run``: nothing was recorded."""

    game: UUID
    position: int
    sequence: int | UnsetType = UNSET
    events: list[Told]
    phase: str
    turn: int | None
    to_act: tuple[int, ...]
    hand: int
    closed_hands: list[ClosedHand] | UnsetType = UNSET
    dry_run: bool | UnsetType = UNSET


class WaitingTold(_Out, frozen=True, kw_only=True):
    """What a table of a tournament lacks for a result: a code, and a sentence."""

    round: int
    table: str
    code: Annotated[str, Meta(examples=["game_missing"])]
    sentence: str
    game: Annotated[UUID, Meta(description="the game that it is about")] | UnsetType = UNSET
    sides: Annotated[tuple[int, ...], Meta(description="entrants who have not confirmed yet")] | UnsetType = UNSET


class Problem(_Out, frozen=True, kw_only=True):
    """RFC 9457. ``code`` is stable; ``rules`` are the rule numbers a refusal rests on; ``where`` names the place of what is malformed."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    rules: tuple[str, ...] | UnsetType = UNSET
    hand: Annotated[int, Meta(description="of a record, from 0; −1 for the set-up")] | UnsetType = UNSET
    index: Annotated[int, Meta(description="which move of the batch, or of the hand of a record, from 0")] | UnsetType = UNSET
    where: str | UnsetType = UNSET
    position: Annotated[int, Meta(description="where the game stands")] | UnsetType = UNSET
    missed: (
        Annotated[Raw, Meta(description="the events since the position of If-Match", extra_json_schema={"type": "array"})] | UnsetType
    ) = UNSET
    needs: Annotated[tuple[str, ...], Meta(description="roles that may do this")] | UnsetType = UNSET
    unclear: Annotated[bool, Meta(description="whether the command may have been recorded all the same")] | UnsetType = UNSET
    waiting: Annotated[list[WaitingTold], Meta(description="what keeps a round of a tournament open")] | UnsetType = UNSET
    id: Annotated[str, Meta(description="to look for in the log")] | UnsetType = UNSET


class History(_Out, frozen=True, kw_only=True):
    game: UUID
    position: Annotated[int, Meta(description="of the last event of the game")]
    events: list[Told]
    next: Annotated[int, Meta(description="`after` of the next page; null on the last")] | None


class ReplayFrame(_Out, frozen=True, kw_only=True):
    """An event as the view may see it, in a sentence and in effects, and the table after it."""

    position: int
    at: datetime
    by: str
    happened_at: datetime | UnsetType = UNSET
    void: Annotated[bool, Meta(description="a rewind took it back")] | UnsetType = UNSET
    name: Annotated[str, Meta(examples=["move.played/1"])]
    hand: Annotated[int, Meta(description="in progress, or played last; 0 before the first")]
    seat: Annotated[int, Meta(description="who made the move; null for what is no move")] | None
    caption: Annotated[str, Meta(examples=["Seat 1 takes 7♦ 2♣ and the build of 9 with 9♠."])]
    effects: Annotated[Any, Meta(description="see docs/events.md", extra_json_schema={"type": "array", "items": {"type": "array"}})]
    table: Annotated[Any, Meta(description="the state view of the ruleset after it", extra_json_schema={"type": "object"})]


class Replay(_Out, frozen=True, kw_only=True):
    game: UUID
    position: Annotated[int, Meta(description="of the last event of the game")]
    view: Annotated[str, Meta(examples=["arbiter", "public", "seat:1"])]
    frames: list[ReplayFrame]
    next: Annotated[int, Meta(description="`after` of the next page; null on the last")] | None
    previous: Annotated[int, Meta(description="`before` of the page before; null on the first")] | None


class LegalMoves(_Out, frozen=True, kw_only=True):
    game: UUID
    position: int
    seat: int | None
    moves: list[dict[str, Plain]]
    next: Annotated[str, Meta(description="cursor of the next page; null on the last")] | None


class Cited(_Out, frozen=True, kw_only=True):
    number: str
    text: str


class Judged(_Out, frozen=True, kw_only=True):
    """Whether a move would be legal; if not, why: code, rules with their texts, and a sentence."""

    game: UUID
    position: int
    seat: Any
    move: Any
    legal: bool
    code: str | UnsetType = UNSET
    rules: list[Cited] | UnsetType = UNSET
    sentence: str | UnsetType = UNSET


class TriedMove(_Out, frozen=True, kw_only=True):
    """What the move would do, or why it would be refused."""

    seat: Any
    move: Any
    legal: bool
    code: str | UnsetType = UNSET
    rules: list[Cited] | UnsetType = UNSET
    sentence: str | UnsetType = UNSET
    effects: Annotated[Any, Meta(description="see docs/events.md", extra_json_schema={"type": "array"})] | UnsetType = UNSET


class Branched(_Out, frozen=True, kw_only=True):
    """A line from ``position``; ``table`` is the arbiter's view at its end. Nothing was recorded.

    To a seat of a game that is not open only ``legal`` or the ``code`` is told.
    """

    game: UUID
    position: int
    moves: list[TriedMove]
    table: Annotated[dict[str, Any], Meta(extra_json_schema=STATE_VIEW)] | UnsetType = UNSET


class RulesetShort(_Out, frozen=True, kw_only=True):
    key: str
    edition: Annotated[int, Meta(description="rises when the rules may judge a move otherwise")]
    names: Annotated[dict[str, str], Meta(description="by language")]


class RulesetAbout(RulesetShort, frozen=True, kw_only=True):
    """``options`` and ``moves`` are JSON Schemas; ``codes`` are the refusals with the rules they rest on.

    ``words`` are by language what people call the cards (``card.7D``), rows (``row.spades``), ends and the like.
    """

    options: dict[str, Any]
    moves: dict[str, Any]
    rules: tuple[Rule, ...]
    codes: dict[str, tuple[str, ...]]
    deck: tuple[str, ...]
    words: dict[str, dict[str, str]]


class ProjectionHealth(_Out, frozen=True, kw_only=True):
    name: str
    position: int
    lag: Annotated[int, Meta(description="sequences it is behind")]
    percent: Annotated[int, Meta(description="below 100: being built anew, and not read before")]
    reason: Annotated[str | None, Meta(description="why it is built anew, if not for another version")]
    error: str | None
    failed_at: Annotated[int | None, Meta(description="the sequence of the event at which it stopped")]


class Health(_Out, frozen=True, kw_only=True):
    """``degraded``: games can be recorded, but score sheets and lists stand still. Details only for a known token."""

    status: Literal["live", "ready", "degraded", "not_ready"]
    problem: str | UnsetType = UNSET
    head: Annotated[int, Meta(description="the newest sequence")] | UnsetType = UNSET
    projections: list[ProjectionHealth] | UnsetType = UNSET


class RefusedRecord(_Out, frozen=True, kw_only=True):
    """Where a record is refused: hand and move from 0, −1 for the start of a hand, twice −1 for the set-up; nulls where it is no record."""

    hand: int | None
    index: int | None
    code: str
    rules: tuple[str, ...]
    message: str
    where: str | UnsetType = UNSET


class Imported(_Out, frozen=True, kw_only=True):
    """One record of an import. ``game`` is null where nothing was recorded."""

    line: int
    name: str | None
    game: UUID | None
    position: int | None
    sequence: int | None
    error: RefusedRecord | None


class ImportReport(_Out, frozen=True, kw_only=True):
    """``recorded`` counts the games that were recorded, or would be (``dry_run``)."""

    dry_run: bool
    recorded: int
    refused: int
    records: list[Imported]
