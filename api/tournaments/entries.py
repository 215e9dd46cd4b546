"""Entries of a tournament: one, several all or none, or a list with a report per line."""

import asyncio
from collections.abc import Container, Mapping, Sequence

from litestar.params import FromPath
from msgspec import UNSET

from api.common.commands import build_commit_headers
from api.common.event_views import RemarkView, remark_views
from api.common.names import name_player, names_for_caller
from api.http.decoding import DryRun, check_media_type, copy_fields, read_body, read_query
from api.http.media_types import CSV, JSON, NDJSON
from api.http.operations import Content, reads, writes
from api.http.request import Request, body_of, language_of, services_of
from api.http.response import Response, encode
from api.tournaments import responses
from api.tournaments.commands import commit_to_tournament, tournament_url
from api.tournaments.entry_lists import JudgedEntry, ListLine, _entries, entry_line, judge_entries, read_entries, warn_about_list
from api.tournaments.reading import build_person_of, current_tournament, tournament_response
from api.tournaments.requests import EnterTournament, EntryBody
from domain.errors import Refused
from domain.events import Event
from domain.events.tournament import EntryAccepted
from domain.tournament.line_ups import LineUp, list_line_ups
from domain.tournament.state import Entrant
from domain.tournament.tournament import Tournament
from projections.models.players import rows_of

_REPORT = Content("a report per line", responses.EntryReport, headers=("Location", "ETag"))


@writes(
    "/v1/tournaments/{tournament:str}/entries",
    "enter_tournament",
    "Enter a player or a partnership, several, or a list",
    description=(
        "JSON holds one entry or several, all or none: 201. A list as CSV or NDJSON always gets a report: every valid line "
        "is recorded, the others say what is wrong. The heading of a CSV names the columns player (for partnerships "
        "player_1, player_2 …), rating, from_round. A player is an opaque id and is entered once. Without `from_round` an "
        "entrant plays from the next round to be paired; the line names that round. If a round is already paired, "
        "`remarks` say what to do; a round whose pairing was undone counts as not paired. With `dry_run=true` nothing is "
        "recorded."
    ),
    query=DryRun,
    body={JSON: EnterTournament, NDJSON: EntryBody, CSV: {"type": "string"}},
    responses={201: _REPORT, 200: Content("a list, or what would be recorded", responses.EntryReport, headers=("ETag",))},
    refuses=(422,),
    role="recorder",
)
async def enter(request: Request, tournament: FromPath[str]) -> Response:
    dry, kind = read_query(request, DryRun).dry_run, check_media_type(request, JSON, NDJSON, CSV)
    if kind == JSON:
        entries = _entries(await read_body(request, EnterTournament))
        return await _record_entries(
            request, tournament, [ListLine(number, entry) for number, entry in enumerate(entries, 1)], dry, whole=True
        )
    lines, remarks = read_entries(await body_of(request), kind, language_of(request))
    return await _record_entries(request, tournament, lines, dry, whole=False, on_list=remarks)


class _NothingLeft(Exception):
    """No line can be recorded in the current tournament."""

    def __init__(self, standing: Tournament) -> None:
        self.standing = standing


async def _record_entries(
    request: Request, id: str, lines: Sequence[ListLine], dry: bool, *, whole: bool, on_list: Sequence[RemarkView] = ()
) -> Response:
    """Record entries and report on them. ``whole``: all or none; the first refused entry refuses the request. ``on_list``: remarks on the
    list itself.
    """
    now = await current_tournament(request, id)
    given = [player for line in lines if isinstance(line.found, EntryBody) for player in line.found.players]
    person_of = await build_person_of(request, now, others=given)
    registered = await asyncio.to_thread(rows_of, services_of(request).store, given)

    def decide(standing: Tournament) -> Sequence[Event]:
        found = judge_entries(standing, lines, person_of)
        if whole:
            _check_all(found)
        events = [one.found for one in found if isinstance(one.found, EntryAccepted)]
        if not events:
            raise _NothingLeft(standing)
        return events

    try:
        receipt = await commit_to_tournament(request, id, decide, dry_run=dry)
    except _NothingLeft as left:  # there is nothing to commit, but the report on the lines is due all the same
        found = await _lines(request, id, judge_entries(left.standing, lines, person_of), registered)
        return _report_response(left.standing, found, dry, on_list)
    before = receipt.before
    assert before is not None
    judged = judge_entries(before, lines, person_of)
    found = await _lines(request, id, judged, registered)
    remarks = [*on_list, *remark_views(request, warn_about_list(before, judged))]
    if dry:
        return _report_response(receipt.after if receipt.repeated else before, found, dry, remarks, repeated=receipt.repeated)
    return _report_response(receipt.after, found, dry, remarks, status=201 if whole else 200, repeated=receipt.repeated)


async def _lines(request: Request, id: str, judged: Sequence[JudgedEntry], registered: Container[str]) -> list[responses.EntryLine]:
    for one in judged:
        if isinstance(one.found, Refused):
            await name_player(request, id, one.found)
    return [entry_line(request, one, registered) for one in judged]


def _check_all(found: Sequence[JudgedEntry]) -> None:
    for index, one in enumerate(found):
        if isinstance(one.found, Refused):
            one.found.index = index
            raise one.found


def _report_response(
    after: Tournament,
    lines: list[responses.EntryLine],
    dry: bool,
    remarks: Sequence[RemarkView] = (),
    *,
    status: int = 200,
    repeated: bool = False,
) -> Response:
    refused, id = sum(line.error is not None for line in lines), after.plan.tournament
    report = responses.EntryReport(
        tournament=id,
        position=after.position,
        dry_run=dry,
        recorded=len(lines) - refused,
        refused=refused,
        lines=lines,
        remarks=list(remarks) or UNSET,
    )
    headers = build_commit_headers(f"{tournament_url(id)}/entries", after.position, repeated=repeated)
    return Response(encode(report), status=status, headers=headers)


@reads(
    "/v1/tournaments/{tournament:str}/entries",
    "list_entries",
    "List the entries, in the order of entry",
    responses={200: Content("the entrants", responses.Entries, headers=("ETag",))},
)
async def list_entries(request: Request, tournament: FromPath[str]) -> Response:
    now = await current_tournament(request, tournament)
    shown = await names_for_caller(request, tournament, (player for one in now.entrants for player in one.all_players))
    return tournament_response(request, now, await asyncio.to_thread(_encode_entries, now, shown))


def _encode_entries(now: Tournament, shown: Mapping[str, str]) -> bytes:
    entrants = [_entrant_view(one, shown) for one in now.entrants]
    return encode(responses.Entries(tournament=now.plan.tournament, position=now.position, entrants=entrants))


def _entrant_view(one: Entrant, shown: Mapping[str, str]) -> responses.EntrantView:
    players = one.latest.players
    changes = [copy_fields(line_up, responses.Substitution, back_from=line_up.back_from or UNSET) for line_up in one.line_ups]
    stood = [_line_up_view(line_up, shown) for line_up in list_line_ups(one.line_ups, one.from_round)]
    away = [copy_fields(gap, responses.SkippedRoundsView) for gap in one.absences if gap.back_from is not None]
    return copy_fields(
        one,
        responses.EntrantView,
        entrant=one.number,
        club=one.labels.club or UNSET,
        team=one.labels.team or UNSET,
        category=one.labels.category or UNSET,
        players=players,
        shown=tuple(shown[player] for player in players),
        substitutions=changes[1:] or UNSET,
        absences=away or UNSET,
        half_byes=one.half_byes or UNSET,
        line_ups=stood if len(stood) > 1 else UNSET,
        replaced=[responses.ReplacedPlayer(player=player, shown=shown[player]) for player in sorted(one.all_players - {*players})] or UNSET,
    )


def _line_up_view(one: LineUp, shown: Mapping[str, str]) -> responses.LineUpView:
    until = None if one.back_from is None else one.back_from - 1
    return responses.LineUpView(
        from_round=one.from_round, until=until, players=one.players, shown=tuple(shown[player] for player in one.players)
    )
