"""Results of tables that no game provides: a result that counts as it was entered, or a forfeit. Pure."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from domain.errors import Unknown
from domain.score import places_by
from domain.standings.cross_table import build_cross_table
from domain.standings.plan import Outcome
from domain.time_zones import UTC_ZONE
from domain.tournament.games import PersonOf, TableGame
from domain.tournament.state import RoundTable
from domain.tournament.tally import is_decided, table_outcome
from domain.tournament.tournament import Tournament
from projections.models.score_lines.boards import NOBODY, Places, ScoreBlock, bound_points
from projections.values import as_json, to_stored_value


class SeatResult(Struct, frozen=True):
    """The result of a seat. ``place`` is that of the party; ``None`` where nobody played against anybody."""

    seat: int
    party: int
    player: str
    points: int
    place: int | None


class TableResult(Struct, frozen=True):
    """A result that counts without a game. ``played_at`` in microseconds; ``zone``: the time zone of its month."""

    how: Literal["entered", "forfeited"]
    played_at: int
    seats: tuple[SeatResult, ...]
    zone: str = UTC_ZONE

    def blocks(self, at: int) -> list[ScoreBlock]:
        """Return the blocks as they are written at a moment."""
        return [
            ScoreBlock(
                position=0,
                seat=one.seat,
                hand=None,
                at=at,
                played_at=self.played_at,
                party=one.party,
                player=one.player,
                kind=self.how,
                rows=as_json({"result": one.points}),
                points=one.points,
                zone=self.zone,
            )
            for one in self.seats
        ]

    @property
    def places(self) -> Places | None:
        """The places of the players, if the table was played."""
        return None if self.how == "forfeited" else tuple((one.player, one.place) for one in self.seats)


def rests_on_games(now: Tournament, round: int, table: str) -> bool:
    """Return whether the result of a table depends on its games, and on which ids are one person: a result of the sides counts only without
    games.
    """
    found = _table(now, round, table)
    return found is not None and found.entered is not None and not is_decided(found)


def result_of(
    now: Tournament, round: int, table: str, games: Sequence[TableGame], person_of: PersonOf, played_at: int
) -> TableResult | None:
    """Return the result that counts for a table without its games; ``None`` if there is none, or games count. Total: damaged history raises
    nothing.
    """
    found = _table(now, round, table)
    if found is None or not (found.entered or found.absent):
        return None
    try:
        outcome = table_outcome(now, round, found, games, person_of)
        return _seats(now, found, outcome, played_at)
    except (Unknown, IndexError):  # damaged history: a table with seats or entrants that are not there
        return None


def _table(now: Tournament, round: int, name: str) -> RoundTable | None:
    if not 1 <= round <= len(now.rounds):
        return None
    return next((table for table in now.rounds[round - 1].tables if to_stored_value(table.name) == name), None)


def _seats(now: Tournament, table: RoundTable, outcome: Outcome, played_at: int) -> TableResult | None:
    """Return the result with the game points that the standings use."""
    if outcome.how not in ("entered", "forfeited") or outcome.points is None:
        return None
    shares = {entrant: taken[-1] for entrant, taken in build_cross_table(now.plan, (), (outcome,), ()).items()}
    players = now.players(outcome.round, table.seats)
    places = places_by(outcome.points) if len(outcome.points) > 1 else (None,) * len(outcome.points)
    seats = []
    for party, own in enumerate(now.party_seats(table.seats)):
        for seat in own:
            share = shares[table.seats[seat]]
            if share.how == "open":  # damaged history: points of other parties than those at the table
                return None
            player = to_stored_value(players[seat]) or NOBODY
            seats.append(SeatResult(seat, party, player, bound_points(share.points), places[party]))
    how: Literal["entered", "forfeited"] = "entered" if outcome.how == "entered" else "forfeited"
    return TableResult(how, played_at, tuple(sorted(seats, key=lambda one: one.seat)))
