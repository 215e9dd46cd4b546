"""Responses about disputes, rulings and notes. Fields that are left out are ``UNSET`` by default."""

from typing import Annotated, Any
from uuid import UUID

from msgspec import UNSET, Meta, UnsetType

from api.common.commands import replay_header, view_dry_run
from api.common.event_views import ClosedHand, EventView, Remarks
from api.common.signed_sheets import SignedSheet, view_signed_sheet
from api.common.texts import NoteView, with_reasons
from api.http.decoding import ResponseModel, copy_fields
from api.http.request import Request
from api.http.response import Response, no_store_response
from domain.dispute import Stage, Standing
from domain.events.game import Decision, Instance
from domain.game import Game
from domain.journal.commits import Receipt, RegisteredText
from domain.score import Sheet, sheet


class SheetsCompared(ResponseModel, frozen=True, kw_only=True):
    before: SignedSheet
    after: SignedSheet


class DryRunResponse(ResponseModel, frozen=True, kw_only=True):
    """The result of a dry run: the events, the state of the game after them, and the score sheet before and after. Nothing is recorded."""

    game: UUID
    position: int
    events: list[EventView]
    phase: str
    turn: int | None
    to_act: tuple[int, ...]
    hand: int
    closed_hands: list[ClosedHand] | UnsetType = UNSET
    remarks: Remarks = UNSET
    dry_run: bool
    score_sheets: SheetsCompared


class RefusedMoveView(ResponseModel, frozen=True, kw_only=True):
    """The move that a dispute is about, with the refusal that it got."""

    seat: int
    move: Annotated[Any, Meta(description="a move of this ruleset", extra_json_schema={"type": "object"})]
    code: str
    rules: tuple[str, ...]


class DisputeView(ResponseModel, frozen=True, kw_only=True):
    """A dispute. ``raised_at`` is the position of the event, ``position`` the one in dispute; ``claim``, ``refused_move`` and ``appeal``
    only for officials.
    """

    number: int
    raised_at: int
    position: int
    seat: Annotated[int, Meta(description="the seat that raised it; null for an official")] | None
    claim: str | None | UnsetType = UNSET
    refused_move: RefusedMoveView | UnsetType = UNSET
    suspends: bool
    state: Stage
    rulings: tuple[int, ...]
    appeal: Annotated["AppealView", Meta(description="the last appeal")] | UnsetType = UNSET


class AppealView(ResponseModel, frozen=True, kw_only=True):
    """An appeal: the seat that appeals, null for an official, and the words, null if there are none."""

    seat: int | None
    reason: str | None


class RulingPoints(ResponseModel, frozen=True, kw_only=True):
    """Points that a ruling gave to a party, or took from it."""

    party: int
    points: int


class RulingView(ResponseModel, frozen=True, kw_only=True):
    """A ruling. ``position`` is that of its event; ``reason`` is null if it was erased, or may not be read yet.

    ``lifted_by``: the ruling of the committee that overturned it.
    """

    number: int
    position: int
    dispute: int | None
    instance: Instance
    decision: Decision
    rules: tuple[str, ...]
    reason: str | None
    points: list[RulingPoints]
    lifted_by: int | None


class Disputes(ResponseModel, frozen=True, kw_only=True):
    """The disputes and rulings of a game. Moves may be made only in a game whose ``state`` is ``open``.

    ``called``: who is signed in and may rule here, by the names of their tokens or codes: arbiters, else directors. For officials, while a
    dispute waits.
    """

    game: UUID
    position: int
    state: Standing
    disputes: list[DisputeView]
    rulings: list[RulingView]
    called: list[str] | UnsetType = UNSET


class NotesView(ResponseModel, frozen=True, kw_only=True):
    game: UUID
    position: int
    notes: list[NoteView]


async def dry_run_response(request: Request, receipt: Receipt[Game], note: RegisteredText | None, remarks: Remarks) -> Response:
    """Return the response to a dry run. The text of the act is not in the register yet, so it is passed along."""
    shown, before = view_dry_run(request, receipt), receipt.before
    assert before is not None
    own = {note.ref.id: note.text.body} if note else {}
    sheets = SheetsCompared(
        before=view_signed_sheet(await with_reasons(request, before.id, _sheet(before)), before),
        after=view_signed_sheet(await with_reasons(request, before.id, _sheet(receipt.after), own), receipt.after),
    )
    body = copy_fields(shown, DryRunResponse, score_sheets=sheets, remarks=remarks)
    return no_store_response(body, headers=replay_header(repeated=receipt.repeated))


def _sheet(game: Game) -> Sheet:
    return sheet(game.setup, game.table.score)
