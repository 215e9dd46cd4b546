"""Score sheets: the one shape, as JSON, as a table for spreadsheets, and on paper."""

from collections.abc import Mapping
from uuid import UUID

from litestar.params import FromPath

from api.common.freshness import fresh_row, wait_for_sequence
from api.common.names import names_for_caller
from api.common.reading import game_at, table_of
from api.common.signed_sheets import SignedSheet, begun_deals, last_signatures, signed_sheet, taken_back_deals
from api.common.texts import with_reasons
from api.games.papers import PAPER, paper_response
from api.games.requests import SheetFormat, SheetQuery
from api.games.sheets import as_csv
from api.http.etag import content_hash, respond_with_etag
from api.http.formats import CSV, Format, choose_format, schemas
from api.http.media_types import JSON
from api.http.operations import Content, Operation, reads
from api.http.query import read_query
from api.http.request import Request, services_of
from api.http.response import Response, encode
from domain.game import Game
from domain.score import Sheet, sheet
from projections.models import score_sheets

FORMATS: Mapping[SheetFormat, Format] = {"json": Format(JSON, SignedSheet), "csv": CSV, "html": PAPER["html"], "pdf": PAPER["pdf"]}
_VARY = "accept, accept-language, authorization"


@reads(
    "/v1/games/{game:uuid}/score-sheet",
    Operation(
        id="read_score_sheet",
        tag="Reading",
        summary="The score sheet, now or at any position",
        query=SheetQuery,
        description="JSON, CSV, a page to print or PDF: by `Accept`, or by `format`, which goes before it. Now is as projected.",
        responses={200: Content("the sheet", schemas(FORMATS), headers=("ETag",))},
        refuses=(404, 406, 501, 503),
        headers=("If-None-Match",),
    ),
)
async def read_score_sheet(request: Request, game: FromPath[UUID]) -> Response:
    query = read_query(request, SheetQuery)
    format = choose_format(request, query.format, FORMATS)
    position, found, has_more = await _sheet(request, game, query)
    found = await with_reasons(request, game, found)
    if format == "json" and not has_more:
        return _as_json(request, position, signed_sheet(found, None, with_digest=query.digest))
    now = await game_at(request, await services_of(request).journal.current(game), position)  # with those who sat there then
    if format == "json":
        return _as_json(request, position, signed_sheet(found, now, with_digest=query.digest))
    players = await shown_players(request, now)
    beside = begun_deals(found, now.tries), taken_back_deals(found, now)
    state = f"{position}.{content_hash(encode((found, players, now.signatures, beside)))}"
    match format:
        case "csv":
            headers = [("content-disposition", f'attachment; filename="score-sheet-{game}.csv"')]
            told = as_csv(found, players, last_signatures(now.signatures), *beside)
            return respond_with_etag(request, f"{state}.csv", lambda: told, media_type=CSV.content_type, headers=headers, vary=_VARY)
        case "html" | "pdf":
            return await paper_response(request, format, now, players, position, found, checkpoint=query.checkpoint)


def _as_json(request: Request, position: int, sheet: SignedSheet) -> Response:
    told = encode(sheet)
    return respond_with_etag(request, f"{position}.{content_hash(told)}.json", lambda: told, vary=_VARY)


async def shown_players(request: Request, game: Game) -> tuple[str | None, ...]:
    """The players on the seats, by the names that the caller may see."""
    names = await names_for_caller(request, game.opened.tournament, game.opened.players)
    return tuple(player and names.get(player) for player in game.opened.players)


async def _sheet(request: Request, id: UUID, query: SheetQuery) -> tuple[int, Sheet, bool]:
    """Of now from the projection, of a past position from the events. Beside it whether anybody may have signed by then,
    begun a deck that nobody chose, or taken a deal back."""
    await wait_for_sequence(request, score_sheets.SCORE_SHEETS.name, query.min_sequence)
    if query.position is None:
        row = await fresh_row(request, score_sheets.SCORE_SHEETS.name, id, lambda: score_sheets.score_sheet(services_of(request).store, id))
        return row.position, row.sheet, row.signatures + row.shuffles + row.rewinds > 0
    game = await services_of(request).journal.current(id)
    table = await table_of(request, game, query.position)
    return query.position, sheet(table.setup, table.score), bool(game.signatures or game.tries or game.voids)
