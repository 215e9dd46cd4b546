"""Fair shuffling in steps: the recorder begins, devices join and open, dice are typed; the last step deals the hand."""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from litestar.params import FromPath
from msgspec import Meta, Struct

from api.common.access_audit import record_access
from api.common.commands import build_commit_response, commit_to_game, is_dry_run
from api.common.event_views import CommandResponse
from api.common.reading import load_openness_context
from api.common.rulebooks import latest_rulebook_of
from api.common.secrets import keep_secret, new_secret, secrets_for
from api.games.requests import BeginShuffle, JoinShuffle, OpenChance, TypeDice
from api.http.decoding import DryRun, ResponseModel, copy_fields, read_body
from api.http.operations import Content, Operation, declare, reads
from api.http.request import Request, services_of
from api.http.response import Response, build_etag_response, content_hash, encode
from domain.dealing import begin, deal_if_ready, is_fair, join, open_chance, type_dice
from domain.events.game import HandDealt
from domain.events.shuffles import ShuffleCommitmentMade, ShuffleEvent, ShuffleJoined, ShuffleOpened, ShuffleTyped
from domain.game import Game
from domain.journal.application import DecideGame
from domain.moves import latest_of, seat_held, viewpoint_of
from domain.opening import OpennessContext
from domain.shuffling import Try, commitment_to_secret, format_commitment
from domain.sight import Viewpoint

# Requests about fair decks.


def _describe(
    id: str, summary: str, description: str, body: type[Struct], role: Literal["recorder", "player_or_recorder", "player"]
) -> Operation:
    answers = {
        201: Content("recorded", CommandResponse, headers=("Location", "ETag")),
        200: Content("a dry run: neither recorded nor bound by a commitment, and without a deal", CommandResponse),
    }
    return Operation(id, summary, answers, "Playing", description, query=DryRun, body=body, refuses=(422,), role=role)


_writes = declare("POST", _describe, 201)


_NO_COMMITMENT = "0" * 64
"""The commitment of a dry run."""


class _SecretNotStored(Exception):
    """The secret has to be in the register before an event binds the service to it."""


@_writes(
    "/v1/games/{game:uuid}/shuffles",
    "begin_shuffle",
    "Begin a fair shuffle",
    (
        "The service draws a secret and commits to it. A shuffle that was begun earlier and not dealt is cancelled, and "
        "its secret is revealed."
    ),
    BeginShuffle,
    "recorder",
)
async def begin_shuffle(request: Request, game: FromPath[UUID]) -> Response:
    body, services = await read_body(request, BeginShuffle), services_of(request)
    kept = is_dry_run(request)  # it draws no secret, so there is none to store
    secret = b"" if kept else new_secret(services)
    commitment = _NO_COMMITMENT if kept else commitment_to_secret(secret).hex()

    def decide(now: Game) -> tuple[ShuffleCommitmentMade]:
        event = begin(now, latest_rulebook_of(services.rulesets, now.setup), body.dealer, commitment, body.dice)
        if not kept:
            raise _SecretNotStored
        return (event,)

    try:
        return await _commit(request, game, decide, body.happened_at)
    except _SecretNotStored:
        await keep_secret(request, commitment, secret)
        kept = True
        return await _commit(request, game, decide, body.happened_at)


async def _commit(request: Request, game: UUID, decide: DecideGame, happened_at: datetime | None = None) -> Response:
    dry = is_dry_run(request)
    return build_commit_response(request, await commit_to_game(request, game, decide, happened_at=happened_at, dry_run=dry), dry_run=dry)


@_writes(
    "/v1/games/{game:uuid}/shuffles/joining",
    "join_shuffle",
    "Join a shuffle with the device of a seat",
    ("A device can join until the first chance is opened. The commitment binds the device to 16 bytes that it has drawn itself."),
    JoinShuffle,
    "player",
)
async def join_shuffle(request: Request, game: FromPath[UUID]) -> Response:
    body = await read_body(request, JoinShuffle)

    def decide(now: Game) -> tuple[ShuffleJoined]:
        return (join(now, seat_held(request.user, now), body.commitment),)

    return await _commit(request, game, decide)


@_writes(
    "/v1/games/{game:uuid}/shuffles/opening",
    "open_chance",
    "Open the chance of a seat",
    "The first opened chance ends the joining. The hand is dealt as soon as nothing else is missing.",
    OpenChance,
    "player",
)
async def open_seats_chance(request: Request, game: FromPath[UUID]) -> Response:
    body = await read_body(request, OpenChance)
    return await _commit(request, game, _dealing(request, lambda now: open_chance(now, seat_held(request.user, now), body.chance)))


@_writes(
    "/v1/games/{game:uuid}/shuffles/dice",
    "type_dice",
    "Enter the dice that were thrown",
    ("Enter as many dice as were promised, once every device that takes part has opened its chance. This deals the hand."),
    TypeDice,
    "recorder",
)
async def enter_dice(request: Request, game: FromPath[UUID]) -> Response:
    body = await read_body(request, TypeDice)
    return await _commit(request, game, _dealing(request, lambda now: type_dice(now, body.dice)), body.happened_at)


def _dealing(request: Request, given: Callable[[Game], ShuffleOpened | ShuffleTyped]) -> DecideGame:
    """Return the decision to record what is given, and the deal if nothing else is missing.

    A dry run deals nothing: other chances and dice could be tried until the cards please.
    """
    rulesets = services_of(request).rulesets

    def decide(now: Game) -> tuple[ShuffleEvent | HandDealt, ...]:
        if is_dry_run(request):
            return (given(now),)
        event, edition = given(now), latest_of(rulesets, now.setup).edition
        return deal_if_ready(now, event, latest_rulebook_of(rulesets, now.setup), edition, secrets_for(request))

    return decide


# Responses about fair decks. Digests, chances and secrets are hexadecimal.


class JoinedView(ResponseModel, frozen=True, kw_only=True):
    seat: int
    commitment: str
    chance: Annotated[str | None, Meta(description="null until it is opened")]


class ShuffleView(ResponseModel, frozen=True, kw_only=True):
    """A try for a deck."""

    position: Annotated[int, Meta(description="of the commitment of the service")]
    hand: Annotated[int, Meta(description="the number of the hand that it is for")]
    dealer: int
    commitment: Annotated[str, Meta(description="of the service")]
    digits: Annotated[str, Meta(description="40 digits of it, to compare by eye or aloud")]
    dice: Annotated[int, Meta(description="the number of dice that was promised")]
    joined: list[JoinedView]
    typed: str | None
    dealt: Annotated[int | None, Meta(description="the position of the deal; null for none")]
    ended: Annotated[bool, Meta(description="it will not be dealt")]
    missing: Annotated[tuple[int, ...], Meta(description="seats that take part and have not opened their chances")]
    secret: Annotated[str | None, Meta(description="null until the hand is open to the caller")]


class Shuffles(ResponseModel, frozen=True, kw_only=True):
    """All tries of a game, in their order; none for a game without fair decks, or one that is dark to the caller."""

    game: UUID
    position: Annotated[int, Meta(description="of the last event of the game")]
    fair: Annotated[bool, Meta(description="whether every hand is dealt from a fair shuffle")]
    shuffles: list[ShuffleView]


# The state of a fair deck, and of those before it.


@reads(
    "/v1/games/{game:uuid}/shuffles",
    "list_shuffles",
    "List a game's fair shuffles: commitments, chances and attempts",
    tag="Playing",
    description="The answer shows the secret of a shuffle once the cards of its hand are open to the caller.",
    responses={200: Content("the tries, in their order", Shuffles, headers=("ETag",))},
)
async def list_shuffles(request: Request, game: FromPath[UUID]) -> Response:
    now = await services_of(request).journal.current(game)
    told = encode(shuffles_view(request, now, await load_openness_context(request, now)))
    return build_etag_response(request, f"{now.position}.{content_hash(told)}.json", lambda: told)


def shuffles_view(request: Request, now: Game, around: OpennessContext) -> Shuffles:
    eyes = viewpoint_of(request.user, now)
    tries = () if now.viewer(eyes, now.position, around).dark else now.tries
    told = [one.revealed_at for one in tries if _can_read_secret(now, eyes, around, one)]
    if told:
        record_access(request, now, eyes, around, told[0], told[-1])
    views = [_view(one, sees_secret=one.revealed_at in told) for one in tries]
    return Shuffles(game=now.id, position=now.position, fair=is_fair(now), shuffles=views)


def _can_read_secret(now: Game, eyes: Viewpoint, around: OpennessContext, one: Try) -> bool:
    return one.revealed_at > 0 and now.viewer(eyes, one.revealed_at, around).has_full_view


def _view(one: Try, *, sees_secret: bool) -> ShuffleView:
    return copy_fields(
        one,
        ShuffleView,
        digits=format_commitment(bytes.fromhex(one.commitment)),
        joined=[copy_fields(joined, JoinedView) for joined in one.joined],
        secret=one.secret if sees_secret else None,
    )
