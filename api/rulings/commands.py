"""What all acts of officials share: the words that go into the register, the rehearsal with the score sheet before and after."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TypeAlias
from uuid import UUID

from msgspec import Struct

from api.common.commands import (
    commit,
    default_viewer,
    recorded_response,
    with_ruleset,
)
from api.common.event_views import CommandResponse, command_response, rehearsed
from api.common.rulebooks import newest_rulebook_of, rulebook_of
from api.common.texts import with_reasons
from api.http.fields import DryRun
from api.http.operations import JSON, Content, Operation
from api.http.request import Request, services_of
from api.http.response import Response, unstored
from api.http.tokens import Need
from api.rulings.responses import DryRunResponse, SheetsCompared
from domain.errors import Refused
from domain.events import Event, Stamp, TextRef
from domain.game import Game
from domain.journal.application import Decide
from domain.journal.calls import Note, Receipt, note
from domain.rules import Rulebook
from domain.score import Sheet, sheet

Given: TypeAlias = Callable[[Game, TextRef | None], Sequence[Event]]
"""A decision, with the reference to the words that come with it."""


def operation(
    id: str,
    summary: str,
    kind: type[Struct],
    need: Need,
    *,
    says: str = "recorded",
    description: str = "",
    examples: Mapping[str, object] | None = None,
) -> Operation:
    """How every act describes itself."""
    return Operation(
        id=id,
        tag="Rulings",
        summary=summary,
        description=f"{description} With `dry_run=true` nothing is recorded; the answer shows the score sheet before and after.".strip(),
        query=DryRun,
        body={JSON: kind},
        body_examples=examples or {},
        answers={
            201: Content(says, {JSON: CommandResponse}, headers=("Location", "ETag")),
            200: Content("what would be recorded, and the score sheet before and after", {JSON: DryRunResponse}),
        },
        refuses=(404, 412, 422),
        headers=("If-Match", "Idempotency-Key"),
        role=need,
    )


async def act(request: Request, id: UUID, given: Given, words: str | None, happened_at: datetime | None, dry: bool) -> Response:
    """Decides and records, or shows what would be recorded."""
    text = note(str(services_of(request).new_id()), words) if words is not None else None
    decide: Decide = lambda now: given(now, text.ref if text else None)  # noqa: E731
    if dry:
        return await _rehearsal(request, id, decide, text)
    return recorded_response(request, await commit(request, id, decide, happened_at=happened_at, note=text))


async def _rehearsal(request: Request, id: UUID, decide: Decide, text: Note | None) -> Response:
    services = services_of(request)
    game = await services.journal.held(id)
    receipt = rehearsed(game, with_ruleset(request, decide)(game), Stamp(services.clock(), request.user.id))
    told = command_response(receipt, default_viewer(request))
    sheets = await _compared(request, game, receipt, text)
    fields = {name: getattr(told, name) for name in CommandResponse.__struct_fields__ if name not in ("sequence", "dry_run")}
    return unstored(DryRunResponse(**fields, dry_run=True, score_sheets=sheets))


async def _compared(request: Request, before: Game, receipt: Receipt[Game], text: Note | None) -> SheetsCompared:
    """The words of the reason are not in the register yet."""
    own = {text.ref.id: text.text.body} if text else {}
    return SheetsCompared(before=await with_reasons(request, _sheet(before)), after=await with_reasons(request, _sheet(receipt.after), own))


def _sheet(game: Game) -> Sheet:
    return sheet(game.setup, game.table.score)


def rules_of(request: Request, game: Game) -> Rulebook:
    """Those of the hand; where they are not kept any more the newest: an official can always put things right."""
    services = services_of(request)
    try:
        return rulebook_of(services, game)
    except Refused:
        return newest_rulebook_of(services.rulesets, game.setup)
