"""What a projection is: tables of its own, and how a batch of events changes them. One file each, and one line in ``deploy/compose.py``."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec import Struct

from domain.effects import Effects
from domain.events import Event, HandDealt, MovePlayed, MoveStood, PlayerEvent, Recorded, TableRectified, TournamentEvent
from projections.store import Tx

Batch: TypeAlias = Sequence[tuple[int, Recorded]]
"""Events with their sequences, in commit order."""


class Projection(Struct, frozen=True):
    """``tables``: for each table the statements that create it and its indexes.

    ``version`` rises when the tables or what is put into them changes: they are then dropped and filled anew from the events.
    ``apply`` may rely on every event coming once and in order, and must not depend on how events are cut into batches.
    """

    name: str
    version: int
    tables: dict[str, tuple[str, ...]]
    apply: Callable[[Tx, Batch], None]


def by_game(batch: Batch) -> dict[str, list[tuple[int, Recorded]]]:
    """The events of each game, in order; those of tournaments and players are left out."""
    games: dict[str, list[tuple[int, Recorded]]] = {}
    for sequence, recorded in batch:
        if isinstance(recorded.event, TournamentEvent | PlayerEvent):
            continue
        games.setdefault(str(recorded.stream), []).append((sequence, recorded))
    return games


def effects_of(event: Event) -> Effects:
    match event:
        case HandDealt(effects=effects) | MovePlayed(effects=effects) | MoveStood(effects=effects) | TableRectified(effects=effects):
            return effects
        case _:
            return ()
