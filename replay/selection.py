"""Selection of a game's frames: those of a hand, of a seat, between two positions; page by page, forwards and backwards."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from msgspec import Struct

from domain.cards import Seat
from domain.events.game import IllegalMoveAccepted, MovePlayed
from domain.game import Game
from replay.past import GamePast, GameStep


class Selection(Struct, frozen=True):
    """A selection. ``first`` and ``last`` are included. ``hand`` is the one in progress or played last after the event; ``seat`` made the
    move. ``dark_from``: events from there on do not reveal their hand or seat.
    """

    first: int
    last: int
    hand: int | None = None
    seat: Seat | None = None
    dark_from: int | None = None

    def of(self, steps: Iterable[GameStep]) -> Iterator[GameStep]:
        return filter(self._has, steps)

    def _has(self, step: GameStep) -> bool:
        if self.hand is None and self.seat is None:
            return True
        told = self.dark_from is None or step.recorded.position < self.dark_from
        return told and self.hand in (None, step.after.table.hand) and self.seat in (None, seat_of(step))

    def after(self, past: GamePast, position: int) -> Iterator[GameStep]:
        return self.of(past.steps(max(position, self.first - 1), self.last))

    def before(self, past: GamePast, position: int) -> Iterator[GameStep]:
        """Yield the steps before the position, the last one first."""
        for block in past.backwards(min(position, self.last + 1), self.first - 1):
            yield from self.of(reversed(block))


def positions_of(game: Game, hand: int) -> tuple[int, int]:
    """Return the first and the last position at which the hand can have been in progress, or played last.

    The range of a rewind is included as a whole: any hand may have been dealt and taken back in it.
    """
    starts = [deal.position for deal in game.deals]
    first = starts[hand - 1] if hand <= len(starts) else game.dealt_at
    last = starts[hand] - 1 if hand < len(starts) else game.position
    for left, until in game.voids:
        first, last = min(first, left), max(last, until + 1)
    return max(first, 1), min(last, game.position)


def positions_at_table(game: Game, hand: int, struck_at: int | None = None) -> tuple[int, int] | None:
    """Return the positions from the deal of a hand to the last at which its cards lay there, or at which it was struck out.

    ``None`` for a hand that was never dealt, and for one of which only the result is known.
    """
    if struck_at is not None:
        deals = [one.deal for one in game.stretches if one.deal and one.deal.hand == hand and one.deal.position < struck_at]
        return (deals[-1].position, struck_at) if deals and not deals[-1].reported else None
    deal = next((one for one in game.deals if one.hand == hand), None)
    if deal is None or deal.reported:
        return None
    after = max(place for place, one in enumerate(game.stretches) if one.deal == deal) + 1
    return deal.position, game.stretches[after].first - 1 if after < len(game.stretches) else game.position


class FramesPage(NamedTuple):
    """A page of frames. ``newer``: there are more after it, ``older``: before it."""

    steps: tuple[GameStep, ...]
    newer: bool
    older: bool


def page_after(past: GamePast, selection: Selection, position: int, limit: int) -> FramesPage:
    found = tuple(islice(selection.after(past, position), limit + 1))  # one more, to know whether there is a newer page
    steps = found[:limit]
    start = steps[0].recorded.position if steps else position + 1
    return FramesPage(steps, len(found) > limit, any(True for _ in selection.before(past, start)))


def page_before(past: GamePast, selection: Selection, position: int, limit: int) -> FramesPage:
    """Return the page that ends before the position."""
    found = tuple(islice(selection.before(past, position), limit + 1))[::-1]
    steps = found[-limit:]
    end = steps[-1].recorded.position if steps else position - 1
    return FramesPage(steps, any(True for _ in selection.after(past, end)), len(found) > limit)


def seat_of(step: GameStep) -> Seat | None:
    """Return the seat that made the move; ``None`` for an event that is no move."""
    event = step.recorded.event
    return event.seat if isinstance(event, MovePlayed | IllegalMoveAccepted) else None
