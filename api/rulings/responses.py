"""What goes out about disputes, rulings and notes. Fields that are left out are ``UNSET`` by default."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from api.http.answers import ClosedHand, Told
from domain.dispute import Stage, Standing
from domain.events import Decision, Instance
from domain.score import Sheet


class _Out(Struct, frozen=True, kw_only=True):
    """The base of all that goes out."""


class SheetsCompared(_Out, frozen=True, kw_only=True):
    before: Sheet
    after: Sheet


class Rehearsed(_Out, frozen=True, kw_only=True):
    """What an act of an official would record, how the game would stand, and the score sheet before and after. Nothing is recorded."""

    game: UUID
    position: int
    events: list[Told]
    phase: str
    turn: int | None
    to_act: tuple[int, ...]
    hand: int
    closed_hands: list[ClosedHand] | UnsetType = UNSET
    dry_run: bool
    score_sheets: SheetsCompared


class DisputeTold(_Out, frozen=True, kw_only=True):
    """``raised_at`` is the position of the event, ``position`` the one in dispute; ``claim`` only for officials."""

    number: int
    raised_at: int
    position: int
    seat: Annotated[int, Meta(description="who raised it; null for an official")] | None
    claim: str | None | UnsetType = UNSET
    suspends: bool
    stage: Stage
    rulings: tuple[int, ...]


class RulingTold(_Out, frozen=True, kw_only=True):
    """``position`` is that of its event; ``reason`` is null if it was erased."""

    number: int
    position: int
    dispute: int | None
    instance: Instance
    decision: Decision
    rules: tuple[str, ...]
    reason: str | None


class Disputes(_Out, frozen=True, kw_only=True):
    """Moves may be made only in a game that stands ``open``."""

    game: UUID
    position: int
    standing: Standing
    disputes: list[DisputeTold]
    rulings: list[RulingTold]


class NoteTold(_Out, frozen=True, kw_only=True):
    """``about`` is the position that a note or a dispute is about; ``text`` is null if it was erased."""

    position: int
    name: Annotated[str, Meta(examples=["note.added/1"])]
    at: datetime
    by: str
    about: int | None
    text: str | None


class Notes(_Out, frozen=True, kw_only=True):
    game: UUID
    position: int
    notes: list[NoteTold]
