"""Score lines as text: CSV for spreadsheets, NDJSON for programs."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import lru_cache
from typing import Any, AnyStr

import msgspec
from msgspec import UNSET, defstruct

from api.http.spreadsheets import csv_text
from api.scores.schema import Names, ScoreLine, columns, name_of
from projections.models.score_lines.score_list import GameEntries, ScoreEntry
from projections.values import moment

_ENCODER = msgspec.json.Encoder()
_ROW = ScoreLine.__struct_fields__.index("row")
_Left = defstruct("_Left", ScoreLine.__struct_fields__[:_ROW], gc=False)
_Right = defstruct("_Right", [*ScoreLine.__struct_fields__[_ROW + 2 : -1], ("player_name", Any, UNSET)], gc=False)


def ndjson(found: Iterable[GameEntries], names: Names | None) -> bytes:
    """One object a line, each a ``ScoreLine``. What the lines of an entry share is encoded once."""
    return b"".join(text for one in found for text in _ndjson(one, names))


def _ndjson(found: GameEntries, names: Names | None) -> Iterator[bytes]:
    game = found.game
    opened_at = None if game.opened_at is None else _moment(game.opened_at)
    place = (game.id, game.ruleset, game.tournament, game.round, game.table, opened_at)
    for one in found.entries:
        when = (_moment(one.played_at), one.position or None, one.hand, _moment(one.at))
        left = _Left(*place, *when, one.party, one.seat, one.player, one.recorded, one.club, one.how)
        right = _Right(one.status, one.ruling, one.sequence, UNSET if names is None else name_of(found, one, names))
        before, after = b'%b,"row":' % _ENCODER.encode(left)[:-1], b",%b\n" % _ENCODER.encode(right)[1:]
        yield from _around(before, [b'%b,"points":%d' % (_json(row), points) for row, points in one.rows.items()], after)


def _around(before: AnyStr, lines: list[AnyStr], after: AnyStr) -> tuple[AnyStr, ...]:
    """The pieces of a text with each of the lines between the same beginning and end."""
    return (before, (after + before).join(lines), after) if lines else ()


def csv_head(named: bool) -> bytes:
    return f"{','.join(column.name for column in columns(named))}\r\n".encode()


def csv(found: Iterable[GameEntries], names: Names | None) -> bytes:
    """Written by hand and not with the module csv: what the lines of an entry share is written once."""
    return "".join(text for one in found for text in _csv(one, names)).encode()


def _csv(found: GameEntries, names: Names | None) -> Iterator[str]:
    game = found.game
    place = f"{game.id or ''},{csv_text(game.ruleset)},{csv_text(game.tournament)},{_number(game.round)},{csv_text(game.table)}"
    place = f"{place},{'' if game.opened_at is None else _time(game.opened_at)}"
    for one in found.entries:
        who = f"{one.party},{one.seat},{csv_text(one.player)},{csv_text(one.recorded)},{csv_text(one.club)},{one.how}"
        left = f"{place},{_time(one.played_at)},{_number(one.position or None)},{_number(one.hand)},{_time(one.at)},{who},"
        right = f",{one.status},{_number(one.ruling)},{one.sequence}{_name(found, one, names)}\r\n"
        yield from _around(left, [f"{csv_text(row)},{points}" for row, points in one.rows.items()], right)


def _name(found: GameEntries, one: ScoreEntry, names: Names | None) -> str:
    return "" if names is None else f",{csv_text(name_of(found, one, names))}"


@lru_cache(maxsize=1000)
def _moment(microseconds: int) -> datetime:
    return moment(microseconds)


@lru_cache(maxsize=1000)
def _json(text: str) -> bytes:
    return _ENCODER.encode(text)


def _number(value: int | None) -> str:
    return "" if value is None else str(value)


@lru_cache(maxsize=1000)
def _time(microseconds: int) -> str:
    return _moment(microseconds).isoformat().replace("+00:00", "Z")
