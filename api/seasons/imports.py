"""Import of a list of results: all lines or none, with a report per line.

Every tournament of the list becomes a tournament that has ended, with its results on the days on which they were played. So ratings, series
and histories follow as from any other.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from hashlib import sha256

from msgspec import UNSET, Struct
from msgspec.structs import replace

from api.http.decoding import convert_value, decode_json
from api.http.errors import say
from api.http.lists import ListRemark, UploadedList, problem_of, read_list
from api.http.media_types import JSON
from api.http.response import encode
from api.players.registrations import Registration, enter_names, record_registration, registration_of
from api.players.requests import RegisterPlayer
from api.seasons.requests import MOST_LINES, PastResult, PastResults, PastResultsQuery
from api.seasons.responses import ImportedTournament, PastResultLine, PastResultsReport
from api.seasons.tables import (
    PAST_RESULTS,
    Errors,
    PastLine,
    PastTournament,
    Seat,
    group_tournaments,
    line_error,
    read_day,
    read_lines,
    read_score,
)
from api.services import Services
from domain.errors import Exists, InvalidFormatError, Unknown
from domain.journal.commits import Call, note
from domain.journal.registers import Person
from domain.name_validation import is_id, normalize_name
from domain.texts import render
from domain.tournament.imports import import_tournament
from domain.tournament.tournament import TOURNAMENT, Tournament, tournament_stream
from projections.models.players import PlayerRow, rows_of

_MOST_IMPORTS = 20
"""How often a list can be imported that was withdrawn each time."""

CallOf = Callable[[int, bytes], Call]
"""The command of a part of the list, by a number and its content."""


# Players: by id, by alias, or by the exact name. Nothing is guessed.


class _Directory(Struct, frozen=True):
    """The players whom the list may mean: ``rows`` by id, and people with a name or an alias of the list."""

    rows: dict[str, PlayerRow]
    people: Sequence[Person]

    def find(self, line: PastResult) -> str | None:
        """Return the id by which the person is known; ``None`` for a new player. Raises ``InvalidFormatError``."""
        if line.id is not None:
            if line.id not in self.rows and line.player is None:
                raise line_error("player_unknown", "id", given=line.id)
            return self.rows[line.id].root if line.id in self.rows else None
        called = line.alias or line.player
        if called is None:
            raise line_error("player_missing", "player")
        known = [self.rows[one] for one in self._list_called(called, by_name=line.alias is None) if one in self.rows]
        found = {row.root: self.rows.get(row.root, row) for row in known if not row.erased}
        if len(found) > 1 and line.club is not None:
            found = {root: row for root, row in found.items() if row.club == line.club}
        if len(found) > 1:
            raise line_error("player_ambiguous", "player", given=called, players=tuple(sorted(found)))
        if not found and line.player is None:
            raise line_error("player_unknown", "alias", given=called)
        return next(iter(found), None)

    def _list_called(self, called: str, *, by_name: bool) -> list[str]:
        named = [one.player for one in self.people if one.alias == called or (by_name and one.name == called)]
        return [called, *named] if by_name else named


def _read_directory(services: Services, lines: Iterable[PastResult]) -> _Directory:
    given = list(lines)
    called = [name for line in given for name in (line.player, line.alias) if name is not None]
    people = services.registers.find_same_names(called, aliases=True)
    ids = {line.id for line in given if line.id} | {name for name in called if is_id(name)} | {one.player for one in people}
    rows = rows_of(services.store, ids)
    return _Directory(rows | rows_of(services.store, {row.root for row in rows.values()}), people)


# The import: judge all lines, then record players and tournaments.


class _Judged(Struct, frozen=True):
    """The list as it was judged: the players of its lines, those to be registered, the tournaments, and errors."""

    players: dict[int, str]
    new: dict[int, Registration]
    tournaments: list[PastTournament]
    errors: Errors


async def import_past_results(
    services: Services, body: bytes, kind: str, call: CallOf, query: PastResultsQuery, language: str
) -> PastResultsReport:
    """Import the list, if no line is wrong, and report on all lines.

    Raises ``BadRequest`` and ``InvalidFormatError`` for what is no list at all.
    """
    uploaded = await asyncio.to_thread(_read_upload, body, kind)
    if len(uploaded.lines) > MOST_LINES:
        raise InvalidFormatError("list_too_long", say("past.list_too_long", most=MOST_LINES))
    lines = read_lines(uploaded)
    judged = await asyncio.to_thread(_judge, services, lines, call, query)
    right = () if judged.errors else judged.tournaments
    new = list({one.player: one for one in judged.new.values()}.values()) if right else []
    dry_run = query.dry_run or not right
    if not dry_run:
        registered = [(one, await record_registration(services, one)) for one in new]
        await enter_names(services, registered)
    digest = sha256(body).hexdigest()
    calls = (call(-number, f"{digest} {one.title}".encode()) for number, one in enumerate(right, 1))
    told = [await _record(services, one, digest, its, dry_run=dry_run) for one, its in zip(right, calls, strict=True)]
    return PastResultsReport(
        dry_run=query.dry_run,
        recorded=not dry_run and not all(one.already for one in told),
        refused=len(judged.errors),
        registered=len(new),
        tournaments=told,
        lines=[_view_line(line, judged, language, known=not dry_run) for line in lines],
        remarks=[*uploaded.list_warnings(language), *_warn_about_scale(judged.tournaments, language)] or UNSET,
    )


def _read_upload(body: bytes, kind: str) -> UploadedList:
    if kind != JSON:
        return read_list(body, kind, PAST_RESULTS)
    lines = convert_value(decode_json(body), PastResults).lines
    return UploadedList([(number, encode(line)) for number, line in enumerate(lines, 1)], {})


def _view_line(line: PastLine, judged: _Judged, language: str, *, known: bool) -> PastResultLine:
    error, new = judged.errors.get(line.number), judged.new.get(line.number)
    player = judged.players.get(line.number) if new is None or known or new.wanted.id else None
    problem = None if error is None else problem_of(error, language)
    return PastResultLine(line=line.number, player=player, new=new is not None, error=problem)


def _warn_about_scale(tournaments: Iterable[PastTournament], language: str) -> list[ListRemark]:
    scaled = [("scores_multiplied", say("past.scores_multiplied", title=one.title, by=one.scale)) for one in tournaments if one.scale > 1]
    return [ListRemark(code=code, sentence=render(says, language)) for code, says in scaled]


def _judge(services: Services, lines: Sequence[PastLine], call: CallOf, query: PastResultsQuery) -> _Judged:
    errors: Errors = {line.number: line.found for line in lines if not isinstance(line.found, PastResult)}
    given = {line.number: line.found for line in lines if isinstance(line.found, PastResult)}
    directory, rulesets = _read_directory(services, given.values()), _ruleset_names(services)
    players: dict[int, str] = {}
    new: dict[int, Registration] = {}
    first: dict[tuple[str, str | None], Registration] = {}
    seats = []
    for number, line in given.items():
        try:
            known = directory.find(line)
            if known is None:
                key = (line.id or line.player or "", line.club)
                new[number] = first[key] = first.get(key) or _register(services, call, number, line)
            players[number] = known or new[number].player
            seats.append(_seat(services, number, line, players[number], query, rulesets))
        except InvalidFormatError as error:
            errors[number] = error
    return _Judged(players, new, group_tournaments(seats, errors), errors)


def _register(services: Services, call: CallOf, number: int, line: PastResult) -> Registration:
    assert line.player is not None
    body = RegisterPlayer(id=line.id, name=line.player, alias=line.alias, club=line.club)
    return registration_of(services, call(number, f"{line.player}\n{line.club}".encode()), body)


def _ruleset_names(services: Services) -> dict[str, str]:
    """Return the rulesets by their keys and by their names in all languages."""
    names = {name.casefold(): key for key, one in services.rulesets.items() for name in one.about().names.values()}
    return {**names, **{key: key for key in services.rulesets}}


def _seat(services: Services, number: int, line: PastResult, player: str, query: PastResultsQuery, rulesets: dict[str, str]) -> Seat:
    """Return the line with the values of the query where it has none. Raises ``InvalidFormatError``."""
    title, game = line.tournament or query.tournament, line.ruleset or query.ruleset
    if title is None:
        raise line_error("title_missing", "tournament")
    if game is None or game.casefold() not in rulesets:
        raise line_error("ruleset_unknown", "ruleset", given=game or "", known=tuple(services.rulesets))
    day, score = read_day(line.date or query.date, services.clock()), read_score(line.score)
    return Seat(number, line, player, normalize_name(title, "tournament"), rulesets[game.casefold()], day, score)


async def _record(services: Services, one: PastTournament, digest: str, call: Call, *, dry_run: bool) -> ImportedTournament:
    """Record a tournament, unless it was imported before. A repetition under the same key is answered like the first request."""
    first, last = one.days
    repeated = await services.journal.find_receipt(TOURNAMENT, call)
    id, already = (repeated.after.plan.tournament, False) if repeated else await _find_id(services, one, digest)
    if not (already or repeated):
        title = note(str(services.new_id()), one.title, services.new_salt())
        place = (services.rulesets[one.ruleset], id, title.ref, digest, one.tables, services.time_zone)
        events = await asyncio.to_thread(import_tournament, *place)
        call = replace(call, happened_at=datetime.fromisoformat(last).replace(tzinfo=UTC))
        await services.journal.begin(TOURNAMENT, call, tournament_stream(id), events, title, dry_run=dry_run)
    return ImportedTournament(
        tournament=id,
        title=one.title,
        ruleset=one.ruleset,
        first_day=first,
        last_day=last,
        players=len(one.players),
        tables=len(one.tables),
        already=already,
    )


async def _find_id(services: Services, one: PastTournament, digest: str) -> tuple[str, bool]:
    """Return the id of the tournament, and whether it is there. The id follows from the list, with a number behind it after a withdrawal.
    Raises ``Exists``.
    """
    own = f"{one.ruleset}-{one.days[0]}-{sha256(f'{digest} {one.title}'.encode()).hexdigest()[:8]}"
    for id in (own, *(f"{own}-{number}" for number in range(2, _MOST_IMPORTS + 1))):
        try:
            found: Tournament = await services.journal.current_of(TOURNAMENT, tournament_stream(id))
        except Unknown:
            return id, False
        if not (found.ended and found.ended.how == "cancelled"):
            return id, True
    raise Exists("tournament", own)
