"""Portable records: a game out, and games in, one or many, each judged by its rulebook and recorded as one commit."""

import asyncio
from uuid import UUID

from litestar.params import FromPath

from api.common.commands import call_of
from api.common.reading import mark, tagged
from api.http.answers import Imported, ImportReport
from api.http.decoding import check_media_type
from api.http.errors import BadRequest, Forbidden
from api.http.fields import DryRun, RecordQuery
from api.http.operations import (
    JSON,
    Content,
    Operation,
    reads,
    writes,
)
from api.http.query import query
from api.http.response import (
    NDJSON,
    Answer,
    Asked,
    encoded,
    house_of,
)
from api.http.schemas import RECORD
from api.http.tokens import OFFICIALS
from api.records.imports import (
    imported,
    judged,
    lines_of,
    recorded,
    report,
)
from domain.game import Game
from replay.export import export, export_full

_BATCH = 32


@reads(
    "/v1/games/{game:uuid}/record",
    Operation(
        id="read_record",
        tag="Records",
        summary="The game as a portable record",
        description=(
            "It holds all cards: a viewer gets it once the game is open. For officials `full=true` adds every stored event, void ones "
            "included, and `texts=true` besides the claims, reasons and notes. What moves alone do not tell a simple record notes."
        ),
        query=RecordQuery,
        answers={200: Content("the record", {JSON: RECORD}, headers=("ETag",))},
        refuses=(400, 403, 404),
        headers=("If-None-Match",),
    ),
)
async def read_record(request: Asked, game: FromPath[UUID]) -> Answer:
    wanted = query(request, RecordQuery)
    now = await house_of(request).journal.held(game)
    _check(request, now, wanted)
    body = await asyncio.to_thread(_record, request, now, wanted)
    form = mark(body) if wanted.texts else "full" if wanted.full else "simple"
    return tagged(request, f"{now.position}.{form}.json", lambda: body)


def _check(asked: Asked, game: Game, wanted: RecordQuery) -> None:
    """Raises ``BadRequest`` and ``Forbidden``."""
    if wanted.texts and not wanted.full:
        raise BadRequest("bad_parameter", "texts go with a full record", "texts")
    if asked.user.sees_all:
        return
    if wanted.full:
        # Its events hold digests of what was said, and a short text is found from its digest by trying.
        raise Forbidden("a full record is for officials; without full=true it holds the moves", *OFFICIALS)
    if not game.is_open(game.position):
        raise Forbidden("a record holds all cards, and this game is not open yet", *OFFICIALS)


def _record(asked: Asked, game: Game, wanted: RecordQuery) -> bytes:
    house, name = house_of(asked), str(game.id)
    history = house.journal.history(game.id, limit=game.position)
    if not wanted.full:
        return encoded(export(name, history))
    return encoded(export_full(name, history, house.registers.text if wanted.texts else None))


@writes(
    "/v1/records",
    Operation(
        id="import_records",
        tag="Records",
        summary="Record games from portable records",
        description=(
            "One record as JSON: 201, or a problem if it is refused. Many as NDJSON, one a line: always a report (200), "
            "and those that are accepted are recorded. With `dry_run=true` nothing is recorded (200). A full record is audited and "
            "taken over as it is, under its own id, which takes the role director; a game that is here already is left alone (409)."
        ),
        query=DryRun,
        body={JSON: RECORD, NDJSON: RECORD},
        answers={
            201: Content("the one record is recorded", {JSON: ImportReport}, headers=("Location",)),
            200: Content("what became of each record", {JSON: ImportReport}),
        },
        refuses=(409, 422),
        headers=("Idempotency-Key",),
        role="recorder",
    ),
    request_max_body_size=64 * 1024 * 1024,
)
async def import_records(request: Asked) -> Answer:
    dry = query(request, DryRun).dry_run
    if check_media_type(request, JSON, NDJSON) == JSON:
        return await _one(request, dry)
    records: list[Imported] = []
    async for batch in lines_of(request, _BATCH):
        records += await imported(request, batch, dry)
    return _answer(report(records, dry), 200)


async def _one(asked: Asked, dry: bool) -> Answer:
    """Raises what is wrong with the record."""
    found = await asyncio.to_thread(judged, asked, await asked.body())
    if dry:
        would = Imported(line=1, name=found.name, game=None, position=len(found.events), sequence=None, error=None)
        return _answer(report([would], dry), 200)
    return _answer(report([await recorded(asked, await call_of(asked), found, 1)], dry), 201)


def _answer(body: ImportReport, status: int) -> Answer:
    headers = [("cache-control", "no-store"), ("vary", "accept-language")]
    if status == 201:
        headers.append(("location", f"/v1/games/{body.records[0].game}"))
    return Answer(encoded(body), status=status, headers=headers)
