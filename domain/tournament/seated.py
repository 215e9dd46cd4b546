"""Who sat at a table of a round: read from its games where they count, else from the line-ups of that round. Every page and export asks
here, so that none shows the players of today for a round that is over.
"""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from domain.standings.outcome import Outcome
from domain.tournament.games import PersonOf, TableGame, parties_seated
from domain.tournament.state import RoundTable
from domain.tournament.tournament import Tournament

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
