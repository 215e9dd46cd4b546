"""The tables of a series as of now, of a tournament or of a moment; and what differs between two of them."""

import asyncio
from collections.abc import Iterator, Mapping

from litestar.params import FromPath

from api.common.names import name_viewer_of
from api.common.shared_reads import share_read
from api.common.tables.columns import encode_csv
from api.common.tables.files import FILES, FormName, attachment, file_info, table_response
from api.common.texts import text_by_id
from api.common.time_zone import zone_of
from api.http.decoding import read_query
from api.http.errors import BadRequest, say
from api.http.media_types import JSON
from api.http.operations import Content, reads
from api.http.request import Request, services_of
from api.http.response import CSV, Format, Response, build_etag_response, choose_format, content_hash, encode, schemas
from api.series.reading import SeriesAt, SeriesPoint, names_in_series, series_at
from api.series.requests import SeriesDiffQuery, SeriesStandingsQuery
from api.series.responses import SeriesChange, SeriesDiff, SeriesStandings
from api.series.tables import SERIES, SeriesFile, move_views, point_view, rows_of, series_standings_view
from api.standings.as_of import parse_as_of
from api.standings.comparison import list_act_views
from api.standings.views import table_change_view
from domain.standings.standings import list_changed_tables

_FORMATS: Mapping[FormName, Format] = {"json": Format(JSON, SeriesStandings), **FILES}
_TOURNAMENT = "tournament:"
_VARY = "accept, accept-language, authorization"


@reads(
    "/v1/series/{series:str}/standings",
    "read_series_standings",
    "Read the tables of a series now, after a tournament or at a moment",
    description=(
        "JSON, CSV, NDJSON, XLSX or Parquet, by `Accept` or by `format`. Each result names its tournament and its entrants there; the "
        "standings of the tournament explain it down to the games. `at` and `as_of` show what was known at a time or after a sequence."
    ),
    query=SeriesStandingsQuery,
    responses={200: Content("the tables", schemas(_FORMATS), headers=("ETag",))},
    refuses=(406, 503),
    headers=("Accept-Language",),
)
async def read_series_standings(request: Request, series: FromPath[str]) -> Response:
    query = read_query(request, SeriesStandingsQuery)
    if query.at is not None and query.as_of is not None:
        raise BadRequest("bad_parameter", say("as_of_twice"), "as_of")
    format = choose_format(request, query.format, _FORMATS)
    if format == "json" and query.at is None and query.as_of is None:
        now = await share_read(request, ("series", series, query.after), lambda: _encode_now(request, series, query.after))
        return _response(request, now)
    told = await tell_series(request, await series_at(request, series, SeriesPoint(after=query.after, sequence=query.as_of, at=query.at)))
    if format == "csv":
        body = b"".join(encode_csv([column.name for column in SERIES.columns], [rows_of(told)], query.dialect))
        named = await attachment(request, SERIES.name, format)
        return build_etag_response(
            request, f"{content_hash(body)}.csv", lambda: body, media_type=CSV.content_type, headers=(named,), vary=_VARY
        )
    if format != "json":
        return await table_response(request, SeriesFile(form=format, about=file_info(request), rows=rows_of(told)), format)
    return _response(request, encode(told))


async def _encode_now(request: Request, series: str, after: str | None) -> bytes:
    return encode(await tell_series(request, await series_at(request, series, SeriesPoint(after=after))))


async def tell_series(request: Request, of: SeriesAt) -> SeriesStandings:
    """Return the tables as the caller may see them."""
    return await asyncio.to_thread(_view, request, of)


def _view(request: Request, of: SeriesAt) -> SeriesStandings:
    shown = names_in_series(services_of(request).registers, name_viewer_of(request), of)
    sees_all = request.user.has_full_view
    reasons = [text_by_id(request, one.reason) if sees_all else None for one in of.series.adjustments]
    return series_standings_view(of, text_by_id(request, of.series.title), shown, reasons)


def _response(request: Request, body: bytes) -> Response:
    return build_etag_response(request, f"{content_hash(body)}.json", lambda: body, vary=_VARY)


@reads(
    "/v1/series/{series:str}/standings/diff",
    "compare_series_standings",
    "Compare the tables of a series at two moments, with the results and rulings between them",
    description="`old` and `new` are tournaments (`tournament:ID`, the table after it), sequences or times; `new` defaults to now.",
    query=SeriesDiffQuery,
    responses={200: Content("the differences", SeriesDiff, headers=("ETag",))},
    refuses=(503,),
)
async def compare_series_standings(request: Request, series: FromPath[str]) -> Response:
    query = read_query(request, SeriesDiffQuery)
    zone = await zone_of(request, None)
    first, last = (_parse_point(text, name, zone) for name, text in (("old", query.old), ("new", query.new)))
    before, after = await series_at(request, series, first, "old"), await series_at(request, series, last, "new")
    shown = await asyncio.to_thread(names_in_series, services_of(request).registers, name_viewer_of(request), after, before)
    was, now = ([one.tournament for one in at.played] for at in (before, after))
    changes = await asyncio.to_thread(lambda: list(_list_changes(request, before, after)))
    diff = SeriesDiff(
        series=series,
        before=point_view(first),
        after=point_view(last),
        moved=list(move_views(before, after, shown)),
        only_before=[one for one in was if one not in now],
        only_after=[one for one in now if one not in was],
        tournaments=changes,
    )
    return _response(request, encode(diff))


def _parse_point(text: str, name: str, zone: str) -> SeriesPoint:
    if text.startswith(_TOURNAMENT):
        return SeriesPoint(after=text.removeprefix(_TOURNAMENT))
    as_of = parse_as_of(text, name, zone)
    if as_of.round is not None:
        raise BadRequest("bad_parameter", say("series_as_of"), name)
    return SeriesPoint(sequence=as_of.sequence, at=as_of.at)


def _list_changes(request: Request, before: SeriesAt, after: SeriesAt) -> Iterator[SeriesChange]:
    """Yield the tournaments of both whose tables have other outcomes, with the acts in their games in between."""
    both = {one.tournament for one in before.played}
    for one in (played.tournament for played in after.played if played.tournament in both):
        tables = list_changed_tables(before.standings[one].outcomes, after.standings[one].outcomes)
        games = {game for table in tables for side in (table.before, table.after) if side for game in side.games}
        acts = list_act_views(request, games, before.moment.of_tournaments, after.moment.of_tournaments) if games else []
        if tables:
            yield SeriesChange(tournament=one, tables=[table_change_view(table, acts) for table in tables])
