"""What all acts of a tournament share: reading it with its games, deciding, recording or showing what would be recorded."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeAlias

from msgspec import UNSET

from api.common.commands import call_of
from api.http.errors import Overtaken
from api.http.fields import DryRun
from api.http.negotiation import language
from api.http.operations import JSON, Content, Operation
from api.http.response import (
    Answer,
    Asked,
    encoded,
    header,
    house_of,
)
from api.http.tokens import Need
from api.tournaments.reading import held, told
from api.tournaments.responses import RemarkTold, TournamentDone
from domain import codec, texts
from domain.errors import Stale, Unknown
from domain.events import Event, Stamp, TextRef, digest
from domain.journal.calls import Note, Receipt, note
from domain.tournament.rounds import Remark
from domain.tournament.tournament import TOURNAMENT, Tournament, project, stream_of

Receipts: TypeAlias = Receipt[Tournament]
Given: TypeAlias = Callable[[Tournament, TextRef | None], Sequence[Event]]
"""A decision, with the reference to the words that come with it."""

_MISSED = 100


def operation(
    id: str, summary: str, body: Any, need: Need, *, description: str = "", examples: Mapping[str, object] | None = None
) -> Operation:
    """How every act describes itself."""
    answers = {
        201: Content("recorded", {JSON: TournamentDone}, headers=("Location", "ETag")),
        200: Content("what would be recorded", {JSON: TournamentDone}),
    }
    return Operation(
        id=id,
        tag="Tournaments",
        summary=summary,
        description=f"{description} With `dry_run=true` nothing is recorded.".strip(),
        query=DryRun,
        body={JSON: body},
        body_examples=examples or {},
        answers=answers,
        refuses=(404, 412, 422),
        headers=("If-Match", "Idempotency-Key"),
        role=need,
    )


async def act(
    asked: Asked,
    id: str,
    given: Given,
    *,
    words: str | None = None,
    happened_at: datetime | None = None,
    dry: bool = False,
    remarks: Callable[[Receipts], Sequence[Remark]] | None = None,
) -> Answer:
    """Decides and records, or shows what would be recorded."""
    text = note(str(house_of(asked).new_id()), words) if words is not None else None

    def decide(now: Tournament) -> Sequence[Event]:
        return given(now, text.ref if text else None)

    receipt = await rehearsed(asked, id, decide) if dry else await commit(asked, id, decide, text, happened_at)
    said = remarks_told(asked, remarks(receipt)) if remarks else []
    return done(asked, receipt, said, dry=dry)


async def commit(
    asked: Asked, id: str, decide: Callable[[Tournament], Sequence[Event]], text: Note | None, happened_at: datetime | None
) -> Receipts:
    """Raises ``Overtaken`` where ``If-Match`` did not hold."""
    journal, call = house_of(asked).journal, await call_of(asked, happened_at)
    try:
        return await journal.commit_to(TOURNAMENT, call, stream_of(id), decide, text)
    except Unknown as unknown:
        raise (Unknown("tournament", id) if unknown.what == "tournament" else unknown) from None
    except Stale as stale:
        if call.expected is None:
            raise
        raise Overtaken(stale, await asyncio.to_thread(_missed, asked, stale)) from stale


def _missed(asked: Asked, stale: Stale) -> bytes:
    return encoded([told(asked, one) for one in house_of(asked).journal.history(stale.stream, stale.expected, _MISSED)])


async def rehearsed(asked: Asked, id: str, decide: Callable[[Tournament], Sequence[Event]]) -> Receipts:
    """The receipt that the decision would get. Nothing is recorded."""
    now = await held(asked, id)
    stamp, link, recorded = Stamp(house_of(asked).clock(), asked.user.id), digest(now.last), []
    for number, event in enumerate(decide(now), 1):
        recorded.append(codec.record(now.id, now.position + number, link, stamp, event))
        link = digest(recorded[-1].state)
    after = project(now, recorded)
    assert after is not None
    return Receipt(now, tuple(recorded), after, 0)


def done(asked: Asked, receipt: Receipts, remarks: Sequence[RemarkTold] = (), *, dry: bool = False) -> Answer:
    """201 with the position for the next ``If-Match``; 200 for what was only tried."""
    id = receipt.after.plan.tournament
    body = TournamentDone(
        tournament=id,
        position=receipt.after.position,
        sequence=UNSET if dry else receipt.sequence,
        events=[told(asked, one) for one in receipt.events],
        remarks=list(remarks) or UNSET,
        dry_run=dry or UNSET,
    )
    if dry:
        return Answer(encoded(body), headers=(("cache-control", "no-store"),))
    where = f"/v1/tournaments/{id}" if receipt.before is None else f"/v1/tournaments/{id}/history?after={receipt.before.position}"
    headers = (("location", where), ("etag", f'"{receipt.after.position}"'), ("cache-control", "no-store"))
    return Answer(encoded(body), status=201, headers=headers)


def remarks_told(asked: Asked, remarks: Sequence[Remark]) -> list[RemarkTold]:
    spoken = language(header(asked, b"accept-language"))
    return [
        RemarkTold(code=one.code, sentence=texts.sentence(f"remark.{one.code}", one.detail, spoken, (texts.COMMON,))) for one in remarks
    ]
