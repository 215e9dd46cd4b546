"""Responses about the feed, rulesets and the health of the service."""

from datetime import datetime
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, UnsetType

from api.http.decoding import MOVE, ResponseModel
from api.services import BackupError
from domain.journal.feed import FeedEntry
from domain.layout import DeckKind, Hint
from domain.rules import Rule
from domain.setup import Presets


class Feed(ResponseModel, frozen=True, kw_only=True):
    """A page of the feed. ``after`` is the ``after`` of the next request, also where there is nothing more yet; ``head`` is the newest
    sequence.

    Both hold in this ``epoch`` of the store.
    """

    entries: tuple[FeedEntry, ...]
    after: int
    head: int
    epoch: str


class RulesetSummary(ResponseModel, frozen=True, kw_only=True):
    key: str
    edition: Annotated[int, Meta(description="rises when the rules may judge a move otherwise")]
    names: Annotated[dict[str, str], Meta(description="by language")]


class RulesetList(ResponseModel, frozen=True, kw_only=True):
    items: list[RulesetSummary]
    next: Annotated[str | None, Meta(description="always null: there is one page")]


class NotationExample(ResponseModel, frozen=True, kw_only=True):
    move: Annotated[Any, Meta(extra_json_schema=MOVE)]
    written: Annotated[dict[str, str], Meta(description="its full form, by language", examples=[{"en": "9c x 5d4h", "de": "9x x 5k4h"}])]


class NotationView(ResponseModel, frozen=True, kw_only=True):
    """The notation: moves typed and written as short lines (docs/notation.md)."""

    signs: Annotated[tuple[str, ...], Meta(description="the signs that mean something in this game")]
    cards: Annotated[dict[str, dict[str, str]], Meta(description="by language how each card is written")]
    plain: Annotated[str | None, Meta(description="the type of the move that the empty line means")]
    examples: Annotated[list[NotationExample], Meta(description="a move of every type")]


class RulesetView(RulesetSummary, frozen=True, kw_only=True):
    """A ruleset. ``options`` and ``moves`` are JSON Schemas; ``codes`` are the refusals with the rules they rest on.

    ``words``: by language, the names of cards (``card.7D``), rows (``row.spades``), ends and the like.
    """

    options: dict[str, Any]
    presets: Annotated[
        Presets,
        Meta(description="complete sets of options: give the name of one as `preset` among the options, and beside it what differs"),
    ]
    moves: dict[str, Any]
    rules: tuple[Rule, ...]
    codes: dict[str, tuple[str, ...]]
    deck: tuple[str, ...]
    words: dict[str, dict[str, str]]
    notation: Annotated[NotationView, Meta(description="with the usual options")] | None
    layout: Annotated[
        tuple[Hint, ...], Meta(description="positions of the zones on a screen: the first layout that fits, else a row in the middle")
    ]
    deck_kind: Annotated[
        DeckKind | None,
        Meta(description="the design of the cards; null: only their codes are known"),
    ]


class ProjectionHealth(ResponseModel, frozen=True, kw_only=True):
    name: str
    position: int
    lag: Annotated[int, Meta(description="sequences it is behind")]
    percent: Annotated[int, Meta(description="below 100: being rebuilt, and not readable yet")]
    reason: Annotated[str | None, Meta(description="the reason of a rebuild, unless it is another version")]
    error: str | None
    failed_at: Annotated[int | None, Meta(description="the sequence of the event at which it stopped")]


class LogHealth(ResponseModel, frozen=True, kw_only=True):
    """The progress of the log (docs/proof.md)."""

    origin: str
    entries: int
    signed: Annotated[int, Meta(description="of them, by the newest checkpoint")]
    error: Annotated[str | None, Meta(description="why nothing is signed, if that is so")]


class BackupHealth(ResponseModel, frozen=True, kw_only=True):
    """The newest backup of the embedded store (docs/operations/monitoring.md)."""

    newest: Annotated[datetime | None, Meta(description="when it was begun; null: there is none")]
    age: Annotated[int | None, Meta(description="seconds since then")]
    every: Annotated[int | None, Meta(description="minutes between two; null: the service writes none")]
    error: Annotated[
        BackupError | None,
        Meta(description="`failed`: the last attempt did; `overdue`: there is none, or the newest is older than twice the interval"),
    ]


class Health(ResponseModel, frozen=True, kw_only=True):
    """The health of the service. Details only for a known token.

    ``degraded``: games can be recorded, but score sheets and lists stand still, nothing is signed, or backups are not written.
    """

    status: Literal["live", "ready", "degraded", "not_ready"]
    version: Annotated[str, Meta(description="of the program, where it says that it is live")] | UnsetType = UNSET
    problem: Annotated[str, Meta(description="why nothing is recorded until somebody acts, and what to do")] | UnsetType = UNSET
    head: Annotated[int, Meta(description="the newest sequence")] | UnsetType = UNSET
    projections: list[ProjectionHealth] | UnsetType = UNSET
    log: Annotated[LogHealth, Meta(description="left out where none is kept")] | UnsetType = UNSET
    backups: Annotated[BackupHealth, Meta(description="left out where no folder of backups is set")] | UnsetType = UNSET
