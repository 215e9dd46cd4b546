"""Who sat at a game's table, by hand and by time: seats that change from now on, or that an official puts right from a hand on."""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from domain.events.game import PlayersCorrected, SeatAct, players_after
from domain.score import Adjustment, Score
from domain.setup import Setup
from domain.standings.plan import Outcome
from domain.tournament.games import PersonOf, SeatedHands, TableGame, parties_seated
from domain.tournament.state import RoundTable
from domain.tournament.tournament import Tournament

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


# Who sat at a table of a round: read from its games where they count, else from the line-ups of that round. Every page and export asks
# here, so that none shows the players of today for a round that is over.


Sat: TypeAlias = tuple[str, ...]
"""The players who sat on a seat in a round, in order; the last one is who sat there last."""


def list_seated_players(
    tournament: Tournament, table: RoundTable, outcome: Outcome, games: Iterable[TableGame], person_of: PersonOf
) -> tuple[Sat, ...]:
    """Return the players of each seat of a table. ``games`` are those of its round."""
    planned = tournament.players(outcome.round, table.seats)
    own = [game for game in games if game.table == table.name and game.standing != "annulled"]
    if outcome.how in ("entered", "forfeited") or not own:
        return tuple((player,) for player in planned)
    sat: list[dict[str, None]] = [{} for _ in planned]
    for game in sorted(own, key=lambda game: game.opened):
        for hands in game.all_seated:
            for seat, player in enumerate(_by_seat_of_table(tournament, table, game, hands.players, person_of)):
                if player is not None:
                    known = planned[seat] if person_of(player) == person_of(planned[seat]) else player
                    sat[seat].pop(known, None)
                    sat[seat][known] = None
    return tuple(tuple(players) or (planned[seat],) for seat, players in enumerate(sat))


def _by_seat_of_table(
    tournament: Tournament, table: RoundTable, game: TableGame, players: Sequence[str | None], person_of: PersonOf
) -> Sequence[str | None]:
    """Return the players of a game by the seats of its table, on which the parties may be the other way round."""
    parties = parties_seated(tournament, table, game, players, person_of)
    if parties is None or any(len(game.parties[number]) != len(tournament.plan.parties[party]) for number, party in enumerate(parties)):
        return players[: len(table.seats)]
    seated: list[str | None] = [None] * len(table.seats)
    for number, party in enumerate(parties):
        free = list(tournament.plan.parties[party])
        for player in (one for seat in game.parties[number] if (one := players[seat]) is not None):
            seat = _seat_of(tournament, table, free, player, person_of)
            free.remove(seat)
            seated[seat] = player
    return seated


def _seat_of(tournament: Tournament, table: RoundTable, free: Sequence[int], player: str, person_of: PersonOf) -> int:
    """Return the first free seat of the entrant for whom a player stands."""
    own = (seat for seat in free if _plays_for(tournament, table.seats[seat], player, person_of))
    return next(own, free[0])


def _plays_for(tournament: Tournament, entrant: int, player: str, person_of: PersonOf) -> bool:
    return person_of(player) in {person_of(one) for one in tournament.entrant(entrant).all_players}
