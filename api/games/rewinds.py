"""Rewinds: the recorder's undo within the hand that was dealt last, and the range in which it is possible now."""

import asyncio
from uuid import UUID

from litestar.params import FromPath
from msgspec import UNSET, UnsetType

from api.common.access_audit import record_access
from api.common.commands import build_commit_response, commit_to_game
from api.common.event_views import CommandResponse
from api.common.reading import load_openness_context, past_of, table_of
from api.common.rulebooks import latest_rulebook_of
from api.common.texts import note_text
from api.games.requests import RewindGame
from api.games.responses import EnteredDeal, RewindLimit, RewindState
from api.http.decoding import DryRun, read_body, read_query
from api.http.operations import Content, describe_responses, reads, writes
from api.http.problems import sentence
from api.http.request import Request, services_of
from api.http.response import Response, build_etag_response, content_hash, encode
from domain.errors import Refused
from domain.events.game import HandDealt, HandReported, RewindRecorded
from domain.game import Deal, Game
from domain.journal.application import DecideGame
from domain.journal.commits import RegisteredText
from domain.moves import viewpoint_of
from domain.unknown_cards.support import list_entered_cards

_VARY = "accept-language, authorization"


@writes(
    "/v1/games/{game:uuid}/rewinds",
    "rewind",
    "Rewind a game to a position",
    tag="Playing",
    description=(
        "Rewound events stay in the history, marked void. The reason is stored apart from the events, so that it can be "
        "erased. A deal whose deck was typed or is unknown can be taken back until the first move of its hand, a result as "
        "long as nothing follows it. With `dry_run=true` nothing is recorded (status 200)."
    ),
    query=DryRun,
    body=RewindGame,
    responses=describe_responses(CommandResponse, says="taken back", result="possible, not recorded"),
    refuses=(422,),
    role="recorder",
)
async def rewind(request: Request, game: FromPath[UUID]) -> Response:
    dry, body = read_query(request, DryRun).dry_run, await read_body(request, RewindGame)
    reason = note_text(request, body.reason or None)
    decide = await rewinding(request, game, body.to, reason)
    return build_commit_response(request, await commit_to_game(request, game, decide, note=reason, dry_run=dry), dry_run=dry)


async def rewinding(request: Request, id: UUID, to: int, reason: RegisteredText | None) -> DecideGame:
    """Return the decision to rewind. The table at ``to`` is folded before the game is locked: it cannot change any more."""
    game = await services_of(request).journal.current(id)
    restored = await table_of(request, game, to) if 1 <= to <= game.position else None

    def decide(now: Game) -> tuple[RewindRecorded]:
        if restored is None:
            game.check_rewind(to)  # raises: it was refused when the table was read, whatever was recorded since
        assert restored is not None
        return (now.rewind(to, reason.ref if reason else None, restored),)

    return decide


@reads(
    "/v1/games/{game:uuid}/rewinds",
    "read_rewinds",
    "Read how far the recorder can rewind a game",
    tag="Playing",
    description="`again` is the body that deals the hand again as it was entered, or reports it.",
    responses={200: Content("the earliest position, and the reason", RewindState, headers=("ETag",))},
    role="recorder",
)
async def read_rewinds(request: Request, game: FromPath[UUID]) -> Response:
    now = await services_of(request).journal.current(game)
    request.scope["state"]["ruleset"] = now.setup.ruleset  # the limit is worded in the terms of this ruleset
    again = await _find_entered_deal(request, now)
    state = RewindState(
        game=now.id,
        position=now.position,
        earliest=now.first_rewind_position,
        limit=_limit(request, now),
        again=again,
        taken_back=UNSET if again is UNSET else now.latest_deal not in now.deals,
    )
    told = encode(state)
    return build_etag_response(request, f"{now.position}.{content_hash(told)}.json", lambda: told, vary=_VARY)


def _limit(request: Request, game: Game) -> RewindLimit | UnsetType:
    """Return the reason why the position before the earliest is out of reach; nothing where the earliest is the opening."""
    beyond = (game.first_rewind_position or game.position) - 1
    if beyond < 1:
        return UNSET
    try:
        game.check_rewind(beyond)
    except Refused as refused:
        return RewindLimit(code=refused.code, sentence=sentence(request, refused))
    return UNSET


async def _find_entered_deal(request: Request, game: Game) -> EnteredDeal | UnsetType:
    deal = game.latest_deal
    if deal is None or not _can_undo_deal(game, deal):
        return UNSET
    around, eyes = await load_openness_context(request, game), viewpoint_of(request.user, game)
    record_access(request, game, eyes, around, deal.position, deal.position)
    viewer, past = game.viewer(eyes, deal.position, around), past_of(request, game.id)
    step = await asyncio.to_thread(lambda: next(past.steps(deal.position - 1, deal.position), None))
    match step and step.recorded.event:
        case HandReported(dealer=dealer, result=result) if not viewer.dark:
            return EnteredDeal(dealer=dealer, result=result)
        case HandDealt(dealer=dealer, how="recorded", effects=effects) if step and step.before and not (viewer.dark or viewer.covered):
            rulebook = latest_rulebook_of(services_of(request).rulesets, game.setup)
            known = list_entered_cards(rulebook, step.before.table, dealer, effects, viewer)
            return EnteredDeal(dealer=dealer, deck="unknown", known=known)
        case _:
            return UNSET


def _can_undo_deal(game: Game, deal: Deal) -> bool:
    """Return whether the deal can be taken back, or was taken back and its hand is the next one."""
    if deal in game.deals:
        return game.first_rewind_position is not None and game.first_rewind_position < deal.position
    return not game.table.in_hand and deal.hand == game.table.hand + 1
