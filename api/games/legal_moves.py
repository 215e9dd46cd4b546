"""What is or was legal, and why a move is not."""

import asyncio
from itertools import islice
from uuid import UUID

from litestar.params import FromPath

from api.common.reading import (
    eyes,
    game_at,
    next_link,
    tagged,
)
from api.common.rulebooks import about_of, reading, rulebook_of
from api.http.answers import Cited, Judged, LegalMoves
from api.http.decoding import body
from api.http.errors import BadRequest
from api.http.fields import JudgeMove, LegalQuery
from api.http.operations import (
    JSON,
    Content,
    Operation,
    reads,
    writes,
)
from api.http.problems import sentence
from api.http.query import Nothing, query
from api.http.response import (
    Answer,
    Asked,
    encoded,
    house_of,
)
from domain.effects import Plain
from domain.errors import Refused
from domain.game import Game
from domain.sight import Viewer, masked

_FURTHEST = 1_000_000


@reads(
    "/v1/games/{game:uuid}/legal-moves",
    Operation(
        id="list_legal_moves",
        tag="Reading",
        summary="What a seat may play, now or at a position",
        description="Without `seat`: the seat whose turn it is. A viewer needs an open game: what is legal tells cards.",
        query=LegalQuery,
        answers={200: Content("a page of moves, in a stable order", {JSON: LegalMoves}, headers=("ETag", "Link"))},
        refuses=(403, 404, 422),
        headers=("If-None-Match",),
    ),
)
async def list_legal_moves(request: Asked, game: FromPath[UUID]) -> Answer:
    wanted = query(request, LegalQuery)
    now = await house_of(request).journal.held(game)
    position, seat, skip = _place(wanted, now)
    then = await game_at(request, now, position)
    table = then.table
    seat = seat if seat is not None else table.turn if table.turn is not None else next(iter(table.to_act), None)
    eyes(request, now, position, f"seat:{seat or 0}")
    moves = await asyncio.to_thread(_moves, request, then, seat, skip, wanted.limit)
    following = f"{position}.{seat}.{skip + wanted.limit}" if len(moves) > wanted.limit else None
    page = LegalMoves(game=game, position=position, seat=seat, moves=moves[: wanted.limit], next=following)
    links = [("link", next_link(request, cursor=following))] if following else []
    return tagged(request, f"{position}.{seat}.{skip}.json", lambda: encoded(page), headers=links)


def _place(wanted: LegalQuery, now: Game) -> tuple[int, int | None, int]:
    """Position, seat and how many moves to skip. A cursor names all three, so that its pages belong to one table.

    Raises ``BadRequest``.
    """
    if wanted.cursor is None:
        return wanted.position or now.position, wanted.seat, 0
    parts = wanted.cursor.split(".")
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() and len(part) <= 9 for part in parts):
        raise BadRequest("bad_cursor", "this is not a cursor that was given out here", "cursor")
    position, seat, skip = (int(part) for part in parts)
    if wanted.position not in (None, position) or wanted.seat not in (None, seat) or skip > _FURTHEST:
        raise BadRequest("bad_cursor", "this cursor belongs to another position or seat", "cursor")
    return position, seat, skip


def _moves(asked: Asked, then: Game, seat: int | None, skip: int, limit: int) -> list[dict[str, Plain]]:
    if seat is None:
        return []
    with reading(asked, then.table):
        rulebook = rulebook_of(house_of(asked), then)
        return list(islice(rulebook.legal(masked(then.table, Viewer(seat)), seat), skip, skip + limit + 1))


@writes(
    "/v1/games/{game:uuid}/legal-moves",
    Operation(
        id="judge_move",
        tag="Reading",
        summary="Would this move be legal, and if not, why?",
        description="Nothing is recorded.",
        body={JSON: JudgeMove},
        body_examples={"now": {"seat": 0, "move": {"type": "trail", "card": "KC"}}},
        answers={200: Content("legal, or refused with code, rules and a sentence", {JSON: Judged})},
        refuses=(404, 422),
        role="official",
    ),
    status_code=200,
)
async def judge_move(request: Asked, game: FromPath[UUID]) -> Answer:
    query(request, Nothing)
    wanted = await body(request, JudgeMove)
    now = await house_of(request).journal.held(game)
    then = await game_at(request, now, wanted.position or now.position)
    return Answer(encoded(_judged(request, then, wanted)), headers=(("cache-control", "no-store"), ("vary", "accept-language")))


def _judged(asked: Asked, then: Game, wanted: JudgeMove) -> Judged:
    place = {"game": then.id, "position": then.position, "seat": wanted.seat, "move": wanted.move}
    try:
        with reading(asked, then.table):
            rulebook_of(house_of(asked), then).resolve(then.table, wanted.seat, wanted.move)
    except Refused as refused:
        return Judged(**place, legal=False, code=refused.code, rules=cited(asked, then, refused), sentence=sentence(asked, refused))
    return Judged(**place, legal=True)


def cited(asked: Asked, game: Game, refused: Refused) -> list[Cited]:
    """The rules that a refusal rests on, with their texts."""
    ruleset = house_of(asked).rulesets.get(game.setup.ruleset)
    texts = {rule.number: rule.text for rule in about_of(ruleset).rules} if ruleset else {}
    return [Cited(number=number, text=texts.get(number, "")) for number in refused.rules]
