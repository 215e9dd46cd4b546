"""Records on their way in: judged in a thread, recorded each as one commit. One that is refused does not keep the others out."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any
from uuid import UUID

from msgspec import UNSET, Struct

from api.common.commands import count_moves, idempotency_key, line_call
from api.http.decoding import decode_json
from api.http.errors import BadRequest, Forbidden, say
from api.http.fields import alike
from api.http.limits import more_time, note_part_recorded
from api.http.places import check_place
from api.http.problems import sentence
from api.http.request import Request, language_of, services_of
from api.http.tokens import ARBITERS
from api.records.responses import ImportedRecord, ImportReport, NamedElsewhere, RefusedRecord
from domain.access.scopes import Place
from domain.errors import Exists, Malformed, RefInUse, Refused
from domain.events import Event
from domain.events.base import TextRef
from domain.journal.calls import Call, Note, note
from domain.journal.commits import Text
from domain.journal.refs import Copies, Origin, Ref, origin_of
from replay.content import content_digest, standing_digest
from replay.elsewhere.acts import first_act
from replay.elsewhere.context import check_past
from replay.elsewhere.origin import ref_in
from replay.history import TakenOver, is_full_record, taken_over
from replay.record import Record, Refusal, events_of, parse

LONGEST = 8 * 1024 * 1024
"""Bytes of one record."""


class RecordLine(Struct, frozen=True):
    """A line that holds a record; ``number`` counts all lines from 1."""

    number: int
    raw: bytes


class AcceptedRecord(Struct, frozen=True):
    """The events of a record that its rulebook accepts, or the whole history of a full record that its audit found sound.

    A full record is known again by its id, the other by its ref, or without one by the ``digest`` of its content. ``origin`` is what it
    says of where it comes from.
    """

    name: str | None
    events: tuple[Event, ...]
    whole: TakenOver | None = None
    digest: str = ""
    origin: Origin | None = None
    texts: tuple[Text, ...] = ()

    def told(self, number: int, **what: Any) -> ImportedRecord:
        """What became of it; ``what`` is not nothing."""
        ref = self.origin.ref if self.origin else None
        fields = {"game": None, "position": None, "sequence": None, "error": None, **what}
        return ImportedRecord(line=number, name=self.name, ref=alike(ref, NamedElsewhere) if ref else None, **fields)


def ref_of(record: AcceptedRecord, copies: Copies) -> Ref | None:
    """``None`` for one that is known again otherwise."""
    named = record.origin is not None and record.origin.ref is not None
    return None if record.whole or named else copies.next(record.digest)


async def lines_of(request: Request, count: int) -> AsyncIterator[list[RecordLine]]:
    """The lines that are not blank, so many at a time, without holding the whole body. Raises ``BadRequest`` for an endless line."""
    number, lines = 0, []
    async for raw in _split(request.stream()):
        number += 1
        if raw.strip():
            lines.append(RecordLine(number, raw))
        if len(lines) == count:
            yield lines
            lines = []
    if lines:
        yield lines


async def _split(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    rest = b""
    async for piece in pieces:
        *whole, rest = (rest + piece).split(b"\n")
        for raw in whole:
            yield raw
        if len(rest) > LONGEST:
            raise BadRequest("record_too_long", say("record_too_long", longest=LONGEST))
    yield rest


def judge(request: Request, raw: bytes) -> AcceptedRecord:
    """Raises ``BadRequest``, ``Malformed``, ``Forbidden``, and ``Refusal`` with the place."""
    read = decode_json(raw)
    record = parse(read)
    check_place(request, Place(record.context.tournament, record.context.round, record.context.table))
    check_past(record.context.played_at, record.hands, services_of(request).clock())
    request.scope["state"]["ruleset"] = record.ruleset
    if isinstance(read, dict) and is_full_record(read):
        return _whole(request, read, record)
    rulesets = services_of(request).rulesets
    _check_acts(request, record)
    words: list[Note] = []
    events = events_of(record, rulesets, lambda said: _noted(request, said, words))
    digest = content_digest(events, rulesets[record.ruleset])
    texts = tuple(one.text for one in words)
    return AcceptedRecord(record.name, events, None, digest, origin_of(record.ref, record.meta, digest), texts)


def _check_acts(request: Request, record: Record) -> None:
    """Raises ``Forbidden`` with the place for what officials alone may record."""
    place = first_act(record.hands)
    if place is not None and request.user.role not in ARBITERS:
        raise Forbidden(say("acts_by_arbiter", place=place), *ARBITERS, where=place)


def _noted(request: Request, said: str, words: list[Note]) -> TextRef:
    services = services_of(request)
    words.append(note(str(services.new_id()), said, services.new_salt()))
    return words[-1].ref


def _whole(request: Request, read: dict[str, Any], record: Record) -> AcceptedRecord:
    """Raises ``Forbidden``: who brings events brings times and names of those who recorded them."""
    if request.user.role != "director":
        raise Forbidden(say("events_by_director"), "director")
    whole = taken_over(read, services_of(request).editions)
    digest = standing_digest(whole.history, services_of(request).rulesets)
    events = tuple(recorded.event for recorded in whole.history)
    return AcceptedRecord(record.name, events, whole, digest, origin_of(record.ref, record.meta, digest))


async def import_lines(request: Request, lines: Sequence[RecordLine], copies: Copies, dry: bool) -> list[ImportedRecord]:
    """What became of each line. Recorded together, so that the journal can commit them in groups."""
    more_time(request, len(lines))
    if not dry:
        note_part_recorded(request)
    key = idempotency_key(request)
    found = await asyncio.to_thread(lambda: [(line_call(request, key, line.number, line.raw), _tried(request, line)) for line in lines])
    refs = [ref_of(one, copies) if isinstance(one, AcceptedRecord) else None for _, one in found]
    known = zip(lines, found, refs, strict=True)
    return list(await asyncio.gather(*(_kept(request, line, *one, ref, dry) for line, one, ref in known)))


async def _kept(
    request: Request, line: RecordLine, call: Call, found: AcceptedRecord | RefusedRecord, ref: Ref | None, dry: bool
) -> ImportedRecord:
    if isinstance(found, RefusedRecord):
        name, named = _named(line.raw)
        return ImportedRecord(line=line.number, name=name, ref=named, game=None, position=None, sequence=None, error=found)
    try:
        return (await record(request, call, found, ref, line.number, dry=dry))[0]
    except (Exists, RefInUse) as taken:
        rules, where = (taken.rules, taken.where) if isinstance(taken, RefInUse) else ((), UNSET)
        message = taken.in_words(language_of(request))
        refused = RefusedRecord(hand=None, index=None, code=taken.code, rules=rules, message=message, where=where)
        return found.told(line.number, error=refused)


async def record(
    request: Request, call: Call, found: AcceptedRecord, ref: Ref | None, number: int, *, dry: bool
) -> tuple[ImportedRecord, bool]:
    """What became of it, or would, and whether it was recorded before, under the same key. Raises ``Exists`` if another game has its id."""
    services = services_of(request)
    try:
        if found.whole:
            receipt = await services.journal.take_over(call, found.whole.history, found.whole.texts, found.origin, dry_run=dry)
        else:
            receipt = await services.journal.open_game(call, services.new_id(), found.events, ref, found.origin, found.texts, dry_run=dry)
    except Exists as exists:
        return _known_again(exists, found, number), False
    if dry and not receipt.repeated:
        return found.told(number, position=len(found.events)), False
    count_moves(request, receipt)
    game = receipt.after
    return found.told(number, game=game.id, position=game.position, sequence=receipt.sequence), receipt.repeated


def _known_again(exists: Exists, found: AcceptedRecord, number: int) -> ImportedRecord:
    if not exists.same:
        raise exists
    return found.told(number, already=True, game=UUID(str(exists.key)))


def _named(raw: bytes) -> tuple[str | None, NamedElsewhere | None]:
    """What a record that is refused says of its name and its ref, however little of it can be read."""
    try:
        read = decode_json(raw)
    except BadRequest:
        return None, None
    name, ref = read.get("name") if isinstance(read, dict) else None, ref_in(read)
    return name if isinstance(name, str) else None, NamedElsewhere(**ref) if ref else None


def _tried(request: Request, line: RecordLine) -> AcceptedRecord | RefusedRecord:
    try:
        return judge(request, line.raw)
    except Refused as refused:
        hand, index = (refused.hand, refused.index) if isinstance(refused, Refusal) else (None, None)
        return RefusedRecord(hand=hand, index=index, code=refused.code, rules=refused.rules, message=sentence(request, refused))
    except Forbidden as error:
        if not error.where:
            raise
        message = error.in_words(language_of(request))
        return RefusedRecord(hand=None, index=None, code="forbidden", rules=(), message=message, where=error.where)
    except (Malformed, BadRequest) as error:
        return RefusedRecord(
            hand=None, index=None, code=error.code, rules=(), message=error.in_words(language_of(request)), where=error.where or UNSET
        )


def report_of(records: list[ImportedRecord], dry: bool) -> ImportReport:
    refused, already = sum(record.error is not None for record in records), sum(record.already for record in records)
    recorded = len(records) - refused - already
    return ImportReport(dry_run=dry, recorded=recorded, already=already, refused=refused, records=records)
