"""Who sat at a game's table, by hand and by time: seats that change from now on, or that an official puts right from a hand on."""

from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from domain.events.game import PlayersCorrected, SeatAct, players_after
from domain.score import Adjustment, Score
from domain.setup import Setup
from domain.tournament.games import SeatedHands

Players: TypeAlias = tuple[str | None, ...]
_MOST = 2**63 - 1
"""Hands beyond are none of a game; every database takes the number."""
_Since: TypeAlias = tuple[int, Players]
"""The players from a hand on, or from a position on."""


class SeatHistory(Struct, frozen=True):
    """The players by hand and by position, the first of each from 1 on; and the positions at which the hands that stand were finished."""

    by_hand: tuple[_Since, ...]
    by_time: tuple[_Since, ...]
    finished: dict[int, int] = {}

    @property
    def players(self) -> Players:
        """The players who sit there last."""
        return self.by_time[-1][1]

    def after_act(self, act: SeatAct, position: int) -> "SeatHistory":
        """Return the seats after an act. What an official puts right from a hand on was so since the hand before it was finished."""
        players = players_after(self.players, act)
        if isinstance(act, PlayersCorrected):
            return self._seat(min(act.from_hand, _MOST), self.last_before(act.from_hand) + 1, players)
        return self._seat(max(self.finished, default=0) + 1, position, players)

    def last_before(self, hand: int) -> int:
        """Return the position at which the last hand before this one was finished; 0 without one."""
        return max((at for number, at in self.finished.items() if number < hand), default=0)

    def finish_hand(self, hand: int, position: int) -> "SeatHistory":
        return replace(self, finished={**self.finished, min(hand, _MOST): position})

    def after_score(self, score: Score, position: int) -> "SeatHistory":
        """Return the seats after an event that may have finished hands, or taken some back. Those who sit there now play what is played
        again.
        """
        finished = {number: self.finished.get(number, position) for number in (min(hand.hand, _MOST) for hand in score.hands)}
        if finished.keys() >= self.finished.keys():
            return replace(self, finished=finished)
        return replace(self, finished=finished, by_hand=_since(self.by_hand, max(finished, default=0) + 1, self.players))

    def _seat(self, hand: int, position: int, players: Players) -> "SeatHistory":
        return replace(self, by_hand=_since(self.by_hand, hand, players), by_time=_since(self.by_time, position, players))

    def in_hand(self, hand: int) -> Players:
        return _found(self.by_hand, hand)

    def of_adjustment(self, hand: int | None, position: int) -> Players:
        """Return who has the points of an adjustment: the players of its hand if that was finished by then, else those of that time."""
        if hand is not None and self.finished.get(hand, position) < position:
            return self.in_hand(hand)
        return _found(self.by_time, position)


def open_seats(players: Players) -> SeatHistory:
    return SeatHistory(((1, players),), ((1, players),))


def _since(known: tuple[_Since, ...], first: int, players: Players) -> tuple[_Since, ...]:
    earlier = tuple(one for one in known if one[0] < first)
    return earlier if earlier and earlier[-1][1] == players else (*earlier, (first, players))


def _found(known: tuple[_Since, ...], place: int) -> Players:
    return next((players for first, players in reversed(known) if first <= place), known[0][1])


def list_seated(seats: SeatHistory, setup: Setup, score: Score) -> tuple[SeatedHands, ...]:
    """Return who sat there in which hands, with their points; nothing where the same players sat there all the time."""
    if len(seats.by_hand) == len(seats.by_time) == 1:
        return ()
    points = {players: [0] * len(setup.parties) for _, players in (*seats.by_hand, *seats.by_time)}
    _add_points(points[_found(seats.by_time, 1)], setup.start_totals)
    for hand in score.hands:
        _add_points(points[seats.in_hand(hand.hand)], hand.points)
    for one in score.adjustments:
        _adjust(points[seats.of_adjustment(one.hand, one.position)], one)
    nothing = [0] * len(setup.parties)
    found = [SeatedHands(hand, players, tuple(points.pop(players, nothing))) for hand, players in seats.by_hand]
    return (*found, *(SeatedHands(0, players, tuple(own)) for players, own in points.items() if any(own)))


def _add_points(points: list[int], more: tuple[int, ...]) -> None:
    for party, one in enumerate(more[: len(points)]):
        points[party] += one


def _adjust(points: list[int], one: Adjustment) -> None:
    if 0 <= one.party < len(points):
        points[one.party] += one.points
