"""The definition of a projection: its tables, and how events change them. One file each, and one line in ``deploy/compose.py``."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TypeAlias

from msgspec import Struct

from domain.effects import Effects
from domain.events import Recorded, player, tournament
from domain.events.game import MovePlayed
from domain.score import SCORING
from projections.engine.store import Transaction

Batch: TypeAlias = Sequence[tuple[int, Recorded]]
"""Events with their sequences, in commit order."""

ReadEvents: TypeAlias = Callable[[int, int], Batch]
"""Reads from the journal the events after a sequence, so many at most."""

_OTHERS = frozenset({*tournament.NAMES, *player.NAMES})
_OTHER_NAMES = frozenset({*tournament.NAMES.values(), *player.NAMES.values()})
"""They identify the kind of an event that cannot be read: its class says nothing then."""
_SCORING = frozenset(SCORING)


class Projection(Struct, frozen=True):
    """A projection. ``tables``: for each table the statements that create it and its indexes.

    ``version`` rises when the tables or their content changes: they are then dropped and filled again from the events. ``apply`` gets every
    event once and in order. Its result must not depend on how events are cut into batches. ``plain_moves``: whether it needs moves that
    write nothing on a sheet. Most events are such moves. ``known`` queries the streams that the tables know, and up to which position each:
    a row a stream. So they reveal events that are gone. ``update`` computes what follows from many rows, a portion at a time, and returns
    whether more is left. It is called at the newest event only, until nothing is left; only then its rows are those of the events.
    """

    name: str
    version: int
    tables: dict[str, tuple[str, ...]]
    apply: Callable[[Transaction, Batch], None]
    known: str = ""
    plain_moves: bool = True
    update: Callable[[Transaction], bool] | None = None

    def finish(self, tx: Transaction) -> None:
        """Compute all that follows."""
        while self.update is not None and self.update(tx):
            pass


class News:
    """A batch for several projections, sorted once."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch

    @cached_property
    def _special_events(self) -> Batch:
        return [one for one in self.batch if not is_plain_move(one[1])]

    def batch_for(self, projection: Projection) -> Batch:
        """Return the events of the batch that the projection needs, in order; perhaps none."""
        return self.batch if projection.plain_moves else self._special_events


def is_plain_move(recorded: Recorded) -> bool:
    event = recorded.event
    return type(event) is MovePlayed and not scores(event.effects)


def scores(effects: Effects) -> bool:
    """Return whether one of the effects writes on a sheet."""
    return not _SCORING.isdisjoint(map(type, effects))


def create_tables(tx: Transaction, projection: Projection) -> None:
    for statements in projection.tables.values():
        for statement in statements:
            tx.run(statement)


def by_game(batch: Batch) -> dict[str, list[tuple[int, Recorded]]]:
    """Return the events of each game, in order; those of tournaments and players are left out."""
    games: dict[int, list[tuple[int, Recorded]]] = {}
    for one in batch:
        recorded = one[1]
        if type(recorded.event) not in _OTHERS and recorded.name not in _OTHER_NAMES:
            games.setdefault(recorded.stream.int, []).append(one)
    # Grouped by number, and each id turned into text only once: the conversion takes longer than all the rest.
    return {str(events[0][1].stream): events for events in games.values()}
