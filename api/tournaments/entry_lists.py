"""Uploaded lists of entries: CSV or NDJSON, one entry per line. A refused line does not keep the others out.

The heading of a CSV names its columns: ``player`` (of partnerships ``player_1``, ``player_2`` …), ``rating`` and ``from_round``.
"""

import re
from collections.abc import Container, Iterable, Mapping

from msgspec import UNSET, Struct

from api.common.event_views import RemarkView
from api.http.decoding import convert_value, decode_json
from api.http.errors import BadRequest, say
from api.http.lists import Columns, LineError, LineProblem, problem_of, read_list
from api.http.problems import sentence
from api.http.request import Request, language_of
from api.tournaments.requests import MOST_ENTRIES, EnterTournament, EntryBody
from api.tournaments.responses import EntryLine
from domain.errors import InvalidFormatError, Refused
from domain.events.tournament import EntryAccepted
from domain.tournament.entries import accept_entry
from domain.tournament.games import PersonOf
from domain.tournament.tournament import Tournament, after_entry
from domain.tournament.warnings import Remark, warn_about_entries

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


def read_entries(body: bytes, kind: str, language: str) -> tuple[list[ListLine], list[RemarkView]]:
    """Return the lines that are not blank, and remarks. Raises ``BadRequest`` and ``InvalidFormatError`` for what is no list at all."""
    uploaded = read_list(body, kind, _COLUMNS)
    if len(uploaded.lines) > MOST_ENTRIES:
        raise InvalidFormatError("list_too_long", say("list_too_long", most=MOST_ENTRIES))
    remarks = [RemarkView(code=one.code, sentence=one.sentence) for one in uploaded.list_warnings(language)]
    return [_line(number, raw) for number, raw in uploaded.lines], remarks


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


def _entries(body: EnterTournament) -> list[EntryBody]:
    if (body.players is None) == (body.entries is None):
        raise InvalidFormatError("malformed_body", say("players_or_entries"), "$")
    if body.entries is not None:
        return body.entries
    return [EntryBody(players=body.players or [], rating=body.rating, from_round=body.from_round)]
