"""Lists of entries on their way in: CSV or NDJSON, an entry on each line. One that is refused does not keep the others out.

The heading of a CSV names its columns: ``player`` (of partnerships ``player_1``, ``player_2`` …), ``rating`` and ``from_round``.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import UNSET, Struct

from api.bodies import decoded, shaped
from api.errors import BadRequest
from api.http import NDJSON, Asked, encoded
from api.problems import sentence
from api.tournament_answers import EntryError, EntryRead
from api.tournament_wire import MOST_ENTRIES, Entry
from domain.errors import Malformed, Refused
from domain.events.tournament import EntryAccepted
from domain.tournament.entries import accepted
from domain.tournament.games import Person
from domain.tournament.tournament import Tournament, entering

CSV = "text/csv"
_NUMBERS = ("rating", "from_round")
_COLUMN = re.compile(r"player(_[1-9][0-9]?)?|rating|from_round")


class Line(Struct, frozen=True):
    """A line of the list, by its number in the file: an entry as it came, or what is wrong with its form."""

    number: int
    found: Entry | Malformed | BadRequest


class Judged(Struct, frozen=True):
    """A line with what becomes of it."""

    line: Line
    found: EntryAccepted | Refused | Malformed | BadRequest


def lines_of(body: bytes, kind: str) -> list[Line]:
    """The lines that are not blank. Raises ``BadRequest`` and ``Malformed`` for what is no list at all."""
    raws = enumerate(body.split(b"\n"), 1) if kind == NDJSON else ((number, encoded(cells)) for number, cells in _table(body))
    lines = [_line(number, raw) for number, raw in raws if raw.strip()]
    if len(lines) > MOST_ENTRIES:
        raise Malformed("list_too_long", f"at most {MOST_ENTRIES} entries can be sent at once; send several lists")
    return lines


def _line(number: int, raw: bytes) -> Line:
    try:
        return Line(number, shaped(decoded(raw), Entry))
    except (Malformed, BadRequest) as error:
        return Line(number, error)


def _table(body: bytes) -> Iterator[tuple[int, dict[str, object]]]:
    try:
        text = body.decode("utf-8-sig")
        reader = csv.reader(text.splitlines(keepends=True), delimiter=_delimiter(text), strict=True)
        heading = _heading(next(reader, []))
        for row in reader:
            if any(cell.strip() for cell in row):
                yield reader.line_num, _cells(heading, row)
    except UnicodeDecodeError as error:
        raise BadRequest("malformed_csv", f"the list is not UTF-8 at byte {error.start}; save it as CSV UTF-8") from error
    except csv.Error as error:
        raise BadRequest("malformed_csv", f"the list is no CSV: {error}", f"line {reader.line_num}") from error


def _delimiter(text: str) -> str:
    """A comma, or what spreadsheets write where the comma stands in numbers."""
    heading = text.partition("\n")[0]
    return max((",", ";", "\t"), key=heading.count)


def _heading(cells: Sequence[str]) -> list[str]:
    heading = [cell.strip().lower() for cell in cells]
    known = all(_COLUMN.fullmatch(name) for name in heading)
    if not known or len(set(heading)) < len(heading) or not any(name.startswith("player") for name in heading):
        columns = "player (or player_1, player_2 …), rating, from_round"
        raise Malformed("bad_heading", f"the first line names the columns, each once: {columns}; a player has to be there", "line 1")
    return heading


def _cells(heading: Sequence[str], row: Sequence[str]) -> dict[str, object]:
    """An entry; a cell too many is an unknown field, and a number that is none a text, which are refused like any other."""
    given = {name: cell.strip() for name, cell in zip(heading, row, strict=False) if cell.strip()}
    players = [given[name] for name in heading if name.startswith("player") and name in given]
    numbers = {name: int(given[name]) if re.fullmatch(r"-?[0-9]{1,15}", given[name]) else given[name] for name in _NUMBERS if name in given}
    return {"players": players, **numbers, **{f"column {number}": cell for number, cell in enumerate(row, 1) if number > len(heading)}}


def judged(tournament: Tournament, lines: Iterable[Line], person: Person) -> list[Judged]:
    """What becomes of each line, if those before it are recorded."""
    found: list[Judged] = []
    for line in lines:
        one = _judged(tournament, line, person)
        if isinstance(one, EntryAccepted):
            tournament = entering(tournament, one)
        found.append(Judged(line, one))
    return found


def _judged(tournament: Tournament, line: Line, person: Person) -> EntryAccepted | Refused | Malformed | BadRequest:
    if not isinstance(line.found, Entry):
        return line.found
    entry = line.found
    try:
        return accepted(tournament, entry.players, entry.rating, entry.from_round, person)
    except Refused as refused:
        return refused


def told(asked: Asked, one: Judged) -> EntryRead:
    line, found = one.line, one.found
    players = tuple(line.found.players) if isinstance(line.found, Entry) else ()
    match found:
        case EntryAccepted(entrant=entrant):
            return EntryRead(line=line.number, entrant=entrant, players=players, error=None)
        case Refused():
            error = EntryError(code=found.code, message=sentence(asked, found))
        case Malformed() | BadRequest():
            error = EntryError(code=found.code, message=found.message, where=found.where or UNSET)
    return EntryRead(line=line.number, entrant=None, players=players, error=error)
