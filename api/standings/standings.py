"""Standings as of now, any round or moment, with every figure explained."""

import asyncio
from collections.abc import Mapping

from litestar.params import FromPath
from msgspec import UNSET

from api.common.checkpoints.naming import latest_printed, round_sentence
from api.common.shared_reads import share_read
from api.common.tables.columns import encode_csv
from api.common.tables.files import FILES, attachment, file_info, table_response
from api.common.texts import text_by_id
from api.http.decoding import read_query
from api.http.errors import BadRequest, say
from api.http.media_types import JSON
from api.http.operations import Content, reads
from api.http.pages import SECURITY
from api.http.request import Request, language_of
from api.http.response import CSV, HTML, Format, Response, build_etag_response, choose_format, encode, schemas
from api.standings.as_of import AsOf, StandingsAt, standings_at
from api.standings.responses import Standings, StandingsFormat, StandingsQuery
from api.standings.standings_page import as_page
from api.standings.tables import StandingsFile, rows_of, standings_table
from api.standings.views import VARY, names_of_entrants, standings_response, standings_view, tag_of_standings
from api.tournaments.reading import read_disputed_tables
from api.tournaments.round_views import naming_view

# Standings as a page to print, from the same values that are sent as JSON.


FORMATS: Mapping[StandingsFormat, Format] = {"json": Format(JSON, Standings), "csv": CSV, "html": HTML, **FILES}


@reads(
    "/v1/tournaments/{tournament:str}/standings",
    "read_standings",
    "Read the standings now, after a round or at a moment, every figure explained down to the games",
    description=(
        "The standings come as JSON, CSV, NDJSON, XLSX, Parquet or a page to print, by `Accept` or by `format`; `format` "
        "takes precedence. `round` counts the first rounds only, with all present knowledge of them. `at` and `as_of` show "
        "what was known at a time or after a sequence. `explain=false` omits the parts of the figures."
    ),
    query=StandingsQuery,
    responses={200: Content("the standings", schemas(FORMATS), headers=("ETag",))},
    refuses=(406, 503),
    headers=("Accept-Language",),
)
async def read_standings(request: Request, tournament: FromPath[str]) -> Response:
    query = read_query(request, StandingsQuery)
    if query.at is not None and query.as_of is not None:
        raise BadRequest("bad_parameter", say("as_of_twice"), "as_of")
    format = choose_format(request, query.format, FORMATS)
    if format == "json" and query.at is None and query.as_of is None:
        tag, body = await share_read(request, ("standings", tournament, query), lambda: _encode_now(request, tournament, query))
        return build_etag_response(request, tag, lambda: body, vary=VARY)
    of = await standings_at(request, tournament, AsOf(round=query.round, sequence=query.as_of, at=query.at))
    told = await _view(request, of, explained=query.explain or format == "html")
    match format:
        case "json":
            return standings_response(request, of, await asyncio.to_thread(encode, told))
        case "csv":
            named = await attachment(request, "standings", format, tournament)
            heading = [column.name for column in standings_table(told.tie_breaks).columns]
            body = b"".join(encode_csv(heading, [rows_of(told)], query.dialect))
            return standings_response(request, of, body, CSV.content_type, named)
        case "ndjson" | "xlsx" | "parquet":
            return await table_response(request, StandingsFile.of(told, format, file_info(request)), format, tournament)
        case "html":
            title = await asyncio.to_thread(text_by_id, request, of.tournament.plan.title)
            spoken = language_of(request)
            checkpoint = await latest_printed(request, spoken, wanted=query.checkpoint)
            line = _describe_checkpoint(of, told.after, spoken)
            page = await asyncio.to_thread(as_page, told, title or tournament, spoken, checkpoint, line)
            return standings_response(request, of, page, HTML.content_type, *SECURITY, ("content-language", spoken))


async def _encode_now(request: Request, tournament: str, query: StandingsQuery) -> tuple[str, bytes]:
    """Return the tag and the body of the current standings as JSON."""
    of = await standings_at(request, tournament, AsOf(round=query.round))
    body = await asyncio.to_thread(encode, await _view(request, of, explained=query.explain))
    return tag_of_standings(of, body), body


async def _view(request: Request, of: StandingsAt, *, explained: bool) -> Standings:
    shown, undecided = await names_of_entrants(request, of), await _count_open_disputes(request, of)
    return await asyncio.to_thread(standings_view, of, shown, language_of(request), explained=explained, undecided=undecided)


async def _count_open_disputes(request: Request, of: StandingsAt) -> int | None:
    """Return the number of undecided disputes in the rounds that count; ``None`` for a moment that is past."""
    if of.as_of.sequence is not None or of.as_of.at is not None:
        return None
    last = of.as_of.round or len(of.tournament.rounds)
    return sum(one.round <= last for one in await read_disputed_tables(request, of.tournament.plan.tournament))


def _describe_checkpoint(of: StandingsAt, after: int, language: str) -> str | None:
    """Return the sentence about the checkpoint that the closing of the last finished round named."""
    named = naming_view(of.tournament.rounds[after - 1].checkpoint) if after else UNSET
    return None if named is UNSET else round_sentence(after, named.origin, named.size, named.digits, language)
