"""Registration of players: one, or a list of members with a report per line.

If it stops in between, a repetition under the same key adds the row.
"""

import asyncio
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple, TypeAlias

from msgspec import UNSET, Struct
from msgspec.structs import replace

from api.common.consistency import wait_for_head
from api.http.decoding import convert_value, decode_json
from api.http.errors import BadRequest, say
from api.http.lists import Columns, LineError, problem_of, read_list
from api.http.request import Request, services_of
from api.players.requests import RegisterPlayer
from api.players.responses import MemberLine, MemberReport
from api.services import Services
from domain.errors import Exists, InvalidFormatError, KeyConflictError, Refused, Unknown
from domain.journal.commits import Call, Receipt
from domain.journal.registers import Person, stamp
from domain.name_validation import LONGEST_ID, is_id, normalize_name
from domain.player import PLAYER, Player, player_stream, registration
from domain.texts import Phrase
from domain.tournament.tournament import TOURNAMENT, Tournament, tournament_stream
from projections.models.player_places import APPEARANCES, entries_of, seats_of
from projections.models.players import PLAYERS, ids_of_person, roots, rows_of


class Registration(Struct, frozen=True):
    """A player to be registered, and the call that brought them."""

    call: Call
    player: str
    wanted: RegisterPlayer


def registration_of(services: Services, call: Call, body: RegisterPlayer) -> Registration:
    """Return the registration. Raises ``InvalidFormatError`` for an invalid id or name."""
    id = body.id if body.id is not None else str(services.new_id())
    if not is_id(id):
        raise InvalidFormatError("bad_player_id", Phrase("form.id", {"longest": LONGEST_ID}), "id")
    alias = None if body.alias is None else normalize_name(body.alias, "alias")
    return Registration(call, id, replace(body, name=normalize_name(body.name, "name"), alias=alias))


async def record_registration(services: Services, one: Registration, *, dry_run: bool = False) -> Receipt[Player]:
    """Record the event. Raises ``Exists`` with the player's id. The name is not entered yet."""
    try:
        event = registration(one.player, one.wanted.club)
        return await services.journal.begin(PLAYER, one.call, player_stream(one.player), (event,), dry_run=dry_run)
    except Exists:
        raise Exists("player", one.player) from None


async def enter_names(services: Services, registered: Sequence[tuple[Registration, Receipt[Player]]]) -> None:
    """Enter the names of players whose events are recorded."""
    at = stamp(services.clock())
    people = [Person(receipt.after.player, one.wanted.name, one.wanted.alias, at, one.call.by) for one, receipt in registered]
    await asyncio.to_thread(services.registers.enter_players, people)


# Namesakes: players with the same name in the same club. A list of members that is sent again would double every member without an id.


class _Called(NamedTuple):
    """A name, and the club in which it stands."""

    name: str
    club: str | None


class Doubles(Struct, frozen=True):
    """The namesakes of a registration: ids of the directory, and the number of an earlier line of the same list. ``recorded``: the line
    itself was registered before, under the same key.
    """

    players: tuple[str, ...] = ()
    line: int | None = None
    recorded: bool = False


async def find_doubles(
    services: Services, lines: Sequence[tuple[int, Registration]], step: Callable[[], object] = lambda: None
) -> dict[int, Doubles]:
    """Return the namesakes of each line that has some, by its number. ``step`` is called before each of them is looked up."""
    found = await asyncio.to_thread(_find, services, lines)
    for number, one in [line for line in lines if line[0] in found]:
        step()
        before = await _find_recorded(services, one)
        if before is not None:
            found[number] = Doubles(tuple(id for id in found[number].players if id != before), found[number].line, recorded=True)
    return found


async def _find_recorded(services: Services, one: Registration) -> str | None:
    """Return the player who was registered under the same key before. A key of another request is refused when this one is recorded."""
    try:
        receipt = await services.journal.find_receipt(PLAYER, one.call)
    except KeyConflictError:
        return None
    return None if receipt is None else receipt.after.player


def _find(services: Services, lines: Sequence[tuple[int, Registration]]) -> dict[int, Doubles]:
    known, first = _find_registered(services, [one for _, one in lines]), dict[_Called, int]()
    found: dict[int, Doubles] = {}
    for number, one in lines:
        called = _key_of(one)
        before = first.setdefault(called, number)
        doubles = Doubles(tuple(id for id in known[called] if id != one.player), before if before != number else None)
        if doubles != Doubles():
            found[number] = doubles
    return found


def _find_registered(services: Services, wanted: Sequence[Registration]) -> defaultdict[_Called, list[str]]:
    people = services.registers.find_same_names(one.wanted.name for one in wanted)
    rows = rows_of(services.store, [person.player for person in people])
    known: defaultdict[_Called, list[str]] = defaultdict(list)
    for person in people:
        row = rows.get(person.player)
        if person.name is not None and row is not None and row.merged_into is None and not row.erased:
            known[_Called(person.name, row.club)].append(person.player)
    return known


def _key_of(one: Registration) -> _Called:
    return _Called(one.wanted.name, one.wanted.club)


async def check_no_shared_table(request: Request, player: str, other: str) -> None:
    """Raise ``Refused`` if two persons sat at one table, under any of their ids: in a recorded game, or as a round was paired."""
    for projection in (PLAYERS, APPEARANCES):
        await wait_for_head(request, projection.name)
    if await asyncio.to_thread(_have_shared_table, services_of(request), player, other):
        raise Refused("sat_at_one_table", player=player, into=other)


def _have_shared_table(services: Services, player: str, other: str) -> bool:
    known = roots(services.store, (player, other))
    if known[player] == known[other]:
        return False
    ones, others = ({id, *(row.player for row in ids_of_person(services.store, known[id]))} for id in (player, other))
    games = [{seat.game for seat in seats_of(services.store, ids)} for ids in (ones, others)]
    if games[0] & games[1]:
        return True
    entered = [{entry.tournament for entry in entries_of(services.store, ids)} for ids in (ones, others)]
    return any(_have_shared_table_in(services, id, ones, others) for id in entered[0] & entered[1])


def _have_shared_table_in(services: Services, tournament: str, ones: Collection[str], others: Collection[str]) -> bool:
    try:
        now: Tournament = services.journal.aggregate(TOURNAMENT, tournament_stream(tournament))
    except Unknown:
        return False
    tables = (now.players(round.number, table.seats) for round in now.rounds for table in round.tables)
    return any(not {*ones}.isdisjoint(players) and not {*others}.isdisjoint(players) for players in tables)


# Import of member lists, one player per line. A refused line does not keep the others out.


_BATCH = 100

_NAMES = ("name", "id", "alias", "club")
_COLUMNS = Columns(re.compile("|".join(_NAMES)), re.compile("name"), say("columns_of_members", names=_NAMES))

_Became: TypeAlias = str | None | LineError
"""The id of the player, ``None`` where a new one would be given, or the error of the line."""

CallOf: TypeAlias = Callable[[int, bytes], Call]
"""The command of a line, by its number and its content."""


class _Line(Struct, frozen=True):
    """A line: its registration, or its error; and the namesakes of who is to be registered."""

    number: int
    found: Registration | LineError
    doubles: Doubles = Doubles()
    skipped: bool = False

    @property
    def registration(self) -> Registration | None:
        """The registration that is to be recorded, if any."""
        return self.found if isinstance(self.found, Registration) and not self.skipped else None


async def import_members(
    services: Services,
    body: bytes,
    kind: str,
    call: CallOf,
    *,
    dry_run: bool,
    language: str,
    skip_namesakes: bool = False,
    step: Callable[[], object] = lambda: None,
) -> MemberReport:
    """Register every valid line, and report on all lines. ``step`` is called before every hundred. ``skip_namesakes``: nobody whose name a
    player of the same club has.

    Raises ``BadRequest`` and ``InvalidFormatError`` for what is no list at all.
    """
    uploaded = await asyncio.to_thread(read_list, body, kind, _COLUMNS)
    lines = await asyncio.to_thread(lambda: _unique([_judge_line(services, call, *line) for line in uploaded.lines]))
    found = await find_doubles(services, [(line.number, line.found) for line in lines if isinstance(line.found, Registration)], step)
    lines = [_with_doubles(line, found.get(line.number), skip=skip_namesakes) for line in lines]
    became: list[_Became] = []
    for start in range(0, len(lines), _BATCH):
        step()
        became += await _register_lines(services, lines[start : start + _BATCH], dry_run=dry_run)
    told = [_member_line(line, one, language) for line, one in zip(lines, became, strict=True)]
    refused, skipped = sum(line.error is not None for line in told), sum(line.skipped for line in told)
    return MemberReport(
        dry_run=dry_run,
        registered=len(told) - refused - skipped,
        refused=refused,
        skipped=skipped,
        players=told,
        remarks=uploaded.list_warnings(language) or UNSET,
    )


def report_of_one(one: Registration, receipt: Receipt[Player], namesakes: Sequence[str]) -> MemberReport:
    """Return the report of a dry run of one player."""
    line = MemberLine(line=1, player=_id_of_player(one, receipt, True), error=None, namesakes=list(namesakes), same_as=None, skipped=False)
    return MemberReport(dry_run=True, registered=1, refused=0, skipped=0, players=[line])


def _with_doubles(line: _Line, doubles: Doubles | None, *, skip: bool) -> _Line:
    return line if doubles is None else replace(line, doubles=doubles, skipped=skip and not doubles.recorded)


def _judge_line(services: Services, call: CallOf, number: int, raw: bytes) -> _Line:
    try:
        return _Line(number, registration_of(services, call(number, raw), convert_value(decode_json(raw), RegisterPlayer)))
    except (InvalidFormatError, BadRequest) as error:
        return _Line(number, error)


def _unique(lines: Iterable[_Line]) -> list[_Line]:
    """Refuse an id that occurs on an earlier line, in a dry run as well."""
    first: dict[str, int] = {}
    return [_first(line, line.found, first) if isinstance(line.found, Registration) else line for line in lines]


def _first(line: _Line, found: Registration, first: dict[str, int]) -> _Line:
    before = first.setdefault(found.player, line.number)
    if before == line.number:
        return line
    return _Line(line.number, InvalidFormatError("id_twice", say("id_twice", line=before), "id"))


async def _register_lines(services: Services, lines: Sequence[_Line], *, dry_run: bool) -> list[_Became]:
    """Record the lines together, so that the journal can commit them in groups. On an error, players who were recorded still get their
    names.
    """
    pending = [line.registration for line in lines if line.registration]
    outcomes = await asyncio.gather(*(record_registration(services, one, dry_run=dry_run) for one in pending), return_exceptions=True)
    done = [(one, outcome) for one, outcome in zip(pending, outcomes, strict=True) if isinstance(outcome, Receipt)]
    if not dry_run:
        await enter_names(services, done)
    became = iter([_build_result(one, outcome, dry_run) for one, outcome in zip(pending, outcomes, strict=True)])
    return [next(became) if line.registration else _error_of(line) for line in lines]


def _error_of(line: _Line) -> LineError | None:
    """Return the error of a line that is not registered; ``None`` for one that is skipped."""
    return None if isinstance(line.found, Registration) else line.found


def _build_result(one: Registration, outcome: Receipt[Player] | BaseException, dry_run: bool) -> _Became:
    match outcome:
        case Receipt():
            return _id_of_player(one, outcome, dry_run)
        case Exists():
            return outcome
        case _:
            raise outcome


def _id_of_player(one: Registration, receipt: Receipt[Player], dry_run: bool) -> str | None:
    """Return the player's id; none where one would be made."""
    return one.wanted.id if dry_run and not receipt.repeated else receipt.after.player


def _member_line(line: _Line, became: _Became, language: str) -> MemberLine:
    error = None if became is None or isinstance(became, str) else problem_of(became, language)
    return MemberLine(
        line=line.number,
        player=became if isinstance(became, str) else None,
        error=error,
        namesakes=list(line.doubles.players),
        same_as=line.doubles.line,
        skipped=line.skipped,
    )
