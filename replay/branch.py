"""What-if: a line of moves tried out on a table of the past or the present. Nothing of it is recorded.

A branch shows cards: the caller has to check who may see it.
"""

from collections.abc import Iterable

from msgspec import Struct

from domain.effects import Effects
from domain.entries import MadeMove
from domain.errors import Refused
from domain.rules import Rulebook
from domain.table import Table, fold


class Tried(Struct, frozen=True):
    """One move of the line: what it would do, or why it would be refused. Seat and move as they were given."""

    seat: object
    move: object
    effects: Effects = ()
    refused: Refused | None = None


class Branch(Struct, frozen=True):
    """``table`` is how it would lie at the end."""

    tried: tuple[Tried, ...]
    table: Table


def branch(rulebook: Rulebook, table: Table, moves: Iterable[MadeMove]) -> Branch:
    """Each move on the table that the legal ones before it leave: a refused one changes nothing, and the next is tried all the same."""
    tried = []
    for seat, move, *told in moves:
        try:
            effects = rulebook.resolve(table, seat, move, *told)
        except Refused as refused:
            tried.append(Tried(seat, move, refused=refused))
            continue
        tried.append(Tried(seat, move, effects))
        table = fold(table, effects)
    return Branch(tuple(tried), table)
