"""Signs of a game on its table: closed lists of its marks, its phases and the zones that it lays in the course of a hand.

An official who corrects a table by hand writes these and nothing else. Everybody can read them, so that free text could name a hidden card.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from domain.effects import Effect, MarkSet, Plain, TurnPassed, ZoneAdded
from domain.errors import Refused
from domain.table import Table


class Signs(Struct, frozen=True):
    """The signs. ``marks``: the type of its value by the place of a mark (the kind of a zone, ``build`` of ``build:3:0``; ``None``: the
    table) and its name. A text in a mark of a zone is a card that lies there. ``zones`` are patterns of those that moves lay, not the deal.
    """

    phases: tuple[str, ...]
    marks: Mapping[tuple[str | None, str], Any]
    zones: tuple[str, ...] = ()


def check_sign(signs: Signs, table: Table, effect: Effect) -> None:
    """Raise ``Refused`` for an effect that the game itself would never write on a table. Other effects pass."""
    match effect:
        case TurnPassed(phase=phase) if phase not in signs.phases:
            raise Refused("no_such_phase", phase=phase, phases=signs.phases)
        case ZoneAdded(zone=zone) if not any(re.fullmatch(pattern, zone) for pattern in signs.zones):
            raise Refused("foreign_zone", zone=zone)
        case MarkSet():
            _check_mark(signs, table, effect)
        case _:
            pass


def _check_mark(signs: Signs, table: Table, effect: MarkSet) -> None:
    kind = None if effect.zone is None else effect.zone.partition(":")[0]
    if (kind, effect.mark) not in signs.marks:
        raise Refused("no_such_mark", mark=effect.mark, marks=tuple(mark for place, mark in signs.marks if place == kind))
    if effect.value is None:
        return
    try:
        msgspec.convert(effect.value, signs.marks[kind, effect.mark], strict=True)
    except ValueError as error:
        raise Refused("bad_mark", mark=effect.mark, given=effect.value) from error
    if effect.zone is not None and not set(_words(effect.value)) <= set(table.cards(effect.zone)):
        raise Refused("bad_mark", mark=effect.mark, given=effect.value)


def _words(value: Plain) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _words(item)
