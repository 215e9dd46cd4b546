"""Portable records: export a game, and import one or many, each judged by its rulebook and recorded as one commit."""

import asyncio
from collections.abc import Iterator
from functools import partial
from typing import Annotated, TypeAlias
from uuid import UUID

from litestar.params import FromPath
from msgspec import Meta

from api.common.access_audit import record_game_access
from api.common.commands import call_of, erase_once, idempotency_key, replay_header
from api.common.long_reads import long_body
from api.common.reading import load_openness_context
from api.http.decoding import DryRun, DryRunOnly, Incoming, Number, check_media_type, read_query
from api.http.errors import BadRequest, say
from api.http.media_types import JSON, NDJSON
from api.http.operations import HEAVY, Content, ends, reads, writes
from api.http.request import Request, body_of, language_of, services_of
from api.http.response import Response, encode
from api.records.imports import BYTES, import_lines, judge, judge_apart, lines_of, record, report_of
from api.records.responses import ImportedRecord, ImportReport, MetaErased
from api.records.schema import RECORD
from api.threads import use_pool
from domain.access import OFFICIALS
from domain.errors import Forbidden
from domain.game import Game
from domain.journal.commits import Copies
from domain.opening import OpennessContext
from replay.export import HistoryPages, write_full_record, write_record

# Parameters of export and import.


Copy: TypeAlias = Annotated[
    Number,
    Meta(description=("the number of the first record here among the equal records of its file, if you send a file in several requests")),
]


class RecordQuery(Incoming, frozen=True, kw_only=True):
    """The content of the record; everything but the moves is for officials."""

    full: Annotated[bool, Meta(description="with every stored event, void ones included; for officials")] = False
    texts: Annotated[bool, Meta(description="beside `full=true`: with the claims, reasons and notes that people wrote")] = False


class ImportQuery(Incoming, frozen=True, kw_only=True):
    dry_run: DryRunOnly = False
    copy: Copy = 1


_BATCH = 32  # records that are judged in a thread at a time


@reads(
    "/v1/games/{game:uuid}/record",
    "read_record",
    "Export a game as a portable record",
    weight=HEAVY,
    tag="Records",
    description=(
        "A record holds all cards: a viewer gets it once the game is open. For officials `full=true` adds every stored "
        "event, void ones included, and `texts=true` also adds claims, reasons and notes. A simple record notes what moves "
        "alone do not show. Only officials get `meta`, the metadata of the record from which the game was imported."
    ),
    query=RecordQuery,
    responses={200: Content("the record", RECORD, headers=("ETag",))},
    refuses=(400, 403),
)
async def read_record(request: Request, game: FromPath[UUID]) -> Response:
    query = read_query(request, RecordQuery)
    now = await services_of(request).journal.current(game)
    around = await load_openness_context(request, now)
    _check(request, now, query, around)
    record_game_access(request, now, around)
    body = await _record(request, now.position, now.id, now.position, query)
    # The metadata of a record and texts of people can be erased without a new position, so their ETag is made of the content.
    form = body.digest if request.user.has_full_view else f"simple.{language_of(request)}"
    return await body.build_response(request, f"{now.position}.{form}.json", vary="accept-language, authorization")


def _check(request: Request, game: Game, query: RecordQuery, around: OpennessContext) -> None:
    """Check that the caller may read this record. Raises ``BadRequest`` and ``Forbidden``."""
    if query.texts and not query.full:
        raise BadRequest("bad_parameter", say("texts_alone"), "texts")
    if request.user.has_full_view:
        return
    if query.full:
        # Its events hold digests of texts, and a short text can be found from its digest by trying.
        raise Forbidden(say("full_record_closed"), *OFFICIALS)
    if not game.are_hands_open(around):
        raise Forbidden(say("record_closed"), *OFFICIALS)


@long_body("records")
def _record(request: Request, id: UUID, position: int, query: RecordQuery) -> Iterator[bytes]:
    """Yield the record. Its times stand as they are stored, so that an import gets the same bytes."""
    services, name = services_of(request), str(id)
    history = HistoryPages(partial(services.journal.history, id), position)
    origin = services.registers.find_origin(id)
    beside = origin.as_record(with_meta=request.user.has_full_view) if origin else {}
    if query.full:
        return write_full_record(name, history, services.registers.find_text if query.texts else None, beside)
    words = services.registers.text if request.user.has_full_view else None
    return write_record(name, history, language_of(request), beside, lambda ref: words(ref.id) if words else None)


@writes(
    "/v1/records",
    "import_records",
    "Import games from portable records",
    description=(
        "One record comes as JSON: 201, or a problem if it is refused. Many come as NDJSON, one a line: the answer is "
        "always a report (200), and every accepted one is recorded. With `dry_run=true` nothing is recorded (200). A full "
        "record is audited and imported unchanged, under its own id; this needs the role director. It never overwrites "
        "another game of that id (409). A record that was imported before adds nothing, however its JSON is spelt; the "
        "report names its game (200, `already`). A record with a `ref` is recognised by it, and refused with other content "
        "(409, `ref_taken`). Equal records without a `ref` in one file become one game each. If you send a file in several "
        "requests, `copy` says which of its equal records the first one in the request is."
    ),
    query=ImportQuery,
    body={JSON: RECORD, NDJSON: RECORD},
    responses={
        201: Content("the one record is recorded", ImportReport, headers=("Location",), creates={"game": "/records/0/game"}),
        200: Content("the outcome of each record; of a single one, that its game was imported before", ImportReport),
    },
    refuses=(409, 422),
    role="recorder",
    within="body",
    longest_body=64 * 1024 * 1024,
)
async def import_records(request: Request) -> Response:
    query = read_query(request, ImportQuery)
    idempotency_key(request)  # raises also where no line would be recorded under it
    dry, copies = query.dry_run, Copies(query.copy)
    if dry:
        use_pool("reading")
    if check_media_type(request, JSON, NDJSON) == JSON:
        return await _one(request, copies, dry)
    records: list[ImportedRecord] = []
    async for batch in lines_of(request, _BATCH):
        records += await import_lines(request, batch, copies, dry)
    return _report_response(report_of(records, dry), 200)


async def _one(request: Request, copies: Copies, dry: bool) -> Response:
    """Import one record. Raises the error of the record."""
    body = await body_of(request)
    found = await (judge_apart(request, len(body) // BYTES, body) if dry else asyncio.to_thread(judge, request, body))
    ref = found.found.ref(copies)
    done, repeated = await record(request, await call_of(request), found, ref, 1, dry=dry)
    return _report_response(report_of([done], dry), 200 if done.already or dry else 201, repeated=repeated)


def _report_response(body: ImportReport, status: int, *, repeated: bool = False) -> Response:
    headers = [("cache-control", "no-store"), ("vary", "accept-language"), *replay_header(repeated=repeated)]
    if status == 201:
        headers.append(("location", f"/v1/games/{body.records[0].game}"))
    return Response(encode(body), status=status, headers=headers)


@ends(
    "/v1/games/{game:uuid}/meta",
    "erase_meta",
    "Erase the metadata that came with a game's record, permanently",
    tag="Records",
    description=(
        "The `meta` of the imported record is erased; the game and its `ref` stay. The key of the import request stays "
        "taken. Exported files still hold the `meta`. A repetition answers `erased: false`."
    ),
    query=DryRun,
    responses={200: Content("whether there was anything to erase", MetaErased)},
    role="director",
)
async def erase_meta(request: Request, game: FromPath[UUID]) -> Response:
    registers = services_of(request).registers
    id = (await services_of(request).journal.current(game)).id

    def exists() -> bool:
        origin = registers.find_origin(id)
        return origin is not None and origin.meta is not None

    erase = partial(registers.erase_meta, id)
    return await erase_once(request, exists, erase, lambda erased: MetaErased(game=game, erased=erased))


@reads(
    "/schemas/record.json",
    "record_schema",
    "Read the JSON Schema of the portable record",
    tag="Records",
    responses={200: Content("JSON Schema, draft 2020-12", {"application/schema+json": {"type": "object"}})},
    role="anybody",
)
async def record_schema(request: Request) -> Response:
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **RECORD}
    return Response(encode(schema), media_type="application/schema+json", headers=(("cache-control", "max-age=86400"),))
