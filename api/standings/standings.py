"""Standings as of now, any round or moment, with every figure explained; and the difference between two of them."""

import asyncio
from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from litestar.params import FromPath
from msgspec import UNSET

from api.common.checkpoints.naming import PrintedCheckpoint, latest_printed, round_sentence
from api.common.lists import lots_line, number
from api.common.names import names_for_caller
from api.common.tables.dialects import encode_csv
from api.common.tables.file_names import attachment
from api.common.tables.files import FILES, file_info, table_response
from api.common.texts import text_by_id
from api.common.time_zone import zone_of
from api.http.decoding import read_query
from api.http.errors import BadRequest, say
from api.http.formats import CSV, HTML, Format, choose_format, schemas
from api.http.media_types import JSON
from api.http.operations import Content, Operation, reads
from api.http.pages import SECURITY, render_template
from api.http.request import Request, language_of, services_of
from api.http.response import Response, build_etag_response, encode
from api.standings.as_of import AsOf, StandingsAt, parse_as_of, standings_at
from api.standings.responses import ActView, DiffQuery, Standings, StandingsDiff, StandingsFormat, StandingsQuery
from api.standings.tables import StandingsFile, lay_out_cross_table, rows_of, standings_table
from api.standings.views import as_of_view, row_change_view, standings_view, table_change_view
from api.tournaments.reading import read_disputed_tables
from api.tournaments.round_views import naming_view
from domain.events import Event, Recorded, digest
from domain.events.game import ACTS, Act, RewindRecorded
from domain.standings.standings import compare_rows, list_changed_tables
from domain.texts import load_catalog, words_of

# Acts of officials in the games of a tournament, between two moments of its standings.


_BACK = 100
"""Sequences that are searched for the time of one that has no event: sequences of failed commands are never used."""


def list_act_views(request: Request, games: set[UUID], first: AsOf, last: AsOf) -> list[ActView]:
    """Return the acts in these games between the two moments, or all of them if the moments are rounds, oldest first."""
    since, until = _time(request, first), _time(request, last)
    history = (recorded for game in games for recorded in services_of(request).journal.history(game))
    acts = (_act(one) for one in history if _moves_standings(one.event))
    between = (one for one in acts if (since is None or one.at > since) and (until is None or one.at <= until))
    return sorted(between, key=lambda one: one.at)


def _moves_standings(event: Event) -> bool:
    """Return whether the event may change standings. A rewind without a ruling does not: it is a recorder's
    correction of their own slip.
    """
    return event.ruling is not None if isinstance(event, RewindRecorded) else isinstance(event, Act) and ACTS[type(event)].moves_standings


def _act(recorded: Recorded) -> ActView:
    return ActView(
        game=recorded.stream,
        position=recorded.position,
        name=recorded.name,
        at=recorded.stamp.at,
        ruling=getattr(recorded.event, "ruling", None),
        url=f"/v1/games/{recorded.stream}/history?after={recorded.position - 1}&limit=1",
    )


def _time(request: Request, as_of: AsOf) -> datetime | None:
    """Return the time of the moment; ``None`` for now, also for a round."""
    if as_of.sequence is None:
        return as_of.at
    events = services_of(request).journal.feed(max(0, as_of.sequence - _BACK), _BACK)
    return max((recorded.stamp.at for sequence, recorded in events if sequence <= as_of.sequence), default=None)


# Standings as a page to print, from the same values that are sent as JSON.


def as_page(
    standings: Standings, title: str, language: str, checkpoint: PrintedCheckpoint | None = None, named: str | None = None
) -> bytes:
    """Return the page. ``standings`` with the parts of their figures. ``named``: the checkpoint that the closing of
    the last round named.
    """
    words = words_of(load_catalog(__package__), language)
    values = {
        "language": language,
        "words": words,
        "title": title,
        "standings": standings,
        **lay_out_cross_table(standings, language),
        "prizes": [(one, number(one.amount, words["decimal"])) for one in standings.prizes or ()],
        "lots": lots_line(standings.lots.how, standings.lots.dice, language),
        "checkpoint": checkpoint,
        "named": named,
    }
    return render_template("standings.html.j2", values)


FORMATS: Mapping[StandingsFormat, Format] = {"json": Format(JSON, Standings), "csv": CSV, "html": HTML, **FILES}
_VARY = "accept, accept-language, authorization"


@reads(
    "/v1/tournaments/{tournament:str}/standings",
    Operation(
        id="read_standings",
        summary="Read the standings now, after a round or at a moment, every figure explained down to the games",
        description=(
            "The standings come as JSON, CSV, NDJSON, XLSX, Parquet or a page to print, by `Accept` or by `format`; `format` "
            "takes precedence. `round` counts the first rounds only, with all present knowledge of them. `at` and `as_of` show "
            "what was known at a time or after a sequence. `explain=false` omits the parts of the figures."
        ),
        query=StandingsQuery,
        responses={200: Content("the standings", schemas(FORMATS), headers=("ETag",))},
        refuses=(406, 503),
        headers=("Accept-Language",),
    ),
)
async def read_standings(request: Request, tournament: FromPath[str]) -> Response:
    query = read_query(request, StandingsQuery)
    if query.at is not None and query.as_of is not None:
        raise BadRequest("bad_parameter", say("as_of_twice"), "as_of")
    format = choose_format(request, query.format, FORMATS)
    of = await standings_at(request, tournament, AsOf(round=query.round, sequence=query.as_of, at=query.at))
    shown, undecided = await _names_of_entrants(request, of), await _count_open_disputes(request, of)
    told = await asyncio.to_thread(
        standings_view, of, shown, language_of(request), explained=query.explain or format == "html", undecided=undecided
    )
    match format:
        case "json":
            return _response(request, of, await asyncio.to_thread(encode, told))
        case "csv":
            named = await attachment(request, "standings", format, tournament)
            heading = [column.name for column in standings_table(told.tie_breaks).columns]
            body = b"".join(encode_csv(heading, [rows_of(told)], query.dialect))
            return _response(request, of, body, CSV.content_type, named)
        case "ndjson" | "xlsx" | "parquet":
            file = StandingsFile(form=format, about=file_info(request), tie_breaks=told.tie_breaks, rows=rows_of(told))
            return await table_response(request, file, format, tournament)
        case "html":
            title = await asyncio.to_thread(text_by_id, request, of.tournament.plan.title)
            spoken = language_of(request)
            checkpoint = await latest_printed(request, spoken, wanted=query.checkpoint)
            line = _describe_checkpoint(of, told.after, spoken)
            page = await asyncio.to_thread(as_page, told, title or tournament, spoken, checkpoint, line)
            return _response(request, of, page, HTML.content_type, *SECURITY, ("content-language", spoken))


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


async def _names_of_entrants(request: Request, of: StandingsAt) -> Mapping[str, str]:
    players = (player for entrant in of.tournament.entrants for player in entrant.all_players)
    return await names_for_caller(request, of.tournament.plan.tournament, players)


def _response(request: Request, of: StandingsAt, body: bytes, kind: str = JSON, *headers: tuple[str, str]) -> Response:
    """Return the response with an ETag of its content: results and names also change without an event of the tournament."""
    return build_etag_response(
        request, f"{of.tournament.position}.{digest(body)[:16]}", lambda: body, media_type=kind, headers=headers, vary=_VARY
    )


@reads(
    "/v1/tournaments/{tournament:str}/standings/diff",
    Operation(
        id="compare_standings",
        summary="Compare the standings at two moments, with the results and rulings between them",
        description="`old` and `new` are rounds, sequences or times; `new` defaults to now.",
        query=DiffQuery,
        responses={200: Content("the differences", StandingsDiff, headers=("ETag",))},
        refuses=(503,),
    ),
)
async def compare_standings(request: Request, tournament: FromPath[str]) -> Response:
    query = read_query(request, DiffQuery)
    zone = await zone_of(request, tournament)
    first, last = (parse_as_of(text, name, zone) for name, text in (("old", query.old), ("new", query.new)))
    before, after = await standings_at(request, tournament, first, "old"), await standings_at(request, tournament, last, "new")
    tables = list_changed_tables(before.outcomes, after.outcomes)
    games = {game for one in tables for side in (one.before, one.after) if side for game in side.games}
    acts = await asyncio.to_thread(list_act_views, request, games, first, last)
    shown = dict(await _names_of_entrants(request, before)) | dict(await _names_of_entrants(request, after))
    diff = StandingsDiff(
        tournament=tournament,
        before=as_of_view(first),
        after=as_of_view(last),
        moved=[row_change_view(before, after, one, shown) for one in compare_rows(before.lines, after.lines)],
        tables=[table_change_view(one, acts) for one in tables],
    )
    return _response(request, after, encode(diff))
