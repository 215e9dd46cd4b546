"""Reads of rounds, from the aggregate and the recorded games: the outcomes of the tables, and missing results."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Annotated

from litestar.params import FromPath
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from api.common.event_views import remark_views
from api.common.names import names_for_caller, word_for_unnamed
from api.http.decoding import ResponseModel, copy_fields
from api.http.operations import Content, reads
from api.http.problems import MissingResultView, missing_result_views
from api.http.request import Request, language_of
from api.http.response import Response, encode
from api.tournaments import responses
from api.tournaments.reading import build_person_of, current_tournament, games_to_show, tournament_response
from domain.events.tournament import Naming
from domain.standings.plan import Outcome
from domain.tournament.bracket import BracketMatch, BracketRound, bracket_conflicts, draw_bracket
from domain.tournament.games import PersonOf, TableGame
from domain.tournament.seat_history import Sat, list_seated_players
from domain.tournament.state import RoundTable
from domain.tournament.tally import list_conflicting_results, list_pending_entrants, missing_results, tally_rounds
from domain.tournament.tournament import Tournament
from replay.proof.checkpoints import checkpoint_of, digits_of


def rounds_view(now: Tournament, games: Sequence[TableGame], person_of: PersonOf) -> responses.Rounds:
    tables: dict[int, list[responses.TableSummary]] = defaultdict(list)
    for outcome in tally_rounds(now, games, person_of):
        tables[outcome.round].append(_table_summary(outcome))
    shown = [
        copy_fields(
            one,
            responses.RoundSummary,
            round=one.number,
            tables=tables[one.number],
            half_byes=now.half_byes(one),
            checkpoint=naming_view(one.checkpoint),
        )
        for one in now.rounds
    ]
    return responses.Rounds(tournament=now.plan.tournament, position=now.position, rounds=shown, strays=_list_unlinked_games(now, games))


def naming_view(named: Naming) -> responses.NamedCheckpointView | UnsetType:
    """Return the view of the named checkpoint; ``UNSET`` without one, and for a damaged event."""
    checkpoint = None if named is UNSET else checkpoint_of(named)
    if checkpoint is None:
        return UNSET
    return copy_fields(named, responses.NamedCheckpointView, digits=digits_of(checkpoint.root))


def _list_unlinked_games(now: Tournament, games: Sequence[TableGame]) -> list[responses.UnlinkedGame]:
    places = {(round.number, table.name) for round in now.rounds for table in round.tables}
    lost = (game for game in games if game.standing != "annulled" and (game.round, game.table) not in places)
    return [responses.UnlinkedGame(game=game.game, round=game.round, table=game.table) for game in lost]


def _table_summary(outcome: Outcome) -> responses.TableSummary:
    return copy_fields(outcome, responses.TableSummary)


def round_view(
    now: Tournament, number: int, games: Sequence[TableGame], person_of: PersonOf, shown: Mapping[str, str], language: str
) -> responses.RoundView:
    """Return the view of a round. ``games`` are those of the round, ``shown`` are the names of its players. Raises ``Unknown``."""
    round, views = now.round(number), _TableViews(now, number, games, person_of, shown, language)
    tables = [views.table(table) for table in round.tables]
    checkpoint = naming_view(round.checkpoint)
    of = {"tournament": now.plan.tournament, "position": now.position, "round": number, "changed": round.former is not None}
    return copy_fields(round, responses.RoundView, **of, tables=tables, half_byes=now.half_byes(round), checkpoint=checkpoint)


def table_view(
    now: Tournament, number: int, name: str, games: Sequence[TableGame], person_of: PersonOf, shown: Mapping[str, str], language: str
) -> responses.TableView:
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
        self._games: dict[str, list[responses.TableGameView]] = defaultdict(list)
        for game in games:
            self._games[game.table].append(_game_view(game))
        self._waiting: dict[str, list[MissingResultView]] = defaultdict(list)
        for one in missing_result_views(missing_results(now, games, round, person_of), language):
            self._waiting[one.table].append(one)

    def table(self, table: RoundTable) -> responses.TableView:
        outcome, entered = self._came[table.name], table.entered
        sat = list_seated_players(self._now, table, outcome, self._all, self._person_of)
        return responses.TableView(
            table=table.name,
            parties=outcome.parties,
            points=outcome.points,
            how=outcome.how,
            seats=[_seat_view(seat, table.seats[seat], players, self._shown) for seat, players in enumerate(sat)],
            games=self._games[table.name],
            entered=copy_fields(entered, responses.EnteredResultView) if entered else None,
            differing=[copy_fields(one, responses.EnteredResultView) for one in list_conflicting_results(self._now, table)] or UNSET,
            absent=table.absent,
            adjourned=table.adjourned,
            waiting=self._waiting[table.name],
            extra_minutes=table.extra_minutes,
            called=table.called,
            calls=table.calls,
        )


def table_result_view(
    now: Tournament, number: int, name: str, games: Sequence[TableGame], person_of: PersonOf, shown: Mapping[str, str]
) -> responses.TableResultView:
    """Return the result of a table. ``games`` are those of the round, ``shown`` are the names of the players of the table."""
    table = now.table(number, name)
    seated, waiting = now.players(number, table.seats), list_pending_entrants(now, table, table.entered) if table.entered else ()
    director = table.entered is not None and not table.entered.sides
    sides = []
    for party, (seats, entrants) in enumerate(zip(now.party_seats(table.seats), now.parties(table.seats), strict=True)):
        players = tuple(seated[seat] for seat in seats)
        waits = entrants[0] in waiting and not director
        points = table.entered.points[party] if table.entered else None
        sides.append(
            responses.SideView(entrants=entrants, players=players, shown=tuple(shown[one] for one in players), points=points, waits=waits)
        )
    outcome = next(one for one in tally_rounds(now, games, person_of) if (one.round, one.table) == (number, name))
    return responses.TableResultView(round=number, table=name, sides=sides, points=outcome.points, how=outcome.how)


def _seat_view(seat: int, entrant: int, sat: Sat, shown: Mapping[str, str]) -> responses.SeatView:
    *earlier, last = sat
    return responses.SeatView(
        seat=seat,
        entrant=entrant,
        player=last,
        shown=shown[last],
        earlier=[responses.ReplacedPlayer(player=player, shown=shown[player]) for player in earlier] or UNSET,
    )


def players_to_name(now: Tournament, games: Iterable[TableGame]) -> set[str]:
    """Return everybody who may have sat at a table: all who stood for an entrant, and others whom games name."""
    entered = {player for entrant in now.entrants for player in entrant.all_players}
    return entered.union(*(game.all_players for game in games))


def _game_view(game: TableGame) -> responses.TableGameView:
    return copy_fields(game, responses.TableGameView, state=game.standing)


@reads(
    "/v1/tournaments/{tournament:str}/rounds",
    "list_rounds",
    "List the rounds, with their pairings and results",
    description=(
        "`strays` are recorded games that name the tournament, but none of its tables. `conflicts`: in a knock-out the "
        "newest round is paired otherwise than the results of the one before say now, after a correction or a ruling."
    ),
    responses={200: Content("rounds, oldest first", responses.Rounds, headers=("ETag",))},
    refuses=(503,),
)
async def list_rounds(request: Request, tournament: FromPath[str]) -> Response:
    now, games = await current_tournament(request, tournament), await games_to_show(request, tournament)
    person_of = await build_person_of(request, now, games)
    conflicts = remark_views(request, bracket_conflicts(now, games, len(now.rounds) - 1, person_of))
    view = replace(await asyncio.to_thread(rounds_view, now, games, person_of), conflicts=conflicts or UNSET)
    return tournament_response(request, now, encode(view))


@reads(
    "/v1/tournaments/{tournament:str}/rounds/{round:int}",
    "read_round",
    "Read a round: seating, games, results, and what its tables wait for",
    responses={200: Content("the round", responses.RoundView, headers=("ETag",))},
    refuses=(503,),
    headers=("Accept-Language",),
)
async def read_round(request: Request, tournament: FromPath[str], round: FromPath[int]) -> Response:
    now, games = await current_tournament(request, tournament), await games_to_show(request, tournament, round)
    person_of, spoken = await build_person_of(request, now, games), language_of(request)
    shown = await names_for_caller(request, tournament, players_to_name(now, games))
    view = await asyncio.to_thread(round_view, now, round, games, person_of, shown, spoken)
    return tournament_response(request, now, encode(view), vary="authorization, accept-language")


# The bracket of a knock-out: its rounds with their matches, also those that are still to come.


class BracketSideView(ResponseModel, frozen=True, kw_only=True):
    """A side of a match. ``goes_on``: into the next round, or as the winner of the last."""

    entrant: Annotated[int | None, Meta(description="null while it is open who that is")]
    points: int | None
    goes_on: bool


class BracketMatchView(ResponseModel, frozen=True, kw_only=True):
    table: Annotated[str | None, Meta(description="null for a bye, and before the draw")]
    third_place: Annotated[bool, Meta(description="for the third place, beside the final")]
    sides: list[BracketSideView]


class BracketRoundView(ResponseModel, frozen=True, kw_only=True):
    round: int
    matches: list[BracketMatchView]


class Bracket(ResponseModel, frozen=True, kw_only=True):
    tournament: str
    position: int
    rounds: list[BracketRoundView]


@reads(
    "/v1/tournaments/{tournament:str}/bracket",
    "read_bracket",
    "Read the bracket of a knock-out",
    description=(
        "Rounds up to the final, each with its matches from top to bottom; an entrant is null while it is open who that "
        "is. A match of one side is a bye. Without a paired round, and in other formats, there are no rounds."
    ),
    responses={200: Content("the bracket", Bracket, headers=("ETag",))},
    refuses=(503,),
)
async def read_bracket(request: Request, tournament: FromPath[str]) -> Response:
    now, games = await current_tournament(request, tournament), await games_to_show(request, tournament)
    person_of = await build_person_of(request, now, games)
    rounds = bracket_views(draw_bracket(now, games, person_of))
    return tournament_response(request, now, encode(Bracket(tournament=tournament, position=now.position, rounds=rounds)))


def bracket_views(rounds: Sequence[BracketRound]) -> list[BracketRoundView]:
    return [BracketRoundView(round=one.round, matches=[_match_view(match) for match in one.matches]) for one in rounds]


def _match_view(match: BracketMatch) -> BracketMatchView:
    return copy_fields(match, BracketMatchView, sides=[copy_fields(side, BracketSideView) for side in match.sides])
