"""What all acts of officials share: the words that go into the register, the rehearsal with the score sheet before and after."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TypeAlias
from uuid import UUID

from msgspec import Struct

from api.common.commands import (
    commit,
    noted,
    recorded,
    sees,
)
from api.common.event_views import done, rehearsed
from api.common.rulebooks import newest_rulebook_of, rulebook_of
from api.http.answers import Done
from api.http.fields import DryRun
from api.http.operations import JSON, Content, Operation
from api.http.response import (
    Answer,
    Asked,
    encoded,
    house_of,
)
from api.http.tokens import Need
from api.rulings.responses import Rehearsed, SheetsCompared
from api.rulings.texts import worded
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
            201: Content(says, {JSON: Done}, headers=("Location", "ETag")),
            200: Content("what would be recorded, and the score sheet before and after", {JSON: Rehearsed}),
        },
        refuses=(404, 412, 422),
        headers=("If-Match", "Idempotency-Key"),
        role=need,
    )


async def act(asked: Asked, id: UUID, given: Given, words: str | None, happened_at: datetime | None, dry: bool) -> Answer:
    """Decides and records, or shows what would be recorded."""
    text = note(str(house_of(asked).new_id()), words) if words is not None else None
    decide: Decide = lambda now: given(now, text.ref if text else None)  # noqa: E731
    if dry:
        return await _rehearsal(asked, id, decide, text)
    return recorded(asked, await commit(asked, id, decide, happened_at=happened_at, note=text))


async def _rehearsal(asked: Asked, id: UUID, decide: Decide, text: Note | None) -> Answer:
    house = house_of(asked)
    game = await house.journal.held(id)
    receipt = rehearsed(game, noted(asked, decide)(game), Stamp(house.clock(), asked.user.id))
    told = done(receipt, sees(asked))
    sheets = await _compared(asked, game, receipt, text)
    fields = {name: getattr(told, name) for name in Done.__struct_fields__ if name not in ("sequence", "dry_run")}
    return Answer(encoded(Rehearsed(**fields, dry_run=True, score_sheets=sheets)), headers=(("cache-control", "no-store"),))


async def _compared(asked: Asked, before: Game, receipt: Receipt[Game], text: Note | None) -> SheetsCompared:
    """The words of the reason are not in the register yet."""
    own = {text.ref.id: text.text.body} if text else {}
    return SheetsCompared(before=await worded(asked, _sheet(before)), after=await worded(asked, _sheet(receipt.after), own))


def _sheet(game: Game) -> Sheet:
    return sheet(game.setup, game.table.score)


def rules_of(asked: Asked, game: Game) -> Rulebook:
    """Those of the hand; where they are not kept any more the newest: an official can always put things right."""
    house = house_of(asked)
    try:
        return rulebook_of(house, game)
    except Refused:
        return newest_rulebook_of(house.rulesets, game.setup)
