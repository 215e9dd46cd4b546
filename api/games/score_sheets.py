"""Score sheets: the one shape, as JSON, as a table for spreadsheets, and on paper."""

import asyncio
from uuid import UUID

from litestar.params import FromPath
from msgspec.structs import replace

from api.common.freshness import fresh, reach
from api.common.reading import mark, table_of, tagged
from api.common.rulebooks import about_of
from api.games.score_pdf import as_pdf
from api.games.sheets import as_csv, as_page
from api.http.fields import SheetQuery
from api.http.negotiation import language, media_type
from api.http.operations import (
    JSON,
    Content,
    Operation,
    reads,
)
from api.http.pages import HTML, SECURITY
from api.http.query import query
from api.http.response import (
    Answer,
    Asked,
    encoded,
    header,
    house_of,
)
from api.players.directory import names_seen
from api.rulings.texts import worded
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
        answers={
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
async def read_score_sheet(request: Asked, game: FromPath[UUID]) -> Answer:
    wanted = query(request, SheetQuery)
    kind = _FORMATS[wanted.format] if wanted.format else media_type(header(request, b"accept"), tuple(_FORMATS.values()))
    position, found = await _sheet(request, game, wanted)
    found = await worded(request, found)
    if kind == JSON:
        told = encoded(found)
        return tagged(request, f"{position}.{mark(told)}.json", lambda: told, vary=_VARY)
    now = await house_of(request).journal.held(game)
    players = await shown_players(request, now)
    state = f"{position}.{mark(encoded((found, players)))}"
    if kind in _ON_PAPER:
        seated = replace(now, opened=replace(now.opened, players=players))
        return await asyncio.to_thread(_paper, request, kind, seated, position, found, state)
    named = ("content-disposition", f'attachment; filename="score-sheet-{game}.csv"')
    return tagged(request, f"{state}.csv", lambda: as_csv(found, players), media_type=_UTF8[CSV], headers=[named], vary=_VARY)


async def shown_players(asked: Asked, game: Game) -> tuple[str | None, ...]:
    """What may stand for the players on the seats before the eyes of the caller."""
    names = await names_seen(asked, game.opened.players)
    return tuple(player and names[player] for player in game.opened.players)


def _paper(asked: Asked, kind: str, game: Game, position: int, found: Sheet, state: str) -> Answer:
    spoken = language(header(asked, b"accept-language"))
    ruleset = house_of(asked).rulesets.get(game.setup.ruleset)
    about = about_of(ruleset) if ruleset else None
    write, headers = _ON_PAPER[kind]
    return tagged(
        asked,
        f"{state}.{spoken}.{kind.rpartition('/')[2]}",
        lambda: write(game.id, position, game.opened, found, about, spoken),
        media_type=_UTF8.get(kind, kind),
        headers=[*headers, ("content-language", spoken)],
        vary=f"{_VARY}, accept-language",
    )


async def _sheet(asked: Asked, id: UUID, wanted: SheetQuery) -> tuple[int, Sheet]:
    """Of now from the projection, of a past position from the events."""
    await reach(asked, score_sheets.SCORE_SHEETS.name, wanted.min_sequence)
    if wanted.position is None:
        row = await fresh(asked, score_sheets.SCORE_SHEETS.name, id, lambda: score_sheets.score_sheet(house_of(asked).store, id))
        return row.position, row.sheet
    game = await house_of(asked).journal.held(id)
    table = await table_of(asked, game, wanted.position)
    return wanted.position, sheet(table.setup, table.score)
