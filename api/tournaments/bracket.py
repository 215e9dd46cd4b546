"""The bracket of a knock-out: its rounds with their matches, also those that are still to come."""

from collections.abc import Sequence
from typing import Annotated

from litestar.params import FromPath
from msgspec import Meta

from api.http.decoding import ResponseModel, copy_fields
from api.http.operations import Content, Operation, reads
from api.http.request import Request
from api.http.response import Response, encode
from api.tournaments.reading import build_person_of, current_tournament, games_to_show, tournament_response
from domain.tournament.bracket_layout import BracketMatch, BracketRound, draw_bracket


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
    Operation(
        id="read_bracket",
        summary="Read the bracket of a knock-out",
        description=(
            "Rounds up to the final, each with its matches from top to bottom; an entrant is null while it is open who that "
            "is. A match of one side is a bye. Without a paired round, and in other formats, there are no rounds."
        ),
        responses={200: Content("the bracket", Bracket, headers=("ETag",))},
        refuses=(503,),
    ),
)
async def read_bracket(request: Request, tournament: FromPath[str]) -> Response:
    now, games = await current_tournament(request, tournament), await games_to_show(request, tournament)
    person_of = await build_person_of(request, now, {player for game in games for player in game.all_players})
    rounds = bracket_views(draw_bracket(now, games, person_of))
    return tournament_response(request, now, encode(Bracket(tournament=tournament, position=now.position, rounds=rounds)))


def bracket_views(rounds: Sequence[BracketRound]) -> list[BracketRoundView]:
    return [BracketRoundView(round=one.round, matches=[_match_view(match) for match in one.matches]) for one in rounds]


def _match_view(match: BracketMatch) -> BracketMatchView:
    return copy_fields(match, BracketMatchView, sides=[copy_fields(side, BracketSideView) for side in match.sides])
