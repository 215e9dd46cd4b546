"""Lists of entries on their way in: CSV or NDJSON, an entry on each line. One that is refused does not keep the others out.

The heading of a CSV names its columns: ``player`` (of partnerships ``player_1``, ``player_2`` …), ``rating`` and ``from_round``.
"""

import re
from collections.abc import Container, Iterable, Mapping, Sequence

from msgspec import UNSET, Struct

from api.http.decoding import convert_value, decode_json
from api.http.errors import BadRequest, say
from api.http.lists import Columns, LineError, LineProblem, lines_of, problem_of
from api.http.problems import sentence
from api.http.request import Request, language_of
from api.tournaments.requests import MOST_ENTRIES, EntryBody
from api.tournaments.responses import EntryLine
from domain.errors import Malformed, Refused
from domain.events.tournament import EntryAccepted
from domain.tournament.entries import accept_entry
from domain.tournament.games import PersonOf
from domain.tournament.remarks import Remark, entry_remarks
from domain.tournament.tournament import Tournament, after_entry

_PLAYER, _NUMBER = re.compile(r"player(_[1-9][0-9]?)?"), re.compile(r"-?[0-9]{1,15}")
_NUMBERS = ("rating", "from_round")


class ListLine(Struct, frozen=True):
    """A line of the list, by its number in the file: an entry as it came, or what is wrong with its form."""

    number: int
    found: EntryBody | LineError


class JudgedEntry(Struct, frozen=True):
    """A line with what becomes of it."""

    line: ListLine
    found: EntryAccepted | Refused | LineError


def read_entries(body: bytes, kind: str) -> list[ListLine]:
    """The lines that are not blank. Raises ``BadRequest`` and ``Malformed`` for what is no list at all."""
    lines = [_line(number, raw) for number, raw in lines_of(body, kind, _COLUMNS)]
    if len(lines) > MOST_ENTRIES:
        raise Malformed("list_too_long", say("list_too_long", most=MOST_ENTRIES))
    return lines


def _is_known(heading: Sequence[str]) -> bool:
    return all(name in _NUMBERS or _PLAYER.fullmatch(name) for name in heading) and any(map(_PLAYER.fullmatch, heading))


def _entry(cells: Mapping[str, str]) -> dict[str, object]:
    """A number that is none stays a text, and what is unknown stays there; both are refused like any other."""
    columns = sorted((name for name in cells if _PLAYER.fullmatch(name)), key=lambda name: (len(name), name))
    others = {name: cell for name, cell in cells.items() if name not in columns}
    numbers = {name: int(cell) for name, cell in others.items() if name in _NUMBERS and _NUMBER.fullmatch(cell)}
    return {"players": [cells[name] for name in columns], **others, **numbers}


_COLUMNS = Columns(_is_known, say("columns_of_entries"), _entry)


def _line(number: int, raw: bytes) -> ListLine:
    try:
        return ListLine(number, convert_value(decode_json(raw), EntryBody))
    except (Malformed, BadRequest) as error:
        return ListLine(number, error)


def judge_entries(tournament: Tournament, lines: Iterable[ListLine], person_of: PersonOf) -> list[JudgedEntry]:
    """What becomes of each line, if those before it are recorded."""
    found: list[JudgedEntry] = []
    for line in lines:
        one = _judged(tournament, line, person_of)
        if isinstance(one, EntryAccepted):
            tournament = after_entry(tournament, one)
        found.append(JudgedEntry(line, one))
    return found


def _judged(tournament: Tournament, line: ListLine, person_of: PersonOf) -> EntryAccepted | Refused | LineError:
    if not isinstance(line.found, EntryBody):
        return line.found
    entry = line.found
    try:
        return accept_entry(tournament, entry.players, entry.rating, entry.from_round, person_of)
    except Refused as refused:
        return refused


def remarks_on(tournament: Tournament, judged: Iterable[JudgedEntry]) -> list[Remark]:
    """From which rounds they hold, where that is not the next draw."""
    return list(entry_remarks(tournament, (one.found for one in judged if isinstance(one.found, EntryAccepted))))


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
