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
from api.http.request import Request, header, services_of
from api.http.response import Response, encode, unstored
from api.http.tokens import Need
from api.tournaments.reading import current_tournament, redacted_event_view
from api.tournaments.responses import RemarkView, TournamentCommandResponse
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
        201: Content("recorded", {JSON: TournamentCommandResponse}, headers=("Location", "ETag")),
        200: Content("what would be recorded", {JSON: TournamentCommandResponse}),
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
    request: Request,
    id: str,
    given: Given,
    *,
    words: str | None = None,
    happened_at: datetime | None = None,
    dry: bool = False,
    remarks: Callable[[Receipts], Sequence[Remark]] | None = None,
) -> Response:
    """Decides and records, or shows what would be recorded."""
    text = note(str(services_of(request).new_id()), words) if words is not None else None

    def decide(now: Tournament) -> Sequence[Event]:
        return given(now, text.ref if text else None)

    receipt = await rehearsed(request, id, decide) if dry else await commit(request, id, decide, text, happened_at)
    said = remark_views(request, remarks(receipt)) if remarks else []
    return command_response(request, receipt, said, dry=dry)


async def commit(
    request: Request, id: str, decide: Callable[[Tournament], Sequence[Event]], text: Note | None, happened_at: datetime | None
) -> Receipts:
    """Raises ``Overtaken`` where ``If-Match`` did not hold."""
    journal, call = services_of(request).journal, await call_of(request, happened_at)
    try:
        return await journal.commit_to(TOURNAMENT, call, stream_of(id), decide, text)
    except Unknown as unknown:
        raise (Unknown("tournament", id) if unknown.what == "tournament" else unknown) from None
    except Stale as stale:
        if call.expected is None:
            raise
        raise Overtaken(stale, await asyncio.to_thread(_missed, request, stale)) from stale


def _missed(request: Request, stale: Stale) -> bytes:
    return encode(
        [redacted_event_view(request, one) for one in services_of(request).journal.history(stale.stream, stale.expected, _MISSED)]
    )


async def rehearsed(request: Request, id: str, decide: Callable[[Tournament], Sequence[Event]]) -> Receipts:
    """The receipt that the decision would get. Nothing is recorded."""
    now = await current_tournament(request, id)
    stamp, link, recorded = Stamp(services_of(request).clock(), request.user.id), digest(now.last), []
    for number, event in enumerate(decide(now), 1):
        recorded.append(codec.record(now.id, now.position + number, link, stamp, event))
        link = digest(recorded[-1].state)
    after = project(now, recorded)
    assert after is not None
    return Receipt(now, tuple(recorded), after, 0)


def command_response(request: Request, receipt: Receipts, remarks: Sequence[RemarkView] = (), *, dry: bool = False) -> Response:
    """201 with the position for the next ``If-Match``; 200 for what was only tried."""
    id = receipt.after.plan.tournament
    body = TournamentCommandResponse(
        tournament=id,
        position=receipt.after.position,
        sequence=UNSET if dry else receipt.sequence,
        events=[redacted_event_view(request, one) for one in receipt.events],
        remarks=list(remarks) or UNSET,
        dry_run=dry or UNSET,
    )
    if dry:
        return unstored(body)
    where = f"/v1/tournaments/{id}" if receipt.before is None else f"/v1/tournaments/{id}/history?after={receipt.before.position}"
    headers = (("location", where), ("etag", f'"{receipt.after.position}"'), ("cache-control", "no-store"))
    return Response(encode(body), status=201, headers=headers)


def remark_views(request: Request, remarks: Sequence[Remark]) -> list[RemarkView]:
    spoken = language(header(request, b"accept-language"))
    return [
        RemarkView(code=one.code, sentence=texts.sentence(f"remark.{one.code}", one.detail, spoken, (texts.COMMON,))) for one in remarks
    ]
