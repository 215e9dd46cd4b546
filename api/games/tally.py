"""Tallies of finished games for statistics: what each adds is read from its history once, and again when something was recorded in it."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, cast
from uuid import UUID

import msgspec

from api.common.long_reads import long_read
from api.games.history_tables import GameHistory, HandRow, list_hands, list_moves, load_games
from api.http.errors import Building
from api.http.request import Request, services_of
from api.services import Sources
from domain.statistics import Sample
from projections.models.game_index import FinishedGame, game_row

GAMES_A_STEP = 20
"""Games that are read together: a fifth of a second, so that something is kept also of a machine that has much else to do."""
PATIENCE = 6.0
"""Seconds that a reader waits. What is ready by then is kept for the next one."""

_SUMS = 20
"""Sums that are kept, so that only the first reader of a page waits for it."""

_ENCODER, _DECODER = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(list[tuple[Sample, int]])


class Tally(NamedTuple):
    """What a game adds, encoded in some hundred bytes. ``complete``: everybody may see every move that stands."""

    observed: bytes
    complete: bool


def observe_game(of: GameHistory) -> tuple[Counter[Sample], bool]:
    """Return what a finished game adds: its winners, and the hands that stand with their moves, as far as everybody may see them. And
    whether that is all of them.
    """
    setup, seen = of.now.setup, Counter[Sample]()
    if len(setup.parties) > 1:
        seen.update(_observe_winners(of))
    hands = [hand for hand in list_hands(of) if hand.end is not None and hand.points is not None]
    minimums = {sheet.hand: sheet.facts.get("minimums") for sheet in of.now.table.score.hands}
    for hand in hands:
        seen.update(_observe_hand(hand, setup.parties, cast("Sequence[int]", minimums.get(hand.hand) or ())))
    played = {hand.hand: hand for hand in hands if not hand.reported}
    for hand in played.values():
        seen[Sample("corrections", (), 0)] += hand.moves
        seen[Sample("corrections", (), 1)] += hand.rewinds
    moves = [move.type for move in list_moves(of) if move.hand in played and not (move.void or move.stood)]
    seen.update(Sample("move_type", (type,), 1) for type in moves if type is not None)
    return +seen, None not in moves


def _observe_winners(of: GameHistory) -> Iterator[Sample]:
    for party, seats in enumerate(of.now.setup.parties):
        won = int(party in (of.row.winners or ()))
        yield from (Sample("win_by_seat", (str(seat),), won) for seat in seats)
        if len(seats) == 2 and len(partners := {player for seat in seats if (player := of.row.players[seat])}) == 2:
            yield Sample("partners_together", tuple(sorted(partners)), won)
            yield from (Sample("partners_apart", (player,), won) for player in partners)


def _observe_hand(hand: HandRow, parties: Sequence[Sequence[int]], minimums: Sequence[int]) -> Iterator[Sample]:
    assert hand.points is not None
    for party, points in enumerate(hand.points):
        yield Sample("hand_points", (str(minimums[party]),) if minimums else (), points)
    yield Sample("hand_end", (str(hand.end),), 1)
    if len(parties) > 1:
        best = next((points for seats, points in zip(parties, hand.points, strict=True) if hand.dealer in seats), None)
        yield Sample("win_as_dealer", (), int(best == max(hand.points)))
    if not hand.reported:
        yield Sample("hand_moves", (), hand.moves)
        seconds = round((hand.finished_at - hand.dealt_at).total_seconds()) if hand.finished_at else 0
        if seconds > 0:  # a record without times was dealt and finished at once
            yield Sample("hand_seconds", (), seconds)


def count_games(sources: Sources, games: Iterable[UUID]) -> dict[UUID, Tally]:
    """Return the tallies of the games that can be read."""
    rows = [row for id in games if (row := game_row(sources.store, id))]
    observed = {of.row.id: observe_game(of) for of in load_games(sources, rows)}
    return {id: Tally(_ENCODER.encode(list(seen.items())), complete) for id, (seen, complete) in observed.items()}


def add_counts(tallies: Iterable[Tally]) -> Counter[Sample]:
    found = Counter[Sample]()
    for tally in tallies:
        for one, times in _DECODER.decode(tally.observed):
            found[one] += times
    return found


@long_read("statistics")
def _count_in_process(request: Request, games: tuple[UUID, ...]) -> dict[UUID, Tally]:
    return count_games(services_of(request).sources, games)


_NOTHING = Tally(_ENCODER.encode([]), complete=True)


class TallyCache:
    """The tallies of games, by the sequence of the last event of each. One for a process, used from one loop."""

    def __init__(self) -> None:
        self._tallies: dict[UUID, tuple[int, Tally]] = {}
        self._sums: dict[tuple[FinishedGame, ...], Counter[Sample]] = {}
        self._reading = asyncio.Lock()

    async def sum(self, request: Request, games: tuple[FinishedGame, ...]) -> Counter[Sample]:
        """Return the sum of the tallies of these games, and read those that are missing, incomplete or older than their game.

        Raises ``Building`` if that takes long.
        """
        async with self._reading:
            if missing := [one for one in games if not self._is_up_to_date(one)]:
                await self._read(request, games, missing)
            elif games in self._sums:
                return self._sums[games]
            found = await asyncio.to_thread(add_counts, [self._tallies[one.id][1] for one in games])
            if len(self._sums) >= _SUMS:
                self._sums.clear()
            self._sums[games] = found
            return found

    def _is_up_to_date(self, game: FinishedGame) -> bool:
        sequence, tally = self._tallies.get(game.id, (0, _NOTHING))
        return sequence == game.sequence and tally.complete

    async def _read(self, request: Request, games: Sequence[FinishedGame], missing: Sequence[FinishedGame]) -> None:
        clock = asyncio.get_running_loop().time
        end = clock() + PATIENCE
        for first in range(0, len(missing), GAMES_A_STEP):
            if first and clock() >= end:
                raise Building(100 * (len(games) - len(missing) + first) // len(games), None)
            some = missing[first : first + GAMES_A_STEP]
            found = await _count_in_process(request, sum(one.position for one in some), tuple(one.id for one in some))
            self._tallies.update({one.id: (one.sequence, found.get(one.id, _NOTHING)) for one in some})
