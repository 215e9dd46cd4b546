"""Judgement of a move: the reasons why it is refused."""

from typing import Any
from uuid import UUID

from litestar.params import FromPath

from api.common.access_audit import record_access
from api.common.reading import game_at, load_openness_context
from api.common.rulebooks import about_of, handle_rule_errors
from api.games.moves import convert_move
from api.games.requests import JudgeMove
from api.games.responses import JudgedMove, RuleReference
from api.http.decoding import read_body
from api.http.operations import Content, writes
from api.http.problems import asks_of, sentence
from api.http.request import Request, language_of, services_of
from api.http.response import Response, no_store_response
from domain.errors import Refused
from domain.game import Game
from domain.moves import bind_rules, move_with_codes, table_judged, viewpoint_of
from domain.sight import Viewer


@writes(
    "/v1/games/{game:uuid}/legal-moves",
    "judge_move",
    "Check whether a move is legal, and if not, why",
    tag="Reading",
    description="Nothing is recorded.",
    body=JudgeMove,
    responses={200: Content("legal, or refused with code, rules and a sentence", JudgedMove)},
    refuses=(422,),
    keyed=False,
    role="official",
)
async def judge_move(request: Request, game: FromPath[UUID]) -> Response:
    body = await read_body(request, JudgeMove)
    now = await services_of(request).journal.current(game)
    then = await game_at(request, now, body.position or now.position)
    eyes, around = viewpoint_of(request.user, now), await load_openness_context(request, now)
    record_access(request, now, eyes, around, then.position, then.position)
    viewer = now.viewer(eyes, then.position, around)
    return no_store_response(_judge_move(request, then, viewer, body), vary="accept-language, authorization")


def _judge_move(request: Request, then: Game, viewer: Viewer, body: JudgeMove) -> JudgedMove:
    place: dict[str, Any] = {"game": then.id, "position": then.position, "seat": body.seat, "move": body.move}
    try:
        with handle_rule_errors(request, then.table):
            rulebook = bind_rules(services_of(request), then)
            made = move_with_codes(rulebook, convert_move(body))
            place["move"] = made[1]
            rulebook.resolve(table_judged(rulebook, then.table, viewer), *made)
    except Refused as refused:
        said, asks = sentence(request, refused), asks_of(refused)
        return JudgedMove(
            **place, legal=False, code=refused.code, rules=list_rule_references(request, then, refused), sentence=said, asks=asks
        )
    return JudgedMove(**place, legal=True)


def list_rule_references(request: Request, game: Game, refused: Refused) -> list[RuleReference]:
    """Return the rules that a refusal rests on, with their texts."""
    ruleset = services_of(request).rulesets.get(game.setup.ruleset)
    texts = {rule.number: rule.text for rule in about_of(ruleset, language_of(request)).rules} if ruleset else {}
    return [RuleReference(number=number, text=texts.get(number, "")) for number in refused.rules]
