"""A deck that nobody chose, step by step: the recorder begins, devices join and open, dice are typed. With the last the hand is dealt."""

from collections.abc import Callable
from uuid import UUID

from litestar.params import FromPath
from msgspec import Struct

from api.common.commands import commit_to_game, recorded_response
from api.common.event_views import CommandResponse
from api.common.own_seat import seat_held
from api.common.rulebooks import newest_of, newest_rulebook_of
from api.common.secrets import keep_secret, new_secret, secrets_for
from api.games.shuffling.requests import BeginShuffle, JoinShuffle, OpenChance, TypeDice
from api.http.decoding import read_body
from api.http.operations import Content, Operation, writes
from api.http.request import Request, services_of
from api.http.response import Response
from api.http.tokens import Need
from domain.dealing.fair import begin, deal_if_ready, join, open_chance, type_dice
from domain.events.game import HandDealt
from domain.events.shuffles import ShuffleCommitted, ShuffleEvent, ShuffleJoined, ShuffleOpened, ShuffleTyped
from domain.game import Game
from domain.journal.application import DecideGame
from domain.shuffling.decks import commitment_to_secret


def _operation(id: str, summary: str, description: str, body: type[Struct], need: Need) -> Operation:
    return Operation(
        id=id,
        tag="Playing",
        summary=summary,
        description=description,
        body=body,
        responses={201: Content("recorded", CommandResponse, headers=("Location", "ETag"))},
        refuses=(404, 412, 422),
        headers=("If-Match", "Idempotency-Key"),
        role=need,
    )


class _Unkept(Exception):
    """The secret has to lie in the register before an event binds the service to it."""


@writes(
    "/v1/games/{game:uuid}/shuffles",
    _operation(
        "begin_shuffle",
        "Begin a deck that nobody chose",
        "The service makes a secret and is bound to it. What was begun before and not dealt is off, and its secret is told.",
        BeginShuffle,
        "recorder",
    ),
)
async def begin_shuffle(request: Request, game: FromPath[UUID]) -> Response:
    body, services = await read_body(request, BeginShuffle), services_of(request)
    secret = new_secret(services)
    commitment, kept = commitment_to_secret(secret).hex(), False

    def decide(now: Game) -> tuple[ShuffleCommitted]:
        event = begin(now, newest_rulebook_of(services.rulesets, now.setup), body.dealer, commitment, body.dice)
        if not kept:
            raise _Unkept
        return (event,)

    try:
        receipt = await commit_to_game(request, game, decide, happened_at=body.happened_at)
    except _Unkept:
        await keep_secret(request, commitment, secret)
        kept = True
        receipt = await commit_to_game(request, game, decide, happened_at=body.happened_at)
    return recorded_response(request, receipt)


@writes(
    "/v1/games/{game:uuid}/shuffles/joining",
    _operation(
        "join_shuffle",
        "Take part in the shuffle with the device of a seat",
        "Until the first chance is opened. The commitment binds the device to 16 bytes that it has drawn by itself.",
        JoinShuffle,
        "player",
    ),
)
async def join_shuffle(request: Request, game: FromPath[UUID]) -> Response:
    body = await read_body(request, JoinShuffle)

    def decide(now: Game) -> tuple[ShuffleJoined]:
        return (join(now, seat_held(request, now), body.commitment),)

    return recorded_response(request, await commit_to_game(request, game, decide))


@writes(
    "/v1/games/{game:uuid}/shuffles/opening",
    _operation(
        "open_chance",
        "Open the chance of a seat",
        "With the first nobody joins any more. If nothing else is waited for, the hand is dealt with it.",
        OpenChance,
        "player",
    ),
)
async def open_seats_chance(request: Request, game: FromPath[UUID]) -> Response:
    body = await read_body(request, OpenChance)
    decide = _dealing(request, lambda now: open_chance(now, seat_held(request, now), body.chance))
    return recorded_response(request, await commit_to_game(request, game, decide))


@writes(
    "/v1/games/{game:uuid}/shuffles/dice",
    _operation(
        "type_dice",
        "Type the dice that were thrown",
        "As many as were promised, once every device that takes part has opened its chance. The hand is dealt with it.",
        TypeDice,
        "recorder",
    ),
)
async def type_thrown_dice(request: Request, game: FromPath[UUID]) -> Response:
    body = await read_body(request, TypeDice)
    decide = _dealing(request, lambda now: type_dice(now, body.dice))
    return recorded_response(request, await commit_to_game(request, game, decide, happened_at=body.happened_at))


def _dealing(request: Request, given: Callable[[Game], ShuffleOpened | ShuffleTyped]) -> DecideGame:
    """What is given, and the deal if it was the last that was waited for."""
    rulesets = services_of(request).rulesets

    def decide(now: Game) -> tuple[ShuffleEvent | HandDealt, ...]:
        event, edition = given(now), newest_of(rulesets, now.setup).edition
        return deal_if_ready(now, event, newest_rulebook_of(rulesets, now.setup), edition, secrets_for(request))

    return decide
