"""What-if: a line of moves from any position, judged and tried, never recorded."""

import asyncio
from uuid import UUID

from litestar import post
from litestar.params import FromPath
from msgspec import UNSET

from api.common.reading import eyes, game_at
from api.common.rulebooks import reading, rulebook_of, view_of
from api.games.legal_moves import cited
from api.http.answers import Branched, TriedMove
from api.http.decoding import body
from api.http.errors import Forbidden
from api.http.fields import TryMoves
from api.http.guards import readers
from api.http.operations import JSON, Content, Operation
from api.http.problems import sentence
from api.http.query import Nothing, query
from api.http.response import (
    Answer,
    Asked,
    encoded,
    house_of,
)
from api.http.tokens import OFFICIALS
from domain.game import Game
from domain.sight import Who
from replay.branch import Branch, Tried, branch


@post(
    "/v1/games/{game:uuid}/branches",
    before_request=readers,
    status_code=200,
    opt={
        "operation": Operation(
            id="try_moves",
            tag="Reading",
            summary="What if? A line of moves from any position, tried and not recorded",
            description=(
                "Each move is judged by the rules of its hand, on the table that the legal ones before it leave; a refused one changes "
                "nothing, and the next is tried all the same. What it would do tells cards: a viewer needs an open game. For a player "
                "ask with `view=seat:n`: of a game that is not open he is told of his own next move whether it is legal, or the code."
            ),
            body={JSON: TryMoves},
            body_examples={"other": {"position": 7, "moves": [{"seat": 0, "move": {"type": "trail", "card": "KC"}}]}},
            answers={200: Content("each move legal or refused, and the table at the end", {JSON: Branched})},
            refuses=(403, 404, 413, 415, 422),
        )
    },
)
async def try_moves(request: Asked, game: FromPath[UUID]) -> Answer:
    query(request, Nothing)
    wanted = await body(request, TryMoves)
    now = await house_of(request).journal.held(game)
    then = await game_at(request, now, wanted.position)
    who = eyes(request, now, wanted.position, wanted.view)
    whole = now.viewer(who, wanted.position).sees_all
    if not whole:
        _check_own(who, wanted)
    tried = await asyncio.to_thread(_tried, request, then, wanted)
    told = _told(request, now, wanted.position, tried) if whole else _in_short(now, wanted.position, tried)
    return Answer(encoded(told), headers=(("cache-control", "no-store"), ("vary", "accept-language, authorization")))


def _check_own(who: Who, wanted: TryMoves) -> None:
    """Whether a seat may play its next move it can tell from what it sees. Anything further tells cards. Raises ``Forbidden``."""
    if len(wanted.moves) > 1 or type(who) is not int or wanted.moves[0].seat != who:
        raise Forbidden("until the game is open a seat is told of its own next move only", *OFFICIALS)


def _tried(asked: Asked, then: Game, wanted: TryMoves) -> Branch:
    with reading(asked, then.table):
        return branch(rulebook_of(house_of(asked), then), then.table, [(one.seat, one.move) for one in wanted.moves])


def _told(asked: Asked, game: Game, position: int, found: Branch) -> Branched:
    moves = [_move(asked, game, tried) for tried in found.tried]
    return Branched(game=game.id, position=position, moves=moves, table=view_of(house_of(asked).rulesets, found.table))


def _in_short(game: Game, position: int, found: Branch) -> Branched:
    moves = [
        TriedMove(seat=one.seat, move=one.move, legal=one.refused is None, code=one.refused.code if one.refused else UNSET)
        for one in found.tried
    ]
    return Branched(game=game.id, position=position, moves=moves)


def _move(asked: Asked, game: Game, tried: Tried) -> TriedMove:
    refused = tried.refused
    return TriedMove(
        seat=tried.seat,
        move=tried.move,
        legal=refused is None,
        code=refused.code if refused else UNSET,
        rules=cited(asked, game, refused) if refused else UNSET,
        sentence=sentence(asked, refused) if refused else UNSET,
        effects=tried.effects if refused is None else UNSET,
    )
