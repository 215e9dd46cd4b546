"""Score sheets: the one shape, as JSON, as a table for spreadsheets, and as a page to print."""

from uuid import UUID

from litestar.params import FromPath

from api.freshness import fresh, reach
from api.http import Answer, Asked, encoded, house_of
from api.operations import JSON, Content, Operation, reads
from api.queries import query
from api.reading import table_of, tagged
from api.wire import SheetQuery
from domain.score import Sheet, sheet
from projections import score_sheets


@reads(
    "/v1/games/{game:uuid}/score-sheet",
    Operation(
        id="read_score_sheet",
        tag="Reading",
        summary="The score sheet, now or at any position",
        query=SheetQuery,
        answers={200: Content("the sheet", {JSON: Sheet}, headers=("ETag",))},
        refuses=(404, 406, 503),
        headers=("If-None-Match",),
    ),
)
async def read_score_sheet(request: Asked, game: FromPath[UUID]) -> Answer:
    wanted = query(request, SheetQuery)
    position, found = await _sheet(request, game, wanted)
    return tagged(request, f"{position}.sheet.json", lambda: encoded(found))


async def _sheet(asked: Asked, id: UUID, wanted: SheetQuery) -> tuple[int, Sheet]:
    """Of now from the projection, of a past position from the events."""
    await reach(asked, wanted.min_sequence)
    if wanted.position is None:
        row = await fresh(asked, id, lambda: score_sheets.score_sheet(house_of(asked).store, id))
        return row.position, row.sheet
    game = await house_of(asked).journal.held(id)
    table = await table_of(asked, game, wanted.position)
    return wanted.position, sheet(table.setup, table.score)
