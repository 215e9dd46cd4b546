"""Lists of paper results as records: each line of a CSV is a game of which only the points are known (COM-67).

Parties are separated by ``/``, partners by ``+``, an unnamed seat is ``-``: ``p-anna + p-cem / p-ben + -`` and ``5200 / 4100``.
It is read line by line, so that a list may be of any length.
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import msgspec

from api.http.lists import cells_of, find_separator, names_separator
from deploy.cli.files import FileEntry, build_unreadable_entry, open_input
from deploy.config.failures import say
from domain.errors import InvalidFormatError, Refused
from domain.games import RULESETS
from domain.texts import Phrase, Saying

NEEDED = ("ruleset", "players", "points")
COLUMNS = (*NEEDED, "date", "tournament", "round", "table", "ref", "options")

_NOBODY = "-"
_GERMAN = {
    "spiel": "ruleset",
    "spieler": "players",
    "punkte": "points",
    "datum": "date",
    "turnier": "tournament",
    "runde": "round",
    "tisch": "table",
}
"""The columns of German headings."""


def results_in(file: Path) -> Iterator[FileEntry]:
    """Yield a record for each line that is not blank. Raises nothing: an unreadable line is a ``problem`` in its place."""
    try:
        with open_input(file) as raw:
            yield from _Reading(file, raw).entries()
    except OSError as error:
        yield build_unreadable_entry(file, error)


class _Reading:
    """Reader of a list. ``end`` and ``line``: how far the file was read."""

    def __init__(self, file: Path, raw: BinaryIO) -> None:
        self.file, self.raw = file, raw
        self.end, self.line = 0, 0

    def entries(self) -> Iterator[FileEntry]:
        try:
            yield from self._rows()
        except UnicodeDecodeError:
            yield self._entry(problem=say("results_not_utf8"))
        except csv.Error:
            yield self._entry(problem=say("results_no_csv"))

    def _rows(self) -> Iterator[FileEntry]:
        lines = self._lines()
        first = next(lines, "")
        delimiter = find_separator(first)
        if names_separator(first):
            first = next(lines, "")
        named = (cell.strip().lower() for cell in next(csv.reader([first], delimiter=delimiter), []))
        heading = [_GERMAN.get(name, name) for name in named]
        if problem := _heading_problem(heading):
            yield self._entry(problem=problem)
            return
        for row in csv.reader(lines, delimiter=delimiter, strict=True):
            if any(cell.strip() for cell in row):
                yield self._read(cells_of(heading, row))

    def _read(self, cells: Mapping[str, str]) -> FileEntry:
        try:
            return self._entry(record_of(cells))
        except InvalidFormatError as malformed:
            return self._entry(_read_ref(cells), malformed.says)

    def _lines(self) -> Iterator[str]:
        for line in self.raw:
            self.end, self.line = self.end + len(line), self.line + 1
            yield _decode_line(line)

    def _entry(self, record: object = None, problem: Saying | None = None) -> FileEntry:
        return FileEntry(self.file, self.line, self.end, record, problem)


def _decode_line(line: bytes) -> str:
    """Return the line: UTF-8 with or without a byte order mark, else Windows-1252, which German spreadsheets write. Raises
    ``UnicodeDecodeError``.
    """
    try:
        return line.decode("utf-8-sig")
    except UnicodeDecodeError:
        return line.decode("cp1252")


def _heading_problem(heading: Sequence[str]) -> Phrase | None:
    fits = len(set(heading)) == len(heading) and set(NEEDED) <= set(heading) <= set(COLUMNS)
    return None if fits else say("results_heading", columns=COLUMNS, needed=NEEDED)


def _read_ref(cells: Mapping[str, str]) -> dict[str, Any] | None:
    """Return the reference of the record, even if nothing else of it can be read (COM-69)."""
    system, colon, id = cells.get("ref", "").partition(":")
    return {"ref": {"system": system, "id": id}} if system and colon and id else None


def record_of(cells: Mapping[str, str]) -> dict[str, Any]:
    """Return the record of a line. Raises ``InvalidFormatError`` with the column.

    The rulebook checks later that such a game with these seats and points exists.
    """
    if missing := [name for name in NEEDED if name not in cells]:
        _raise_format_error(missing[0], "results_missing")
    if beyond := [name for name in cells if name not in COLUMNS]:
        raise InvalidFormatError("malformed_record", say("results_too_many"), beyond[0])
    parties = [[_player(one) for one in party.split("+")] for party in cells["players"].split("/")]
    options = _options(cells.get("options", ""))
    points = [_number("points", one) for one in cells["points"].split("/")]
    seated = _seat_players(cells["ruleset"], options, parties)
    record: dict[str, Any] = {"ruleset": cells["ruleset"], "options": options, "seats": len(seated), "players": seated}
    record["hands"] = [{"dealer": 0, "result": {"points": points}}]
    return record | _place(cells)


def _place(cells: Mapping[str, str]) -> dict[str, Any]:
    """Return when and where the game was played, and its reference elsewhere."""
    place: dict[str, Any] = {name: cells[name] for name in ("tournament", "table") if name in cells}
    if "round" in cells:
        place["round"] = _number("round", cells["round"])
    if "date" in cells:
        place["played_at"] = cells["date"]
    named = _read_ref(cells)
    if "ref" in cells and named is None:
        _raise_format_error("ref", "results_ref")
    return place | (named or {})


def _player(text: str) -> str | None:
    name = text.strip()
    if not name:
        _raise_format_error("players", "results_players")
    return None if name == _NOBODY else name


def _number(column: str, text: str) -> int:
    try:
        return int(text.strip().replace("\N{MINUS SIGN}", "-"))
    except ValueError:
        _raise_format_error(column, "results_number", given=text.strip())


def _options(text: str) -> dict[str, Any]:
    """Parse ``variant=royal; sweeps=true``. A value that is not JSON is text."""
    options = {}
    for one in filter(str.strip, text.split(";")):
        name, equals, value = (part.strip() for part in one.partition("="))
        if not (name and equals and value):
            _raise_format_error("options", "results_options")
        options[name] = _value(value)
    return options


def _value(text: str) -> object:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text


def _seat_players(key: str, options: Mapping[str, Any], parties: Sequence[Sequence[str | None]]) -> list[str | None]:
    """Return the players by seats: partners sit where the game seats them.

    An invalid game is returned as it stands, for the rulebook to refuse.
    """
    players = [player for party in parties for player in party]
    try:
        seats = RULESETS[key].bind(dict(options), len(players)).setup.parties
    except (KeyError, Refused):
        return players
    if [len(party) for party in parties] != [len(party) for party in seats]:
        _raise_format_error("players", "results_parties", parties=" / ".join(" + ".join("-" for _ in party) for party in seats))
    placed = {seat: player for party, given in zip(seats, parties, strict=True) for seat, player in zip(party, given, strict=True)}
    return [placed[seat] for seat in range(len(players))]


def _raise_format_error(column: str, key: str, **detail: object) -> NoReturn:
    raise InvalidFormatError("malformed_record", say("results_column", column=column, problem=say(key, **detail)), column)
