"""Trial standings: the effect of a possible result of a game or a table. Nothing is recorded."""

import asyncio

from litestar.params import FromPath
from msgspec.structs import replace

from api.common.names import names_for_caller
from api.http.decoding import read_body
from api.http.errors import say
from api.http.operations import Content, writes
from api.http.request import Request
from api.http.response import Response, no_store_response
from api.standings.as_of import AsOf, StandingsAt, standings_at, standings_of
from api.standings.responses import PossibleResult, StandingsDiff, TryResult
from api.standings.views import as_of_view, row_change_view, table_change_view
from api.tournaments.reading import build_person_of
from domain.errors import InvalidFormatError, Unknown
from domain.standings.standings import compare_rows, list_changed_tables
from domain.tournament import results
from domain.tournament.games import TableGame
from domain.tournament.state import ResultEvent
from domain.tournament.tournament import Tournament, after_result


@writes(
    "/v1/tournaments/{tournament:str}/standings/trial",
    "try_result",
    "Try another result of a game or a table in the standings",
    description=(
        "Nothing is recorded. `totals` and `places` are those of the sheet that a dry run of a ruling answers as `after`. "
        "`said` is a director's decision on a table: `points`, or the entrants who are `absent`; without both "
        "an earlier decision is withdrawn."
    ),
    body=TryResult,
    responses={200: Content("the standings, and the table that changes them", StandingsDiff)},
    refuses=(422, 503),
    keyed=False,
    role="judge",
)
async def try_result(request: Request, tournament: FromPath[str]) -> Response:
    body = await read_body(request, TryResult)
    before = await standings_at(request, tournament, AsOf())
    after = await _with_result(request, before, body)
    players = (player for entrant in before.tournament.entrants for player in entrant.all_players)
    shown = await names_for_caller(request, tournament, players)
    diff = StandingsDiff(
        tournament=tournament,
        before=as_of_view(before.as_of),
        after=as_of_view(after.as_of),
        moved=[row_change_view(before, after, one, shown) for one in compare_rows(before.lines, after.lines)],
        tables=[table_change_view(one, ()) for one in list_changed_tables(before.outcomes, after.outcomes)],
    )
    return no_store_response(diff, vary="authorization")


async def _with_result(request: Request, before: StandingsAt, body: TryResult) -> StandingsAt:
    if (body.game is None) == (body.said is None):
        raise InvalidFormatError("malformed_body", say("game_or_table"), "game")
    now = before.tournament if body.said is None else after_result(before.tournament, _decide_result(before.tournament, body.said))
    games = tuple(_try_game(game, body) if game.game == body.game else game for game in before.games)
    if body.game is not None and all(game.game != body.game for game in games):
        raise Unknown("game", str(body.game))
    person_of = await build_person_of(request, now, games)
    return await asyncio.to_thread(standings_of, now, games, person_of, AsOf())


def _decide_result(tournament: Tournament, said: PossibleResult) -> ResultEvent:
    """Return the event, judged as when it is recorded."""
    if said.points is not None:
        return results.decide_result(tournament, said.round, said.table, said.points)
    if said.absent:
        return results.forfeit_table(tournament, said.round, said.table, said.absent, None)
    return results.withdraw_result(tournament, said.round, said.table, None)


def _try_game(game: TableGame, body: TryResult) -> TableGame:
    parties = len(game.parties)
    for name, given in (("totals", body.totals), ("places", body.places)):
        if given is not None and len(given) != parties:
            raise InvalidFormatError("malformed_body", say("one_each_party", parties=parties), name)
    places = None if body.places is None else tuple(body.places)
    standing = "annulled" if body.annulled else "open" if game.standing == "suspended" else game.standing
    return replace(game, totals=tuple(body.totals), places=places, standing=standing)
