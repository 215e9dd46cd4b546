"""Import of records: each is judged in a thread and recorded as one commit. A refused record does not keep the others out."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

from msgspec import UNSET, Struct

from api.common.commands import count_moves, idempotency_key, line_call
from api.common.long_reads import long_read
from api.http.decoding import copy_fields, decode_json
from api.http.errors import BadRequest, say
from api.http.limits import more_time, note_part_recorded
from api.http.places import check_place
from api.http.problems import sentence
from api.http.request import Request, language_of, services_of
from api.records.accepted import Accepted, accept
from api.records.responses import ExternalName, ImportedRecord, ImportReport, RefusedRecord
from domain.access import ARBITERS, Place
from domain.errors import Exists, Forbidden, InvalidFormatError, RefInUse, Refused
from domain.journal.commits import Call, Copies, Ref
from replay.external_context import first_act, ref_in
from replay.record import Record, Refusal, is_full_record, parse

LONGEST = 8 * 1024 * 1024
"""Most bytes of one record."""

BYTES = 64
"""Approximate bytes of a record per event."""


class RecordLine(Struct, frozen=True):
    """A line that holds a record; ``number`` counts all lines from 1."""

    number: int
    raw: bytes


class JudgedRecord(Struct, frozen=True):
    """An accepted record with its own name."""

    name: str | None
    found: Accepted

    def view_report(self, number: int, **what: Any) -> ImportedRecord:
        """Return the report on this record; ``what``: the fields that are not null."""
        ref = self.found.origin.ref if self.found.origin else None
        fields: dict[str, Any] = {"game": None, "position": None, "sequence": None, "error": None, **what}
        return ImportedRecord(line=number, name=self.name, ref=copy_fields(ref, ExternalName) if ref else None, **fields)


async def lines_of(request: Request, count: int) -> AsyncIterator[list[RecordLine]]:
    """Yield the lines that are not blank, ``count`` at a time, without holding the whole body. Raises ``BadRequest`` for a line that is too
    long.
    """
    number = 0
    lines: list[RecordLine] = []
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


def judge(request: Request, raw: bytes) -> JudgedRecord:
    """Judge a record. Raises ``BadRequest``, ``InvalidFormatError``, ``Forbidden``, and ``Refusal`` with the place."""
    services = services_of(request)
    read = decode_json(raw)
    record = parse(read)
    check_place(request, Place(record.context.tournament, record.context.round, record.context.table))
    request.scope["state"]["ruleset"] = record.ruleset
    if is_full_record(read):
        _check_can_import_events(request)
    else:
        _check_act_roles(request, record)
    making = (services.rulesets, services.editions, services.clock, services.new_id, services.new_salt)
    return JudgedRecord(record.name, accept(read, record, request.user.id, *making))


judge_apart = long_read("imports")(judge)


def _check_can_import_events(request: Request) -> None:
    """Raise ``Forbidden`` for others than directors: stored events bring their own times and the names of those who recorded them."""
    if request.user.role != "director":
        raise Forbidden(say("events_by_director"), "director")


def _check_act_roles(request: Request, record: Record) -> None:
    """Raise ``Forbidden`` with the place for an act that only officials may record."""
    place = first_act(record.hands)
    if place is not None and request.user.role not in ARBITERS:
        raise Forbidden(say("acts_by_arbiter", place=place), *ARBITERS, where=place)


async def import_lines(request: Request, lines: Sequence[RecordLine], copies: Copies, dry: bool) -> list[ImportedRecord]:
    """Judge and record lines; return a report on each. They are recorded together, so that the journal can commit them in groups."""
    more_time(request, len(lines))
    if not dry:
        note_part_recorded(request)
    key = idempotency_key(request)
    if dry:
        found = await _tried_apart(request, sum(len(line.raw) for line in lines) // BYTES, lines, key)
    else:
        found = await asyncio.to_thread(_try_records, request, lines, key)
    refs = [one.found.ref(copies) if isinstance(one, JudgedRecord) else None for _, one in found]
    known = zip(lines, found, refs, strict=True)
    return list(await asyncio.gather(*(_keep_record(request, line, *one, ref, dry) for line, one, ref in known)))


def _try_records(request: Request, lines: Sequence[RecordLine], key: str | None) -> list[tuple[Call, JudgedRecord | RefusedRecord]]:
    return [(line_call(request, key, line.number, line.raw), _try_record(request, line)) for line in lines]


_tried_apart = long_read("imports")(_try_records)


async def _keep_record(
    request: Request, line: RecordLine, call: Call, found: JudgedRecord | RefusedRecord, ref: Ref | None, dry: bool
) -> ImportedRecord:
    if isinstance(found, RefusedRecord):
        name, named = _read_names(line.raw)
        return ImportedRecord(line=line.number, name=name, ref=named, game=None, position=None, sequence=None, error=found)
    try:
        return (await record(request, call, found, ref, line.number, dry=dry))[0]
    except (Exists, RefInUse) as taken:
        rules, where = (taken.rules, taken.where) if isinstance(taken, RefInUse) else ((), UNSET)
        message = taken.in_words(language_of(request))
        refused = RefusedRecord(hand=None, index=None, code=taken.code, rules=rules, message=message, where=where)
        return found.view_report(line.number, error=refused)


async def record(
    request: Request, call: Call, found: JudgedRecord, ref: Ref | None, number: int, *, dry: bool
) -> tuple[ImportedRecord, bool]:
    """Record one record, or try it. Return the report, and whether this is a repetition under the same key.

    Raises ``Exists`` if another game has its id.
    """
    accepted = found.found
    brought = await services_of(request).journal.import_game(call, accepted.commit(ref, call.command), whole=accepted.whole, dry_run=dry)
    if brought.already:
        return found.view_report(number, already=True, game=brought.game), False
    if dry and not brought.repeated:
        return found.view_report(number, position=len(accepted.events)), False
    count_moves(request, 0 if brought.repeated else accepted.moves)
    return found.view_report(number, game=brought.game, position=brought.position, sequence=brought.sequence), brought.repeated


def _read_names(raw: bytes) -> tuple[str | None, ExternalName | None]:
    """Return name and ref of a refused record, as far as it can be read."""
    try:
        read = decode_json(raw)
    except BadRequest:
        return None, None
    name, ref = read.get("name") if isinstance(read, dict) else None, ref_in(read)
    return name if isinstance(name, str) else None, ExternalName(**ref) if ref else None


def _try_record(request: Request, line: RecordLine) -> JudgedRecord | RefusedRecord:
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
    except (InvalidFormatError, BadRequest) as error:
        return RefusedRecord(
            hand=None, index=None, code=error.code, rules=(), message=error.in_words(language_of(request)), where=error.where or UNSET
        )


def report_of(records: list[ImportedRecord], dry: bool) -> ImportReport:
    refused, already = sum(record.error is not None for record in records), sum(record.already for record in records)
    recorded = len(records) - refused - already
    return ImportReport(dry_run=dry, recorded=recorded, already=already, refused=refused, records=records)
