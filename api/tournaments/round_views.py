"""Views of rounds, from the aggregate and the recorded games: the outcomes of the tables, and missing results."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from msgspec import UNSET, UnsetType

from api.common.names import word_for_unnamed
from api.http.decoding import copy_fields
from api.http.problems import MissingResultView, missing_result_views
from api.tournaments.responses import (
    EnteredResultView,
    NamedCheckpointView,
    ReplacedPlayer,
    Rounds,
    RoundSummary,
    RoundView,
    SeatView,
    SideView,
    TableGameView,
    TableResultView,
    TableSummary,
    TableView,
    UnlinkedGame,
)
from domain.events.tournament import Naming
from domain.standings.outcome import Outcome
from domain.tournament.games import PersonOf, TableGame
from domain.tournament.seated import Sat, list_seated_players
from domain.tournament.state import RoundTable
from domain.tournament.tally import list_conflicting_results, list_pending_entrants, missing_results, tally_rounds
from domain.tournament.tournament import Tournament
from replay.proof.checkpoints import checkpoint_of
from replay.proof.exact import digits_of


def rounds_view(now: Tournament, games: Sequence[TableGame], person_of: PersonOf) -> Rounds:
    tables: dict[int, list[TableSummary]] = defaultdict(list)
    for outcome in tally_rounds(now, games, person_of):
        tables[outcome.round].append(_table_summary(outcome))
    shown = [
        copy_fields(
            one,
            RoundSummary,
            round=one.number,
            tables=tables[one.number],
            half_byes=now.half_byes(one),
            checkpoint=naming_view(one.checkpoint),
        )
        for one in now.rounds
    ]
    return Rounds(tournament=now.plan.tournament, position=now.position, rounds=shown, strays=_list_unlinked_games(now, games))


def naming_view(named: Naming) -> NamedCheckpointView | UnsetType:
    """Return the view of the named checkpoint; ``UNSET`` without one, and for a damaged event."""
    checkpoint = None if named is UNSET else checkpoint_of(named)
    if checkpoint is None:
        return UNSET
    return copy_fields(named, NamedCheckpointView, digits=digits_of(checkpoint.root))


def _list_unlinked_games(now: Tournament, games: Sequence[TableGame]) -> list[UnlinkedGame]:
    places = {(round.number, table.name) for round in now.rounds for table in round.tables}
    lost = (game for game in games if game.standing != "annulled" and (game.round, game.table) not in places)
    return [UnlinkedGame(game=game.game, round=game.round, table=game.table) for game in lost]


def _table_summary(outcome: Outcome) -> TableSummary:
    return copy_fields(outcome, TableSummary)


def round_view(
    now: Tournament, number: int, games: Sequence[TableGame], person_of: PersonOf, shown: Mapping[str, str], language: str
) -> RoundView:
    """Return the view of a round. ``games`` are those of the round, ``shown`` are the names of its players. Raises ``Unknown``."""
    round, views = now.round(number), _TableViews(now, number, games, person_of, shown, language)
    tables = [views.table(table) for table in round.tables]
    checkpoint = naming_view(round.checkpoint)
    of = {"tournament": now.plan.tournament, "position": now.position, "round": number, "changed": round.former is not None}
    return copy_fields(round, RoundView, **of, tables=tables, half_byes=now.half_byes(round), checkpoint=checkpoint)


def table_view(
    now: Tournament, number: int, name: str, games: Sequence[TableGame], person_of: PersonOf, shown: Mapping[str, str], language: str
) -> TableView:
    """Return the view of one table. Raises ``Unknown``."""
    return _TableViews(now, number, games, person_of, shown, language).table(now.table(number, name))


class _TableViews:
    """Makes the views of the tables of a round, from outcomes, games and missing results by the name of the table."""

    def __init__(
        self, now: Tournament, round: int, games: Sequence[TableGame], person_of: PersonOf, shown: Mapping[str, str], language: str
    ) -> None:
        self._now, self._all, self._person_of = now, games, person_of
        self._shown: Mapping[str, str] = defaultdict(partial(word_for_unnamed, language), shown)
        self._came = {outcome.table: outcome for outcome in tally_rounds(now, games, person_of) if outcome.round == round}
        self._games: dict[str, list[TableGameView]] = defaultdict(list)
        for game in games:
            self._games[game.table].append(_game_view(game))
        self._waiting: dict[str, list[MissingResultView]] = defaultdict(list)
        for one in missing_result_views(missing_results(now, games, round, person_of), language):
            self._waiting[one.table].append(one)

    def table(self, table: RoundTable) -> TableView:
        outcome, entered = self._came[table.name], table.entered
        sat = list_seated_players(self._now, table, outcome, self._all, self._person_of)
        return TableView(
            table=table.name,
            parties=outcome.parties,
            points=outcome.points,
            how=outcome.how,
            seats=[_seat_view(seat, table.seats[seat], players, self._shown) for seat, players in enumerate(sat)],
            games=self._games[table.name],
            entered=copy_fields(entered, EnteredResultView) if entered else None,
            differing=[copy_fields(one, EnteredResultView) for one in list_conflicting_results(self._now, table)] or UNSET,
            absent=table.absent,
            adjourned=table.adjourned,
            waiting=self._waiting[table.name],
            extra_minutes=table.extra_minutes,
            called=table.called,
            calls=table.calls,
        )


def table_result_view(
    now: Tournament, number: int, name: str, games: Sequence[TableGame], person_of: PersonOf, shown: Mapping[str, str]
) -> TableResultView:
    """Return the result of a table. ``games`` are those of the round, ``shown`` are the names of the players of the table."""
    table = now.table(number, name)
    seated, waiting = now.players(number, table.seats), list_pending_entrants(now, table, table.entered) if table.entered else ()
    director = table.entered is not None and not table.entered.sides
    sides = []
    for party, (seats, entrants) in enumerate(zip(now.party_seats(table.seats), now.parties(table.seats), strict=True)):
        players = tuple(seated[seat] for seat in seats)
        waits = entrants[0] in waiting and not director
        points = table.entered.points[party] if table.entered else None
        sides.append(SideView(entrants=entrants, players=players, shown=tuple(shown[one] for one in players), points=points, waits=waits))
    outcome = next(one for one in tally_rounds(now, games, person_of) if (one.round, one.table) == (number, name))
    return TableResultView(round=number, table=name, sides=sides, points=outcome.points, how=outcome.how)


def _seat_view(seat: int, entrant: int, sat: Sat, shown: Mapping[str, str]) -> SeatView:
    *earlier, last = sat
    return SeatView(
        seat=seat,
        entrant=entrant,
        player=last,
        shown=shown[last],
        earlier=[ReplacedPlayer(player=player, shown=shown[player]) for player in earlier] or UNSET,
    )


def players_to_name(now: Tournament, games: Iterable[TableGame]) -> set[str]:
    """Return everybody who may have sat at a table: all who stood for an entrant, and others whom games name."""
    entered = {player for entrant in now.entrants for player in entrant.all_players}
    return entered.union(*(game.all_players for game in games))


def _game_view(game: TableGame) -> TableGameView:
    return copy_fields(game, TableGameView, state=game.standing)
