"""Rounds as they go out: from the aggregate and the recorded games, what came of the tables, and what they wait for."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from api.http.answers import WaitingTold
from api.http.missing_results import waiting_told
from api.tournaments.responses import (
    EnteredTold,
    GameTold,
    Rounds,
    RoundShort,
    RoundTold,
    SeatTold,
    StrayGame,
    TableShort,
    TableTold,
)
from domain.tournament.games import Person, TableGame
from domain.tournament.outcome import Outcome
from domain.tournament.state import RoundTable
from domain.tournament.tally import outcomes, waiting
from domain.tournament.tournament import Tournament


def rounds_told(now: Tournament, games: Sequence[TableGame], person: Person) -> Rounds:
    tables: dict[int, list[TableShort]] = defaultdict(list)
    for outcome in outcomes(now, games, person):
        tables[outcome.round].append(_short(outcome))
    shown = [
        RoundShort(round=one.number, drawn=one.drawn, closed=one.closed, tables=tables[one.number], byes=one.byes) for one in now.rounds
    ]
    return Rounds(tournament=now.plan.tournament, position=now.position, rounds=shown, strays=_strays(now, games))


def _strays(now: Tournament, games: Sequence[TableGame]) -> list[StrayGame]:
    places = {(round.number, table.name) for round in now.rounds for table in round.tables}
    lost = (game for game in games if game.standing != "annulled" and (game.round, game.table) not in places)
    return [StrayGame(game=game.game, round=game.round, table=game.table) for game in lost]


def _short(outcome: Outcome) -> TableShort:
    return TableShort(table=outcome.table, parties=outcome.parties, points=outcome.points, how=outcome.how)


def round_told(
    now: Tournament, number: int, games: Sequence[TableGame], person: Person, shown: Mapping[str, str], language: str
) -> RoundTold:
    """``games`` are those of the round, ``shown`` stands for its players. Raises ``Unknown``."""
    round, told = now.round(number), _TablesTold(now, number, games, person, language)
    return RoundTold(
        tournament=now.plan.tournament,
        position=now.position,
        round=number,
        drawn=round.drawn,
        closed=round.closed,
        tables=[told.table(table, seats_told(now, number, table, shown)) for table in round.tables],
        byes=round.byes,
    )


class _TablesTold:
    """What belongs to each table of a round, by its name."""

    def __init__(self, now: Tournament, round: int, games: Sequence[TableGame], person: Person, language: str) -> None:
        self._came = {outcome.table: outcome for outcome in outcomes(now, games, person) if outcome.round == round}
        self._games: dict[str, list[GameTold]] = defaultdict(list)
        for game in games:
            self._games[game.table].append(_game(game))
        self._waiting: dict[str, list[WaitingTold]] = defaultdict(list)
        for one in waiting_told(waiting(now, games, round, person), language):
            self._waiting[one.table].append(one)

    def table(self, table: RoundTable, seats: list[SeatTold]) -> TableTold:
        outcome, entered = self._came[table.name], table.entered
        return TableTold(
            table=table.name,
            parties=outcome.parties,
            points=outcome.points,
            how=outcome.how,
            seats=seats,
            games=self._games[table.name],
            entered=EnteredTold(points=entered.points, sides=entered.sides) if entered else None,
            absent=table.absent,
            adjourned=table.adjourned,
            waiting=self._waiting[table.name],
        )


def seats_told(now: Tournament, round: int, table: RoundTable, shown: Mapping[str, str]) -> list[SeatTold]:
    players = now.players(round, table.seats)
    return [SeatTold(seat=seat, entrant=table.seats[seat], player=player, shown=shown[player]) for seat, player in enumerate(players)]


def _game(game: TableGame) -> GameTold:
    return GameTold(game=game.game, players=game.players, totals=game.totals, places=game.places, standing=game.standing)
