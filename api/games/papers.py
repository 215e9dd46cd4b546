"""A score sheet on paper: as a page to print, and as PDF."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Literal, TypeAlias

from msgspec.structs import replace

from api.common.checkpoints.printed import newest_printed
from api.common.exporting import exporting_of
from api.common.rulebooks import about_of
from api.common.signed_sheets import begun_deals, last_signatures, taken_back_deals
from api.common.texts import tournament_title
from api.games.score_pdf import sheet_pdf
from api.games.sheets import Paper, as_page
from api.http.etag import content_hash, is_known, respond_with_etag
from api.http.formats import HTML, Format, binary_format
from api.http.negotiation import language
from api.http.pages import SECURITY
from api.http.request import Request, header, services_of
from api.http.response import Response
from domain.events.played import said_day
from domain.game import Game
from domain.journal.application import Journal
from domain.score import Sheet

PaperFormat: TypeAlias = Literal["html", "pdf"]
PAPER: Mapping[PaperFormat, Format] = {"html": HTML, "pdf": binary_format("application/pdf")}
_VARY = "accept, authorization, accept-language"
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
    """``players`` as the caller may see them, by seat. The ETag is made of all that stands there: a title can be erased, too.

    A page takes a millisecond or two; a PDF takes the processor for so long that another process makes it.
    """
    paper = await _paper(request, game, players, position, sheet)
    paper = replace(paper, checkpoint=await newest_printed(request, paper.language, wanted=checkpoint))
    spoken = ("content-language", paper.language)
    if format == "html":
        page = await asyncio.to_thread(as_page, paper)
        return _response(request, format, position, page, page, (*SECURITY, spoken))
    job = await asyncio.to_thread(sheet_pdf, paper)
    told = job.told.encode()
    known = is_known(request, _etag(format, position, told))
    pdf = b"" if known else await exporting_of(request).whole(request.user, job)
    return _response(request, format, position, told, pdf, (_NAMED, spoken))


def _response(
    request: Request, format: PaperFormat, position: int, told: bytes, body: bytes, headers: Sequence[tuple[str, str]]
) -> Response:
    kind = PAPER[format].content_type
    return respond_with_etag(request, _etag(format, position, told), lambda: body, media_type=kind, headers=headers, vary=_VARY)


def _etag(format: PaperFormat, position: int, told: bytes) -> str:
    return f"{position}.{content_hash(told)}.{format}"


async def _paper(request: Request, game: Game, players: Sequence[str | None], position: int, sheet: Sheet) -> Paper:
    services, id = services_of(request), game.opened.tournament
    ruleset = services.rulesets.get(game.setup.ruleset)
    return Paper(
        game=game.id,
        position=position,
        opened=game.opened,
        players=tuple(players),
        sheet=sheet,
        about=about_of(ruleset) if ruleset else None,
        tournament=id and (await tournament_title(request, id) or id),
        day=await asyncio.to_thread(_day, services.journal, game),
        language=language(header(request, b"accept-language")),
        signatures=last_signatures(game.signatures),
        begun=begun_deals(sheet, game.tries),
        taken_back=taken_back_deals(sheet, game),
    )


def _day(journal: Journal, game: Game) -> date:
    """When the first hand was at the table, else the game; where nobody said so, when it was recorded."""
    positions = (*(deal.position for deal in game.deals[:1]), 1)
    events = [one for position in positions for one in journal.history(game.id, position - 1, 1)]
    said = (said_day(one) for one in events)
    return next((day for day in said if day), events[0].stamp.at.date())
