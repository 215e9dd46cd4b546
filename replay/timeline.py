"""A game's history as a line through time: the table of any position, and every event as a viewer may be told it.

Whoever does not see everything is told of an event what ``seen_by`` tells of its effects, and besides:

- a move as it was made, unless a card left a place where the mover sees faces and the viewer was not told it: then only its type.
  That is decided from where cards lie, never from which they are, so that what is left out tells nothing either;
- the restored table of a rewind masked, and no digest: neither of the event before nor of a text. A single hidden card can be
  found from a digest by trying all of them.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime

from msgspec import Struct

from domain.cards import HIDDEN
from domain.effects import CardsMoved, Effects, Plain
from domain.errors import Unknown
from domain.events import Event, GameRewound, HandDealt, MovePlayed, Recorded, Unreadable
from domain.game import Game, evolve
from domain.sight import Viewer, Who, masked, seen_by, visible_from
from domain.table import Table

_STRIDE = 64


class Frame(Struct, frozen=True):
    """An event as a viewer may be told it. ``void``: a later rewind took it back. ``table`` is the masked table after it."""

    position: int
    name: str
    at: datetime
    by: str
    happened_at: datetime | None
    void: bool
    event: Event
    table: Table


class Timeline:
    """``history`` is the whole history of one game, from position 1 on. Folds it once; any table is then a short fold away."""

    def __init__(self, history: Sequence[Recorded]) -> None:
        if not history:
            raise ValueError("a timeline needs a history")
        self._history = history
        self._kept: list[Game] = []
        game: Game | None = None
        for index, recorded in enumerate(history):
            game = evolve(game, recorded)
            if index % _STRIDE == 0:
                self._kept.append(game)
        assert game is not None
        self.game: Game = game

    def at(self, position: int) -> Table:
        """The table as it stood after the event at ``position``, void or not. Raises ``Unknown``."""
        return self._game_at(position).table

    def position_at(self, moment: datetime) -> int:
        """The last event recorded at or before the moment; 0 if the game was opened later."""
        readable = (recorded for recorded in reversed(self._history) if not isinstance(recorded.event, Unreadable))
        return next((recorded.position for recorded in readable if recorded.stamp.at <= moment), 0)

    def viewer(self, who: Who, position: int) -> Viewer:
        """The eyes of ``who`` on a position, as far as the game is open by now."""
        return self.game.viewer(who, position)

    def frames(self, who: Who, after: int = 0, limit: int | None = None) -> Iterator[Frame]:
        """The events after position ``after``, as ``who`` may be told them today; none after the last. Lazy."""
        if after >= len(self._history):
            return
        stop = None if limit is None else after + limit
        before = self._game_at(after) if after else None
        for recorded in self._history[after:stop]:
            game = evolve(before, recorded)
            yield self._frame(self.viewer(who, recorded.position), before.table if before else game.table, game.table, recorded)
            before = game

    def _game_at(self, position: int) -> Game:
        if not 1 <= position <= len(self._history):
            raise Unknown("position", position)
        slot = (position - 1) // _STRIDE
        game = self._kept[slot]
        for recorded in self._history[slot * _STRIDE + 1 : position]:
            game = evolve(game, recorded)
        return game

    def _frame(self, viewer: Viewer, before: Table, after: Table, recorded: Recorded) -> Frame:
        stamp = recorded.stamp
        return Frame(
            position=recorded.position,
            name=recorded.name,
            at=stamp.at,
            by=stamp.by,
            happened_at=stamp.happened_at,
            void=self.game.is_void(recorded.position),
            event=told(viewer, before, recorded.event),
            table=masked(after, viewer),
        )


def told(viewer: Viewer, before: Table, event: Event) -> Event:
    """The event as the viewer may be told it, from the table before it."""
    if viewer.sees_all:
        return event
    match event:
        case HandDealt(effects=effects):
            return HandDealt(event.dealer, event.edition, event.how, seen_by(viewer, before, effects))
        case MovePlayed(effects=effects):
            seen = seen_by(viewer, before, effects)
            return MovePlayed(event.seat, _told_move(viewer, before, event, seen), seen)
        case GameRewound():
            return GameRewound(event.to, None, event.ruling, masked(event.restored, viewer))
        case _:
            return event


def _told_move(viewer: Viewer, before: Table, played: MovePlayed, seen: Effects) -> Plain:
    mover = Viewer(played.seat)
    if viewer.who == played.seat or not any(_keeps_back(mover, before, effect) for effect in seen if isinstance(effect, CardsMoved)):
        return played.move
    return {"type": played.move["type"]} if isinstance(played.move, dict) and "type" in played.move else None


def _keeps_back(mover: Viewer, before: Table, moved: CardsMoved) -> bool:
    """Whether a card that the mover may have known, so that his move may name it, was moved without being told."""
    zone = before.zones.get(moved.source)
    return zone is not None and HIDDEN in moved.cards and visible_from(mover, zone) < len(zone.cards)
