"""The list of tournaments, the history of one, and uploaded lists of entries."""

import asyncio
import re
from collections.abc import Container, Iterable, Mapping

from litestar.params import FromPath
from msgspec import UNSET, Struct

from api.common.tables.files import WHOLE, list_formats, list_or_file
from api.common.time_zone import read_time
from api.http.decoding import HistoryQuery, convert_value, copy_fields, decode_json, read_query
from api.http.errors import BadRequest, check_position, say
from api.http.formats import schemas
from api.http.lists import Columns, LineError, LineProblem, ListRemark, problem_of, read_list
from api.http.operations import Content, Operation, reads
from api.http.paging import page_before, page_links
from api.http.problems import sentence
from api.http.request import Request, language_of, services_of
from api.http.response import Response, build_etag_response, encode
from api.tournaments.reading import current_tournament, tournament_event_view
from api.tournaments.requests import MOST_ENTRIES, EntryBody, TournamentsQuery
from api.tournaments.responses import EntryLine, TournamentHistory, Tournaments
from api.tournaments.table_now import TournamentsFile
from domain.errors import InvalidFormatError, Refused
from domain.events.tournament import EntryAccepted
from domain.tournament.entries import accept_entry
from domain.tournament.games import PersonOf
from domain.tournament.tournament import Tournament, after_entry
from domain.tournament.warnings import Remark, warn_about_entries
from projections.models.tournaments import TOURNAMENTS, TournamentFilters


@reads(
    "/v1/tournaments",
    Operation(
        id="list_tournaments",
        summary="List tournaments, newest first",
        description=f"A tournament must match all given filters. `Link` names the next page. {WHOLE}",
        query=TournamentsQuery,
        responses={200: Content("a page of tournaments", schemas(list_formats(Tournaments)), headers=("ETag", "Link"))},
        within="published",
    ),
)
async def list_tournaments(request: Request) -> Response:
    query = read_query(request, TournamentsQuery)
    announced = {name: await read_time(request, getattr(query, name), name) for name in ("announced_from", "announced_to")}
    filters = copy_fields(query, TournamentFilters, tournament=None, **announced)
    return await list_or_file(
        request,
        TOURNAMENTS.name,
        query,
        lambda form, about: TournamentsFile(form=form, about=about, filters=filters),
    )


@reads(
    "/v1/tournaments/{tournament:str}/history",
    Operation(
        id="read_tournament_history",
        summary="Read a tournament's history, oldest event first",
        description="Its games have their own histories. `Link` names the next page.",
        query=HistoryQuery,
        responses={200: Content("events", TournamentHistory, headers=("ETag", "Link"))},
    ),
)
async def read_tournament_history(request: Request, tournament: FromPath[str]) -> Response:
    query = read_query(request, HistoryQuery)
    now = await current_tournament(request, tournament)
    check_position(query.after, now.position)
    page = await asyncio.to_thread(_history, request, now, query)
    links = page_links(request, {"after": page.after}, page_before(query.after, query.limit))
    return build_etag_response(
        request, f"{now.position}.{'arbiter' if request.user.has_full_view else 'public'}.json", lambda: encode(page), headers=links
    )


def _history(request: Request, now: Tournament, query: HistoryQuery) -> TournamentHistory:
    recorded = services_of(request).journal.history(now.id, query.after, query.limit)
    last = recorded[-1].position if recorded else now.position
    events = [tournament_event_view(request, one, linked=True) for one in recorded if one.position <= now.position]
    following = last if last < now.position else None
    return TournamentHistory(tournament=now.plan.tournament, position=now.position, events=events, after=following)


# Uploaded lists of entries: CSV or NDJSON, one entry per line. A refused line does not keep the others out. The heading of a CSV names its
# columns: ``player`` (of partnerships ``player_1``, ``player_2`` …), ``rating`` and ``from_round``.


_PLAYER, _NUMBER = re.compile(r"player(_[1-9][0-9]?)?"), re.compile(r"-?[0-9]{1,15}")
_NUMBERS = ("rating", "from_round")


class ListLine(Struct, frozen=True):
    """A line of the list, by its number in the file: an entry, or the error of its form."""

    number: int
    found: EntryBody | LineError


class JudgedEntry(Struct, frozen=True):
    """A line with the accepted entry, or its error."""

    line: ListLine
    found: EntryAccepted | Refused | LineError


def read_entries(body: bytes, kind: str, language: str) -> tuple[list[ListLine], list[ListRemark]]:
    """Return the lines that are not blank, and remarks. Raises ``BadRequest`` and ``InvalidFormatError`` for what is no list at all."""
    uploaded = read_list(body, kind, _COLUMNS)
    if len(uploaded.lines) > MOST_ENTRIES:
        raise InvalidFormatError("list_too_long", say("list_too_long", most=MOST_ENTRIES))
    return [_line(number, raw) for number, raw in uploaded.lines], uploaded.list_warnings(language)


def _entry(cells: Mapping[str, str]) -> dict[str, object]:
    """Return the entry of a line. An invalid number stays a text, and surplus cells stay, so that both are refused like in JSON."""
    columns = sorted((name for name in cells if _PLAYER.fullmatch(name)), key=lambda name: (len(name), name))
    others = {name: cell for name, cell in cells.items() if name not in columns}
    numbers = {name: int(cell) for name, cell in others.items() if name in _NUMBERS and _NUMBER.fullmatch(cell)}
    return {"players": [cells[name] for name in columns], **others, **numbers}


_COLUMNS = Columns(re.compile(rf"{_PLAYER.pattern}|{'|'.join(_NUMBERS)}"), _PLAYER, say("columns_of_entries"), _entry)


def _line(number: int, raw: bytes) -> ListLine:
    try:
        return ListLine(number, convert_value(decode_json(raw), EntryBody))
    except (InvalidFormatError, BadRequest) as error:
        return ListLine(number, error)


def judge_entries(tournament: Tournament, lines: Iterable[ListLine], person_of: PersonOf) -> list[JudgedEntry]:
    """Judge each line on the tournament after the lines before it."""
    found: list[JudgedEntry] = []
    for line in lines:
        one = _judge_entry(tournament, line, person_of)
        if isinstance(one, EntryAccepted):
            tournament = after_entry(tournament, one)
        found.append(JudgedEntry(line, one))
    return found


def _judge_entry(tournament: Tournament, line: ListLine, person_of: PersonOf) -> EntryAccepted | Refused | LineError:
    if not isinstance(line.found, EntryBody):
        return line.found
    entry = line.found
    try:
        return accept_entry(tournament, entry.players, entry.rating, entry.from_round, person_of)
    except Refused as refused:
        return refused


def warn_about_list(tournament: Tournament, judged: Iterable[JudgedEntry]) -> list[Remark]:
    """Return the remarks on entries whose first round is not the next draw."""
    return list(warn_about_entries(tournament, (one.found for one in judged if isinstance(one.found, EntryAccepted))))


def entry_line(request: Request, one: JudgedEntry, registered: Container[str]) -> EntryLine:
    line, found = one.line, one.found
    players = tuple(line.found.players) if isinstance(line.found, EntryBody) else ()
    match found:
        case EntryAccepted(entrant=entrant, from_round=first):
            strangers = tuple(player for player in players if player not in registered)
            return EntryLine(
                line=line.number, entrant=entrant, players=players, from_round=first, error=None, unregistered=strangers or UNSET
            )
        case Refused():
            error = LineProblem(code=found.code, message=sentence(request, found))
        case _:
            error = problem_of(found, language_of(request))
    return EntryLine(line=line.number, entrant=None, players=players, from_round=None, error=error)
