"""The current state of a table of a tournament: the game in progress, or its last pairing."""

import asyncio
from collections.abc import Sequence
from typing import Literal
from uuid import UUID

from litestar.params import FromPath
from msgspec import UNSET

from api.common.consistency import wait_for_sequence
from api.common.names import names_for_caller
from api.common.reading import load_openness_context
from api.http.decoding import MinSequenceQuery, copy_fields, read_query
from api.http.operations import Content, reads
from api.http.request import Request, language_of, services_of
from api.http.response import Response, encode
from api.tournaments.reading import build_person_of, current_tournament, games_to_show, tournament_response
from api.tournaments.responses import GameNow, TableNow
from api.tournaments.round_views import players_to_name, table_view
from domain.events.game import CardsTold, HandDealt, HandReported, MovePlayed, RewindRecorded
from domain.game import Game
from domain.moves import viewpoint_of
from domain.score import totals
from domain.sight import masked
from domain.tournament.games import TableGame
from projections.models.results import RESULTS

_RECORDED = (HandDealt, HandReported, MovePlayed, CardsTold, RewindRecorded)
_LAST = 20  # latest events that are searched for the recorder; officials may have acted in between


@reads(
    "/v1/tournaments/{tournament:str}/tables/{table:str}",
    "read_table_now",
    "Read a table now: its current game, or its newest pairing",
    description=(
        "The request names no round, so that it suits a device at the table. The answer shows of the game as much as the "
        "caller may see; officials also see who records it."
    ),
    query=MinSequenceQuery,
    responses={200: Content("the table", TableNow, headers=("ETag",))},
    headers=("Accept-Language",),
)
async def read_table_now(request: Request, tournament: FromPath[str], table: FromPath[str]) -> Response:
    await wait_for_sequence(request, RESULTS.name, read_query(request, MinSequenceQuery).min_sequence)
    now = await current_tournament(request, tournament)
    round = now.last_round_at(table)
    games = await games_to_show(request, tournament, round.number)
    person_of = await build_person_of(request, now, games)
    shown = await names_for_caller(request, tournament, players_to_name(now, games))
    view = table_view(now, round.number, table, games, person_of, shown, language_of(request))
    state, id = _at_table([game for game in games if game.table == table])
    told = copy_fields(
        view,
        TableNow,
        tournament=now.plan.tournament,
        position=now.position,
        round=round.number,
        closed=round.closed,
        state="over" if state == "paired" and (round.closed or view.points is not None) else state,
        game=None if id is None else await _game_now(request, id),
    )
    return tournament_response(request, now, encode(told), vary="authorization, accept-language")


def _at_table(games: Sequence[TableGame]) -> tuple[Literal["playing", "paired", "over"], UUID | None]:
    """Return the state and the game. ``games`` are those of the table in their order; annulled ones are ignored."""
    counting = [game for game in games if game.standing != "annulled"]
    for game in counting:
        if not game.counts:
            return "playing", game.game
    return ("over", counting[-1].game) if counting else ("paired", None)


async def _game_now(request: Request, id: UUID) -> GameNow:
    game = await services_of(request).journal.current(id)
    viewer = game.viewer(viewpoint_of(request.user, game), game.position, await load_openness_context(request, game))
    table, hides = masked(game.table, viewer), viewer.dark or viewer.covered
    places, board = table.score.places, game.deals[-1].board if game.deals and not hides else None
    return GameNow(
        game=id,
        ruleset=game.setup.ruleset,
        state=game.docket.standing,
        position=game.position,
        phase=table.phase,
        hand=table.hand,
        turn=table.turn,
        to_act=table.to_act,
        totals=totals(game.setup, table.score),
        winners=None if places is None else tuple(party for party, place in enumerate(places) if place == 1),
        board=UNSET if board is None else board,
        recorded_by=await asyncio.to_thread(_recorders, request, game) if request.user.has_record_role else UNSET,
    )


def _recorders(request: Request, game: Game) -> tuple[str, ...]:
    last = services_of(request).journal.history(game.id, max(0, game.position - _LAST), _LAST)
    return tuple(dict.fromkeys(one.stamp.by for one in reversed(last) if isinstance(one.event, _RECORDED)))
