"""Import of member lists, one player per line. A refused line does not keep the others out."""

import asyncio
import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import TypeAlias

from msgspec import UNSET, Struct
from msgspec.structs import replace

from api.http.decoding import convert_value, decode_json
from api.http.errors import BadRequest, say
from api.http.lists import Columns, LineError, problem_of, read_list
from api.players.requests import RegisterPlayer
from api.players.responses import MemberLine, MemberReport
from api.services import Services
from domain.errors import Exists, InvalidFormatError
from domain.journal.commits import Call, Receipt
from domain.journal.registers import Person
from domain.name_validation import LONGEST_ID, is_id, normalize_name
from domain.player import PLAYER, Player, player_stream, registration
from domain.texts import Phrase

# Registration records the event first, and the row in the register after it. If it stops in between, a repetition under the same key adds
# the row.


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
    at = register_time(services.clock())
    people = [Person(receipt.after.player, one.wanted.name, one.wanted.alias, at, one.call.by) for one, receipt in registered]
    await asyncio.to_thread(services.registers.enter_players, people)


def register_time(moment: datetime) -> str:
    """Return a time as the registers keep it."""
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


_BATCH = 100

_NAMES = ("name", "id", "alias", "club")
_COLUMNS = Columns(re.compile("|".join(_NAMES)), re.compile("name"), say("columns_of_members", names=_NAMES))

_Became: TypeAlias = str | None | LineError
"""The id of the player, ``None`` where a new one would be given, or the error of the line."""

CallOf: TypeAlias = Callable[[int, bytes], Call]
"""The command of a line, by its number and its content."""


class _Line(Struct, frozen=True):
    """A line: its registration, or its error."""

    number: int
    found: Registration | LineError


async def import_members(
    services: Services,
    body: bytes,
    kind: str,
    call: CallOf,
    *,
    dry_run: bool,
    language: str,
    step: Callable[[], object] = lambda: None,
) -> MemberReport:
    """Register every valid line, and report on all lines. ``step`` is called before every hundred.

    Raises ``BadRequest`` and ``InvalidFormatError`` for what is no list at all.
    """
    uploaded = await asyncio.to_thread(read_list, body, kind, _COLUMNS)
    lines = await asyncio.to_thread(lambda: _unique([_judge_line(services, call, *line) for line in uploaded.lines]))
    became: list[_Became] = []
    for start in range(0, len(lines), _BATCH):
        step()
        became += await _register_lines(services, lines[start : start + _BATCH], dry_run=dry_run)
    told = [_member_line(line.number, one, language) for line, one in zip(lines, became, strict=True)]
    refused = sum(line.error is not None for line in told)
    remarks = uploaded.remarks_in(language) or UNSET
    return MemberReport(dry_run=dry_run, registered=len(told) - refused, refused=refused, players=told, remarks=remarks)


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
    pending = [line.found for line in lines if isinstance(line.found, Registration)]
    outcomes = await asyncio.gather(*(record_registration(services, one, dry_run=dry_run) for one in pending), return_exceptions=True)
    done = [(one, outcome) for one, outcome in zip(pending, outcomes, strict=True) if isinstance(outcome, Receipt)]
    if not dry_run:
        await enter_names(services, done)
    became = iter([_build_result(one, outcome, dry_run) for one, outcome in zip(pending, outcomes, strict=True)])
    return [next(became) if isinstance(line.found, Registration) else line.found for line in lines]


def _build_result(one: Registration, outcome: Receipt[Player] | BaseException, dry_run: bool) -> _Became:
    """Return the player's id; none where one would be made."""
    match outcome:
        case Receipt():
            return one.wanted.id if dry_run and not outcome.repeated else outcome.after.player
        case Exists():
            return outcome
        case _:
            raise outcome


def _member_line(number: int, became: _Became, language: str) -> MemberLine:
    if became is None or isinstance(became, str):
        return MemberLine(line=number, player=became, error=None)
    return MemberLine(line=number, player=None, error=problem_of(became, language))
