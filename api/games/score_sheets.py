"""Score sheets: the one shape, as JSON, as a table for spreadsheets, and on paper."""

import asyncio
from uuid import UUID

from litestar.params import FromPath
from msgspec.structs import replace

from api.common.freshness import fresh_row, wait_for_sequence
from api.common.names import names_for_caller
from api.common.reading import table_of
from api.common.rulebooks import about_of
from api.common.texts import with_reasons
from api.games.requests import SheetQuery
from api.games.score_pdf import as_pdf
from api.games.sheets import as_csv, as_page
from api.http.etag import content_hash, respond_with_etag
from api.http.negotiation import language, media_type
from api.http.operations import JSON, Content, Operation, reads
from api.http.pages import HTML, SECURITY
from api.http.query import read_query
from api.http.request import Request, header, services_of
from api.http.response import Response, encode
from domain.game import Game
from domain.score import Sheet, sheet
from projections.models import score_sheets

CSV = "text/csv"
PDF = "application/pdf"
_FORMATS = {"json": JSON, "csv": CSV, "html": HTML, "pdf": PDF}
_ON_PAPER = {HTML: (as_page, SECURITY), PDF: (as_pdf, (("content-disposition", 'inline; filename="score-sheet.pdf"'),))}
_UTF8 = {CSV: "text/csv; charset=utf-8; header=present", HTML: "text/html; charset=utf-8"}
_VARY = "accept, authorization"


@reads(
    "/v1/games/{game:uuid}/score-sheet",
    Operation(
        id="read_score_sheet",
        tag="Reading",
        summary="The score sheet, now or at any position",
        query=SheetQuery,
        description="JSON, CSV, a page to print or PDF: by `Accept`, or by `format`, which goes before it. Now is as projected.",
        responses={
            200: Content(
                "the sheet",
                {JSON: Sheet, CSV: {"type": "string"}, HTML: {"type": "string"}, PDF: {"type": "string", "contentMediaType": PDF}},
                headers=("ETag",),
            )
        },
        refuses=(404, 406, 501, 503),
        headers=("If-None-Match",),
    ),
)
async def read_score_sheet(request: Request, game: FromPath[UUID]) -> Response:
    query = read_query(request, SheetQuery)
    kind = _FORMATS[query.format] if query.format else media_type(header(request, b"accept"), tuple(_FORMATS.values()))
    position, found = await _sheet(request, game, query)
    found = await with_reasons(request, found)
    if kind == JSON:
        told = encode(found)
        return respond_with_etag(request, f"{position}.{content_hash(told)}.json", lambda: told, vary=_VARY)
    now = await services_of(request).journal.current(game)
    players = await shown_players(request, now)
    state = f"{position}.{content_hash(encode((found, players)))}"
    if kind in _ON_PAPER:
        seated = replace(now, opened=replace(now.opened, players=players))
        return await asyncio.to_thread(_paper, request, kind, seated, position, found, state)
    named = ("content-disposition", f'attachment; filename="score-sheet-{game}.csv"')
    return respond_with_etag(request, f"{state}.csv", lambda: as_csv(found, players), media_type=_UTF8[CSV], headers=[named], vary=_VARY)


async def shown_players(request: Request, game: Game) -> tuple[str | None, ...]:
    """The players on the seats, by the names that the caller may see."""
    names = await names_for_caller(request, game.opened.players)
    return tuple(player and names[player] for player in game.opened.players)


def _paper(request: Request, kind: str, game: Game, position: int, found: Sheet, state: str) -> Response:
    spoken = language(header(request, b"accept-language"))
    ruleset = services_of(request).rulesets.get(game.setup.ruleset)
    about = about_of(ruleset) if ruleset else None
    write, headers = _ON_PAPER[kind]
    return respond_with_etag(
        request,
        f"{state}.{spoken}.{kind.rpartition('/')[2]}",
        lambda: write(game.id, position, game.opened, found, about, spoken),
        media_type=_UTF8.get(kind, kind),
        headers=[*headers, ("content-language", spoken)],
        vary=f"{_VARY}, accept-language",
    )


async def _sheet(request: Request, id: UUID, query: SheetQuery) -> tuple[int, Sheet]:
    """Of now from the projection, of a past position from the events."""
    await wait_for_sequence(request, score_sheets.SCORE_SHEETS.name, query.min_sequence)
    if query.position is None:
        row = await fresh_row(request, score_sheets.SCORE_SHEETS.name, id, lambda: score_sheets.score_sheet(services_of(request).store, id))
        return row.position, row.sheet
    game = await services_of(request).journal.current(id)
    table = await table_of(request, game, query.position)
    return query.position, sheet(table.setup, table.score)
