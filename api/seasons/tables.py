"""Lists of results of earlier tournaments: their lines, and the tables that they make up.

A line is a player at a table, or in a ranking: lines that name no table are one table with everybody. A line has a score, a place, or both.
Players of a party share a ``team``, or name each other as ``partner``.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from typing import TypeAlias

from msgspec import Struct

from api.http.decoding import convert_value, decode_json
from api.http.errors import BadRequest, say
from api.http.lists import GERMAN, Columns, LineError, UploadedList
from api.seasons.requests import PastResult
from domain.errors import InvalidFormatError
from domain.events.played import CLOCKS_DIFFER, EARLIEST
from domain.tournament.imports import PastTable
from domain.tournament.rounds import NOT_FOR_TABLES

COLUMNS = PastResult.__struct_fields__
_WORDS = {
    **GERMAN,
    **dict.fromkeys(("turnier", "event", "veranstaltung"), "tournament"),
    **dict.fromkeys(("datum", "tag", "day"), "date"),
    **dict.fromkeys(("spiel", "spielart", "regelwerk", "game"), "ruleset"),
    **dict.fromkeys(("runde",), "round"),
    **dict.fromkeys(("tisch",), "table"),
    **dict.fromkeys(("nummer", "nr", "nr.", "spielernummer", "mitgliedsnummer", "number", "no", "no."), "id"),
    **dict.fromkeys(("name",), "player"),
    **dict.fromkeys(("paar", "partei", "partnerschaft", "mannschaft", "party"), "team"),
    **dict.fromkeys(("punkte", "ergebnis", "points", "result"), "score"),
    **dict.fromkeys(("platz", "rang", "rank"), "place"),
}
_NUMBER = re.compile(r"([0-9]{1,5})\.?")


def _line_item(cells: Mapping[str, str]) -> dict[str, object]:
    """Return the fields of a line. A number that is none stays a text, so that it is refused."""
    numbers = {name: int(found[1]) for name in ("round", "place") if (found := _NUMBER.fullmatch(cells.get(name, "")))}
    return {**cells, **numbers}


PAST_RESULTS = Columns(
    re.compile("|".join(COLUMNS)), re.compile("player|id|alias"), say("columns_of_results", names=COLUMNS), _line_item, _WORDS
)


class PastLine(Struct, frozen=True):
    """A line by its number in the file, or the error of its form."""

    number: int
    found: PastResult | LineError


class Seat(Struct, frozen=True):
    """A line whose player is known: ``player`` is an id. ``day``: when it was played."""

    number: int
    of: PastResult
    player: str
    title: str
    ruleset: str
    day: date
    score: Decimal | None

    @property
    def party(self) -> object:
        """The key of the party among those at the table."""
        if self.of.partner is not None:
            return tuple(sorted((self.of.partner, self.of.player or self.of.id or "")))
        return self.of.team or self.number


Errors: TypeAlias = dict[int, LineError]
"""The errors of lines, by number."""


def read_lines(uploaded: UploadedList) -> list[PastLine]:
    return [PastLine(number, _read_line(raw)) for number, raw in uploaded.lines]


def _read_line(raw: bytes) -> PastResult | LineError:
    try:
        return convert_value(decode_json(raw), PastResult)
    except (InvalidFormatError, BadRequest) as error:
        return error


def line_error(code: str, where: str, **detail: object) -> InvalidFormatError:
    """Return the error of a line in a column."""
    return InvalidFormatError(code, say(f"past.{code}", **detail), where)


_GERMAN_DAY = re.compile(r"([0-9]{1,2})\.\s?([0-9]{1,2})\.\s?([0-9]{4})")


def read_day(text: str | None, now: datetime) -> date:
    """Return the day of a cell. Raises ``InvalidFormatError``."""
    if text is None:
        raise line_error("date_missing", "date")
    german = _GERMAN_DAY.fullmatch(text)
    try:
        day = date(*(int(german[part]) for part in (3, 2, 1))) if german else date.fromisoformat(text)
    except ValueError:
        raise line_error("bad_date", "date", given=text) from None
    if not EARLIEST <= datetime(day.year, day.month, day.day, tzinfo=UTC) <= now + CLOCKS_DIFFER:
        raise line_error("impossible_date", "date", given=text, earliest=EARLIEST.year)
    return day


_DIGITS, _LARGEST = 3, 10**12


def read_score(given: float | str | None) -> Decimal | None:
    """Return the score of a cell, with a point or a decimal comma. Raises ``InvalidFormatError``."""
    if given is None:
        return None
    text = str(given).replace("\u2212", "-")
    try:
        score = Decimal(text.replace(",", ".")) if re.fullmatch(r"[+-]?[0-9]+([.,][0-9]+)?", text) else None
    except InvalidOperation:
        score = None
    if score is None or abs(score) > _LARGEST or _decimals(score) > _DIGITS:
        raise line_error("bad_score", "score", given=text, digits=_DIGITS)
    return score


def _decimals(score: Decimal) -> int:
    exponent = score.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


class PastTournament(Struct, frozen=True):
    """A tournament of the list. ``scale``: by which scores are multiplied, so that they are whole. ``line``: its first one."""

    title: str
    ruleset: str
    tables: tuple[PastTable, ...]
    line: int
    scale: int = 1

    @property
    def days(self) -> tuple[str, str]:
        """The first day and the last one."""
        days = sorted(table.played_at for table in self.tables)
        return days[0], days[-1]

    @property
    def players(self) -> frozenset[str]:
        return frozenset(player for table in self.tables for party in table.parties for player in party)


def group_tournaments(seats: Iterable[Seat], errors: Errors) -> list[PastTournament]:
    """Return the tournaments in the order of their first days. Lines that do not fit go into ``errors``."""
    by_title: defaultdict[str, list[Seat]] = defaultdict(list)
    for seat in seats:
        by_title[seat.title].append(seat)
    found = [_tournament(title, some, errors) for title, some in by_title.items()]
    return sorted((one for one in found if one.tables), key=lambda one: (one.days, one.line))


def _tournament(title: str, seats: Sequence[Seat], errors: Errors) -> PastTournament:
    first = seats[0]
    numbered = any(seat.of.round is not None for seat in seats)
    for seat in seats:
        if seat.ruleset != first.ruleset:
            errors.setdefault(seat.number, line_error("rulesets_differ", "ruleset", line=first.number))
        if numbered and seat.of.round is None:
            errors.setdefault(seat.number, line_error("round_missing", "round"))
    at: defaultdict[tuple[int, date, str], list[Seat]] = defaultdict(list)
    for seat in seats:
        place: tuple[int, date] = (seat.of.round or 0, date.min) if numbered else (0, seat.day)
        at[*place, seat.of.table or "1"].append(seat)
    _check_once_a_round(at, errors)
    scale = 10 ** max((_decimals(seat.score) for seat in seats if seat.score is not None), default=0)
    rounds = {round: number for number, round in enumerate(sorted({key[:2] for key in at}), 1)}
    tables = [_table(rounds[key[:2]], key[2], some, scale, errors) for key, some in at.items()]
    _check_sizes(at, errors)
    return PastTournament(title, first.ruleset, tuple(one for one in tables if one), first.number, scale)


_Tables: TypeAlias = Mapping[tuple[int, date, str], Sequence[Seat]]


def _check_once_a_round(at: _Tables, errors: Errors) -> None:
    lines: dict[tuple[int, date, str], int] = {}
    for (round, day, _), seats in at.items():
        for seat in seats:
            before = lines.setdefault((round, day, seat.player), seat.number)
            if before != seat.number:
                errors.setdefault(seat.number, line_error("player_twice", "player", line=before))


def _check_sizes(at: _Tables, errors: Errors) -> None:
    """Let all parties of a tournament have as many players as the first."""
    parties = [party for seats in at.values() for party in _parties(seats)]
    needed = len(parties[0])
    for party in parties:
        if len(party) != needed:
            errors.setdefault(party[0].number, line_error("party_size", "team", players=len(party), needed=needed))


def _parties(seats: Iterable[Seat]) -> list[list[Seat]]:
    found: defaultdict[object, list[Seat]] = defaultdict(list)
    for seat in seats:
        found[seat.party].append(seat)
    return list(found.values())


def _table(round: int, name: str, seats: Sequence[Seat], scale: int, errors: Errors) -> PastTable | None:
    """Return the table, ``None`` if a line is wrong."""
    first, parties, before = seats[0], _parties(seats), len(errors)
    scored = any(seat.score is not None for seat in seats)
    for party in parties:
        for seat in party:
            if problem := _problem_of(seat, first, party[0], scored=scored):
                errors.setdefault(seat.number, problem)
    heads = [party[0] for party in parties]
    if name in NOT_FOR_TABLES:
        errors.setdefault(first.number, line_error("table_name_taken", "table", table=name))
    if len(errors) > before or any(seat.number in errors for seat in seats):
        return None
    points = [int(one.score * scale) if one.score is not None else sum(_has_lower_place(other, one) for other in heads) for one in heads]
    places = tuple(one.of.place for one in heads if one.of.place is not None)
    if scored and len(places) == len(heads):
        _check_places(heads, points, errors)
    ids = tuple(tuple(seat.player for seat in party) for party in parties)
    return PastTable(round, name, first.day.isoformat(), ids, tuple(points), places if len(places) == len(heads) else None)


def _problem_of(seat: Seat, first: Seat, head: Seat, *, scored: bool) -> InvalidFormatError | None:
    if seat.day != first.day:
        return line_error("dates_differ", "date", line=first.number)
    if (seat.score, seat.of.place) != (head.score, head.of.place):
        return line_error("party_differs", "score", line=head.number)
    if scored and seat.score is None:
        return line_error("score_missing", "score")
    if not scored and seat.of.place is None:
        return line_error("no_result", "score")
    return None


def _has_lower_place(other: Seat, one: Seat) -> bool:
    return (other.of.place or 0) > (one.of.place or 0)


def _check_places(heads: Sequence[Seat], points: Sequence[int], errors: Errors) -> None:
    """Refuse a place that is better than that of somebody with more points."""
    ranked = sorted(zip(points, heads, strict=True), key=lambda one: (-one[0], one[1].of.place or 0))
    worst = ranked[0][1]
    for _, one in ranked:
        if (one.of.place or 0) < (worst.of.place or 0):
            errors.setdefault(one.number, line_error("place_contradicts", "place", line=worst.number))
        else:
            worst = one
