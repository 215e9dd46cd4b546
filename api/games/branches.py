"""Judgement of moves that are not recorded: why one is refused, and branches (what-if), a line of moves tried from any position."""

from typing import Any
from uuid import UUID

from litestar.params import FromPath
from msgspec import UNSET

from api.common.access_audit import record_access
from api.common.long_reads import long_read
from api.common.reading import check_reached, game_at, game_then, load_openness_context, viewer_for
from api.common.rulebooks import about_of, handle_rule_errors, view_of
from api.games.moves import convert_move
from api.games.requests import JudgeMove, TryMoves
from api.games.responses import BranchView, JudgedMove, RuleReference, TestedMoveView
from api.http.decoding import read_body
from api.http.errors import say
from api.http.operations import HEAVY, Content, writes
from api.http.problems import asks_of, sentence
from api.http.request import Request, language_of, services_of
from api.http.response import Response, encode, no_store_response
from domain.access import OFFICIALS
from domain.errors import Forbidden, Refused
from domain.game import Game
from domain.moves import bind_rules, move_with_codes, table_judged, viewpoint_of
from domain.sight import Viewer, Who, masked
from replay.past import Branch, MoveAttempt, branch


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
            rulebook.resolve(table_judged(rulebook, then.table, viewer), *made)  # pyrefly: ignore[bad-argument-type]
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


# Branches (what-if): try a line of moves from any position; nothing is recorded.


_READ = 10
"""Events that are read in the time in which a move is tried."""


@writes(
    "/v1/games/{game:uuid}/branches",
    "try_moves",
    "Try a line of moves from any position, without recording it",
    weight=HEAVY,
    tag="Reading",
    description=(
        "The rules of the hand judge each move, on the table after the legal moves before it. A refused move changes "
        "nothing, and the next one is tried all the same. The effects of a move show cards: a viewer needs an open game. A "
        "player learns of their own next move whether it is legal, or the code; with `view=seat:n` officials ask for that "
        "player. Officials who see what the public sees get hidden cards treated as unknown ones."
    ),
    body=TryMoves,
    responses={200: Content("each move legal or refused, and the table at the end", BranchView)},
    keyed=False,
    refuses=(403, 413, 415, 422),
)
async def try_moves(request: Request, game: FromPath[UUID]) -> Response:
    body = await read_body(request, TryMoves)
    now = await services_of(request).journal.current(game)
    check_reached(now, body.position)
    around = await load_openness_context(request, now)
    who = viewer_for(request, now, body.view, is_open=now.is_open(body.position, around))
    viewer = now.viewer(who, body.position, around)
    record_access(request, now, who, around, body.position, body.position)
    whole = viewer.has_full_view or (viewer.who == "public" and request.user.has_public_sight)
    if not whole:
        _check_own(viewer.who, body)
    told = await _try_moves(request, _READ * len(body.moves), now.id, viewer, body, whole=whole)
    return Response(told, headers=[("cache-control", "no-store"), ("vary", "accept-language, authorization")])


def _check_own(who: Who, body: TryMoves) -> None:
    """Check that a player tries one move of their own seat.

    A seat knows from its own cards whether its next move is legal; anything further would reveal cards. Raises ``Forbidden``.
    """
    if len(body.moves) > 1 or type(who) is not int or body.moves[0].seat != who:
        raise Forbidden(say("branch_closed"), *OFFICIALS)


@long_read("branches")
def _try_moves(request: Request, id: UUID, viewer: Viewer, body: TryMoves, *, whole: bool) -> bytes:
    """Try the moves and encode the result.

    Callers who do not see everything get a result computed from what they see, so that no refusal reveals more, by any edition of the
    rules.
    """
    then = game_then(request, id, body.position)
    with handle_rule_errors(request, then.table):
        rulebook = bind_rules(services_of(request), then)
        found = branch(rulebook, table_judged(rulebook, then.table, viewer), [convert_move(one) for one in body.moves])
    return encode(_view(request, then, viewer, body.position, found) if whole else _redact_branch(then, body.position, found))


def _view(request: Request, game: Game, viewer: Viewer, position: int, found: Branch) -> BranchView:
    moves = [_move(request, game, tried) for tried in found.tried]
    shown = view_of(services_of(request).rulesets, masked(found.table, viewer), viewer)
    return BranchView(game=game.id, position=position, moves=moves, table=shown)


def _redact_branch(game: Game, position: int, found: Branch) -> BranchView:
    moves = [
        TestedMoveView(seat=one.seat, move=one.move, legal=one.refused is None, code=one.refused.code if one.refused else UNSET)
        for one in found.tried
    ]
    return BranchView(game=game.id, position=position, moves=moves)


def _move(request: Request, game: Game, tried: MoveAttempt) -> TestedMoveView:
    refused = tried.refused
    return TestedMoveView(
        seat=tried.seat,
        move=tried.move,
        legal=refused is None,
        code=refused.code if refused else UNSET,
        rules=list_rule_references(request, game, refused) if refused else UNSET,
        sentence=sentence(request, refused) if refused else UNSET,
        asks=asks_of(refused) if refused else UNSET,
        effects=tried.effects if refused is None else UNSET,
    )


# Tellings: unknown cards that are told between two moves or after the end.
