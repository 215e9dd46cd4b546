"""Earlier seasons: the import of results of other years and programs from a list, and the withdrawal of a tournament that was imported."""

from functools import partial

from api.common.commands import idempotency_key, line_call
from api.common.consistency import wait_for_head
from api.http.decoding import ReasonBody, check_media_type, read_query
from api.http.limits import more_time, note_part_recorded
from api.http.media_types import CSV, JSON, XLSX
from api.http.operations import Content, writes
from api.http.request import Request, body_of, language_of, services_of
from api.http.response import Response, no_store_response
from api.seasons.imports import import_past_results
from api.seasons.requests import PastResults, PastResultsQuery
from api.seasons.responses import PastResultsReport
from api.tournaments.commands import tournament_act, tournament_url
from domain.tournament.imports import withdraw_import
from projections.models.players import PLAYERS


@writes(
    "/v1/past-results",
    "import_past_results",
    "Import results or rankings of earlier tournaments from a list",
    tag="Tournaments",
    description=(
        "A line is a player at a table, with a score or a place; lines without a table are a ranking. The heading of a CSV or of the "
        "first sheet of an XLSX names the columns, in English or German, in any order: tournament, date, ruleset, round, table, id, "
        "player, alias, club, team or partner, score, place. Players are found by id, alias or exact name; others are registered. The "
        "answer is a report per line. Nothing is recorded while a line is refused, or with `dry_run=true`. Each tournament counts for "
        "ratings and in series, in the order of dates. A list that was imported before adds nothing (`already`)."
    ),
    query=PastResultsQuery,
    body={JSON: PastResults, CSV: {"type": "string"}, XLSX: {"type": "string", "contentMediaType": XLSX}},
    responses={
        201: Content("recorded", PastResultsReport, headers=("Location",), creates={"tournament": "/tournaments/0/tournament"}),
        200: Content("nothing is recorded: a dry run, refused lines, or a list that was imported before", PastResultsReport),
    },
    refuses=(409, 422),
    role="director",
    longest_body=16 * 1024 * 1024,
)
async def import_list(request: Request) -> Response:
    query, kind = read_query(request, PastResultsQuery), check_media_type(request, JSON, CSV, XLSX)
    body = await body_of(request)
    await wait_for_head(request, PLAYERS.name)
    more_time(request, len(body) / 100_000)
    if not query.dry_run:
        note_part_recorded(request)
    call = partial(line_call, request, idempotency_key(request))
    report = await import_past_results(services_of(request), body, kind, call, query, language_of(request))
    if not report.recorded:
        return no_store_response(report)
    return no_store_response(report, status=201, headers=[("location", tournament_url(report.tournaments[0].tournament))])


WITHDRAWAL = tournament_act(
    "withdrawal",
    "withdraw_import",
    "Withdraw an imported tournament",
    ReasonBody,
    "director",
    lambda on: withdraw_import(on.now, on.text),
    text="reason",
    description=(
        "All of its results are withdrawn, and it counts as cancelled: ratings and series are as they were before the import. Its list can "
        "be imported again. Players who were registered with it stay."
    ),
)
