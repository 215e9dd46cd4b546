"""Standings as of now, any round or moment, with every figure explained; and the difference between two of them."""

import asyncio
from collections.abc import Mapping

from litestar.params import FromPath
from msgspec import UNSET

from api.common.checkpoints.printed import newest_printed, round_sentence
from api.common.names import names_for_caller
from api.common.tables.files import file_info, table_response
from api.common.tables.formats import FILES
from api.common.texts import text_by_id
from api.http.errors import BadRequest, say
from api.http.etag import respond_with_etag
from api.http.formats import CSV, HTML, Format, choose_format, schemas
from api.http.media_types import JSON
from api.http.operations import Content, Operation, reads
from api.http.pages import SECURITY
from api.http.query import read_query
from api.http.request import Request, language_of
from api.http.response import Response, encode
from api.standings.acts import acts_between
from api.standings.as_of import AsOf, StandingsAt, parse_as_of, standings_at
from api.standings.page import as_csv, as_page
from api.standings.requests import DiffQuery, StandingsFormat, StandingsQuery
from api.standings.responses import Standings, StandingsDiff
from api.standings.tables import StandingsFile, rows_of
from api.standings.views import as_of_view, changed_table_view, moved_view, standings_view
from api.tournaments.round_views import named_view
from domain.events import digest
from domain.standings.comparison import changed_outcomes, changed_rows

FORMATS: Mapping[StandingsFormat, Format] = {"json": Format(JSON, Standings), "csv": CSV, "html": HTML, **FILES}
_VARY = "accept, accept-language, authorization"


@reads(
    "/v1/tournaments/{tournament:str}/standings",
    Operation(
        id="read_standings",
        tag="Tournaments",
        summary="Standings as of now, a round or a moment, every figure explained down to the games",
        description="As JSON, CSV, NDJSON, XLSX, Parquet or a page to print: by `Accept`, or by `format`, which goes before it. `round` "
        "counts the first rounds only, with all that is known of them; `at` and `as_of` show what was known at a time or after a "
        "sequence. "
        "With `explain=false` the parts of the figures are left out.",
        query=StandingsQuery,
        responses={200: Content("the standings", schemas(FORMATS), headers=("ETag",))},
        refuses=(404, 406, 501, 503),
        headers=("If-None-Match", "Accept-Language"),
    ),
)
async def read_standings(request: Request, tournament: FromPath[str]) -> Response:
    query = read_query(request, StandingsQuery)
    if query.at is not None and query.as_of is not None:
        raise BadRequest("bad_parameter", say("as_of_twice"), "as_of")
    format = choose_format(request, query.format, FORMATS)
    of = await standings_at(request, tournament, AsOf(round=query.round, sequence=query.as_of, at=query.at))
    told = await asyncio.to_thread(standings_view, of, await _shown(request, of), explained=query.explain or format == "html")
    match format:
        case "json":
            return _response(request, of, await asyncio.to_thread(encode, told))
        case "csv":
            named = ("content-disposition", 'attachment; filename="standings.csv"')
            return _response(request, of, await asyncio.to_thread(as_csv, told), CSV.content_type, named)
        case "ndjson" | "xlsx" | "parquet":
            file = StandingsFile(form=format, about=file_info(request), tie_breaks=told.tie_breaks, rows=rows_of(told))
            return table_response(request, file, format)
        case "html":
            title = await asyncio.to_thread(text_by_id, request, of.tournament.plan.title)
            spoken = language_of(request)
            checkpoint = await newest_printed(request, spoken, wanted=query.checkpoint)
            line = _named(of, told.after, spoken)
            page = await asyncio.to_thread(as_page, told, title or tournament, spoken, checkpoint, line)
            return _response(request, of, page, HTML.content_type, *SECURITY, ("content-language", spoken))


def _named(of: StandingsAt, after: int, language: str) -> str | None:
    """What the closing of the last round that is over named of the log."""
    named = named_view(of.tournament.rounds[after - 1].checkpoint) if after else UNSET
    return None if named is UNSET else round_sentence(after, named.origin, named.size, named.digits, language)


async def _shown(request: Request, of: StandingsAt) -> Mapping[str, str]:
    players = (player for entrant in of.tournament.entrants for player in entrant.everybody)
    return await names_for_caller(request, of.tournament.plan.tournament, players)


def _response(request: Request, of: StandingsAt, body: bytes, kind: str = JSON, *headers: tuple[str, str]) -> Response:
    """With an ETag of the answer itself: results and names also change without an event of the tournament."""
    return respond_with_etag(
        request, f"{of.tournament.position}.{digest(body)[:16]}", lambda: body, media_type=kind, headers=headers, vary=_VARY
    )


@reads(
    "/v1/tournaments/{tournament:str}/standings/diff",
    Operation(
        id="compare_standings",
        tag="Tournaments",
        summary="Who moved between two moments, and which results and rulings made it so",
        description="`from` and `to` are rounds, sequences or times; `to` is now unless it is given.",
        query=DiffQuery,
        responses={200: Content("what lies between", StandingsDiff, headers=("ETag",))},
        refuses=(404, 503),
        headers=("If-None-Match",),
    ),
)
async def compare_standings(request: Request, tournament: FromPath[str]) -> Response:
    query = read_query(request, DiffQuery)
    first, last = (parse_as_of(text, name) for name, text in (("from", query.from_), ("to", query.to)))
    before, after = await standings_at(request, tournament, first, "from"), await standings_at(request, tournament, last, "to")
    tables = changed_outcomes(before.outcomes, after.outcomes)
    games = {game for one in tables for side in (one.before, one.after) if side for game in side.games}
    acts = await asyncio.to_thread(acts_between, request, games, first, last)
    shown = dict(await _shown(request, before)) | dict(await _shown(request, after))
    diff = StandingsDiff(
        tournament=tournament,
        before=as_of_view(first),
        after=as_of_view(last),
        moved=[moved_view(before, after, one, shown) for one in changed_rows(before.lines, after.lines)],
        tables=[changed_table_view(one, acts) for one in tables],
    )
    return _response(request, after, encode(diff))
