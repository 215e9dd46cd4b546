"""What a tournament is made of, and how its events change it: entrants with their line-ups, rounds with their tables."""

from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from domain.events.tournament import (
    EntryAccepted,
    EntryChanged,
    EntryWithdrawn,
    ResultConfirmed,
    ResultEntered,
    ResultWithdrawn,
    RoundClosed,
    RoundPaired,
    RoundUnpaired,
    TableAdjourned,
    TableForfeited,
)


class LineUp(Struct, frozen=True):
    """Who stands for an entrant from a round on, one for each seat of a party."""

    from_round: int
    players: tuple[str, ...]


class Entrant(Struct, frozen=True):
    """``until`` is the first round in which a withdrawn entrant does not play."""

    number: int
    from_round: int
    line_ups: tuple[LineUp, ...]
    rating: int | None = None
    until: int | None = None

    def plays(self, round: int) -> bool:
        return self.from_round <= round and (self.until is None or round < self.until)

    def players(self, round: int) -> tuple[str, ...]:
        """Who stands for the entrant in a round."""
        known = [line_up.players for line_up in self.line_ups if line_up.from_round <= round]
        return known[-1] if known else self.line_ups[0].players

    @property
    def everybody(self) -> frozenset[str]:
        """All who ever stood for the entrant: a substitute may have come between two games of a table."""
        return frozenset(player for line_up in self.line_ups for player in line_up.players)


class Entered(Struct, frozen=True):
    """Points of each party that were told, not played here. ``sides``: the entrants who said so; none where the director did."""

    points: tuple[int, ...]
    sides: tuple[int, ...] = ()


class RoundTable(Struct, frozen=True):
    """A table of a round: the entrant on each seat, and what was said about it."""

    name: str
    seats: tuple[int, ...]
    entered: Entered | None = None
    absent: tuple[int, ...] = ()
    adjourned: bool = False


class Round(Struct, frozen=True):
    number: int
    drawn: bool
    tables: tuple[RoundTable, ...]
    byes: tuple[int, ...]
    closed: bool = False

    def table(self, name: str) -> RoundTable | None:
        return next((table for table in self.tables if table.name == name), None)


def entries_after(entrants: tuple[Entrant, ...], event: EntryAccepted | EntryChanged | EntryWithdrawn) -> tuple[Entrant, ...]:
    match event:
        case EntryAccepted():
            entrant = Entrant(event.entrant, event.from_round, (LineUp(event.from_round, event.players),), event.rating)
            return (*entrants, entrant) if event.entrant == len(entrants) + 1 else entrants
        case EntryChanged():
            line_up = LineUp(event.from_round, event.players)
            return tuple(replace(one, line_ups=(*one.line_ups, line_up)) if one.number == event.entrant else one for one in entrants)
        case EntryWithdrawn():
            return tuple(replace(one, until=event.from_round) if one.number == event.entrant else one for one in entrants)


def rounds_after(rounds: tuple[Round, ...], event: RoundPaired | RoundUnpaired | RoundClosed) -> tuple[Round, ...]:
    match event:
        case RoundPaired():
            tables = tuple(RoundTable(one.table, one.seats) for one in event.tables)
            return (*rounds, Round(event.round, event.drawn, tables, event.byes)) if event.round == len(rounds) + 1 else rounds
        case RoundUnpaired():
            return rounds[: event.round - 1]
        case RoundClosed():
            return tuple(replace(one, closed=True) if one.number == event.round else one for one in rounds)


Said: TypeAlias = ResultEntered | ResultConfirmed | ResultWithdrawn | TableForfeited | TableAdjourned


def round_after(round: Round, event: Said) -> Round:
    if round.number != event.round:
        return round
    return replace(round, tables=tuple(_table_after(table, event) if table.name == event.table else table for table in round.tables))


def _table_after(table: RoundTable, event: Said) -> RoundTable:
    match event:
        case ResultEntered(points=points, side=side):
            said = Entered(points, () if side is None else (side,))
            return RoundTable(table.name, table.seats, said) if side is None else replace(table, entered=said)
        case ResultConfirmed(side=side):
            entered = table.entered
            return table if entered is None else replace(table, entered=replace(entered, sides=(*entered.sides, side)))
        case ResultWithdrawn():
            return RoundTable(table.name, table.seats)
        case TableForfeited(absent=absent):
            return RoundTable(table.name, table.seats, None, absent)
        case TableAdjourned():
            return replace(table, adjourned=True)
