"""Import of member lists, one player per line. A refused line does not keep the others out."""

import asyncio
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from msgspec import UNSET, Struct
from msgspec.structs import replace

from api.http.decoding import convert_value, decode_json
from api.http.errors import BadRequest, say
from api.http.lists import Columns, LineError, problem_of, read_list
from api.players.registrations import Doubles, Registration, enter_names, find_doubles, record_registration, registration_of
from api.players.requests import RegisterPlayer
from api.players.responses import MemberLine, MemberReport
from api.services import Services
from domain.errors import Exists, InvalidFormatError
from domain.journal.commits import Call, Receipt
from domain.player import Player

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
    line = MemberLine(line=1, player=_registered_id(one, receipt, True), error=None, namesakes=list(namesakes), same_as=None, skipped=False)
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
            return _registered_id(one, outcome, dry_run)
        case Exists():
            return outcome
        case _:
            raise outcome


def _registered_id(one: Registration, receipt: Receipt[Player], dry_run: bool) -> str | None:
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
