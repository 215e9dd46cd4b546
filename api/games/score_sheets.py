"""Score sheets as responses: JSON, a table for spreadsheets, a page to print, and PDF."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias
from uuid import UUID

from litestar.params import FromPath
from msgspec import UNSET
from msgspec.structs import replace

from api.common.checkpoints.naming import latest_printed
from api.common.consistency import read_consistent_row, wait_for_sequence
from api.common.exporting import Exporting
from api.common.reading import game_at, table_of
from api.common.signed_sheets import (
    CountedResultView,
    SignedSheet,
    last_signatures,
    list_started_deals,
    list_voided_deals,
    view_signed_sheet,
)
from api.common.texts import with_reasons
from api.games.paper import find_counted_result, names_of_players, paper_of
from api.games.printed_sheet import print_sheet
from api.games.requests import SheetFormat, SheetQuery
from api.games.sheets import as_csv, as_page
from api.http.decoding import copy_fields, read_query
from api.http.media_types import JSON
from api.http.operations import Content, reads
from api.http.pages import SECURITY
from api.http.request import Request, part_of, services_of
from api.http.response import (
    CSV,
    HTML,
    Format,
    Response,
    binary_format,
    build_etag_response,
    choose_format,
    content_hash,
    encode,
    is_known,
    schemas,
)
from domain.game import Game
from domain.score import Sheet, sheet
from projections.models import score_sheets

# Paper formats: a page to print, and PDF.


PaperFormat: TypeAlias = Literal["html", "pdf"]
PAPER: Mapping[PaperFormat, Format] = {"html": HTML, "pdf": binary_format("application/pdf")}
_VARY_BY = "accept, authorization, accept-language"
_NAMED = ("content-disposition", 'inline; filename="score-sheet.pdf"')


async def paper_response(
    request: Request,
    format: PaperFormat,
    game: Game,
    players: Sequence[str | None],
    position: int,
    sheet: Sheet,
    *,
    checkpoint: bool = False,
) -> Response:
    """Return a score sheet as a page or a PDF. ``players`` as the caller may see them, by seat.

    The ETag is made of the whole content: a title can be erased, too. A page takes a millisecond or two; a PDF uses the processor for so
    long that another process makes it.
    """
    paper = await paper_of(request, game, players, position, sheet)
    paper = replace(paper, checkpoint=await latest_printed(request, paper.language, wanted=checkpoint))
    spoken = ("content-language", paper.language)
    if format == "html":
        page = await asyncio.to_thread(as_page, paper)
        return _response(request, format, position, page, page, (*SECURITY, spoken))
    job = await asyncio.to_thread(print_sheet, paper)
    told = job.told.encode()
    known = is_known(request, _etag(format, position, told))
    pdf = b"" if known else await part_of(request.app, Exporting).read_all(request.user, job)
    return _response(request, format, position, told, pdf, (_NAMED, spoken))


def _response(
    request: Request, format: PaperFormat, position: int, told: bytes, body: bytes, headers: Sequence[tuple[str, str]]
) -> Response:
    kind = PAPER[format].content_type
    return build_etag_response(request, _etag(format, position, told), lambda: body, media_type=kind, headers=headers, vary=_VARY_BY)


def _etag(format: PaperFormat, position: int, told: bytes) -> str:
    return f"{position}.{content_hash(told)}.{format}"


FORMATS: Mapping[SheetFormat, Format] = {"json": Format(JSON, SignedSheet), "csv": CSV, "html": PAPER["html"], "pdf": PAPER["pdf"]}
_VARY = "accept, accept-language, authorization"


@reads(
    "/v1/games/{game:uuid}/score-sheet",
    "read_score_sheet",
    "Read the score sheet, now or at any position",
    tag="Reading",
    query=SheetQuery,
    description=(
        "The sheet comes as JSON, CSV, a page to print or PDF, by `Accept` or by `format`; `format` takes precedence. "
        "Without a position the sheet comes from the projection."
    ),
    responses={200: Content("the sheet", schemas(FORMATS), headers=("ETag",))},
    refuses=(406, 501),
)
async def read_score_sheet(request: Request, game: FromPath[UUID]) -> Response:
    query = read_query(request, SheetQuery)
    format = choose_format(request, query.format, FORMATS)
    position, found, has_more = await _sheet(request, game, query)
    found = await with_reasons(request, game, found)
    present = await services_of(request).journal.current(game)
    counted = await find_counted_result(request, present.opened)
    now = await game_at(request, present, position) if format != "json" or has_more else None  # with the players of that time
    if format == "json" or now is None:
        signed = view_signed_sheet(found, now, with_digest=query.digest)
        return _as_json(request, position, replace(signed, counted=copy_fields(counted, CountedResultView) if counted else UNSET))
    players = await names_of_players(request, now)
    beside = list_started_deals(found, now.tries), list_voided_deals(found, now)
    state = f"{position}.{content_hash(encode((found, players, now.signatures, beside, counted)))}"
    match format:
        case "csv":
            etag, headers = f"{state}.{query.dialect or 'csv'}", [("content-disposition", f'attachment; filename="score-sheet-{game}.csv"')]
            told = as_csv(found, players, last_signatures(now.signatures), *beside, query.dialect, counted)
            return build_etag_response(request, etag, lambda: told, media_type=CSV.content_type, headers=headers, vary=_VARY)
        case "html" | "pdf":
            return await paper_response(request, format, now, players, position, found, checkpoint=query.checkpoint)


def _as_json(request: Request, position: int, sheet: SignedSheet) -> Response:
    told = encode(sheet)
    return build_etag_response(request, f"{position}.{content_hash(told)}.json", lambda: told, vary=_VARY)


async def _sheet(request: Request, id: UUID, query: SheetQuery) -> tuple[int, Sheet, bool]:
    """Return the position, the sheet, and whether there may be signatures, fair decks or deals taken back by then.

    The current sheet comes from the projection, one of an earlier position from the events.
    """
    await wait_for_sequence(request, score_sheets.SCORE_SHEETS.name, query.min_sequence)
    if query.position is None:
        row = await read_consistent_row(
            request, score_sheets.SCORE_SHEETS.name, id, lambda: score_sheets.score_sheet(services_of(request).store, id)
        )
        return row.position, row.sheet, row.signatures + row.shuffles + row.rewinds > 0
    game = await services_of(request).journal.current(id)
    table = await table_of(request, game, query.position)
    return query.position, sheet(table.setup, table.score), bool(game.signatures or game.tries or game.voids)
