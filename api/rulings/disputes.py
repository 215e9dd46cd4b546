"""Disputes: raised, appealed, withdrawn, and read."""

import asyncio
from uuid import UUID

from litestar.params import FromPath
from msgspec import UNSET

from api.common.commands import sees
from api.common.reading import mark, tagged
from api.http.decoding import body, moment
from api.http.fields import DryRun
from api.http.operations import (
    JSON,
    Content,
    Operation,
    reads,
    writes,
)
from api.http.query import Nothing, query
from api.http.response import (
    Answer,
    Asked,
    encoded,
    house_of,
)
from api.rulings.acts import act, operation
from api.rulings.requests import Appeal, Because, RaiseDispute
from api.rulings.responses import Disputes, DisputeTold, RulingTold
from api.rulings.texts import text_of
from domain import ruling
from domain.dispute import Dispute, Ruling
from domain.game import Game


@writes(
    "/v1/games/{game:uuid}/disputes",
    operation(
        "raise_dispute",
        "Raise a dispute about a position",
        RaiseDispute,
        "official",
        description="Disputes are numbered from 1. One that suspends stops play until it is decided or withdrawn.",
        examples={"a capture": {"position": 7, "seat": 1, "claim": "The five cannot take the four.", "suspends": True}},
    ),
)
async def raise_dispute(request: Asked, game: FromPath[UUID]) -> Answer:
    dry, wanted = query(request, DryRun).dry_run, await body(request, RaiseDispute)
    return await act(
        request,
        game,
        lambda now, ref: (ruling.raised(now, wanted.position or now.position, wanted.seat, ref, suspends=wanted.suspends),),
        wanted.claim,
        wanted.happened_at,
        dry,
    )


@writes(
    "/v1/games/{game:uuid}/disputes/{number:int}/appeals",
    operation(
        "appeal",
        "Appeal against the ruling on a dispute",
        Appeal,
        "official",
        description="The committee then decides. One that suspends stops play until it has, or until it is withdrawn.",
        examples={"by a seat": {"seat": 0, "deadline": "2026-11-21T21:00:00Z", "suspends": True}},
    ),
)
async def appeal(request: Asked, game: FromPath[UUID], number: FromPath[int]) -> Answer:
    dry, wanted = query(request, DryRun).dry_run, await body(request, Appeal)
    deadline = moment(wanted.deadline, "deadline")
    return await act(
        request,
        game,
        lambda now, ref: (ruling.appealed(now, number, wanted.seat, deadline, ref, suspends=wanted.suspends),),
        wanted.reason,
        wanted.happened_at,
        dry,
    )


@writes(
    "/v1/games/{game:uuid}/disputes/{number:int}/withdrawal",
    operation("withdraw_dispute", "Withdraw a dispute, or an appeal", Because, "official", examples={"settled": {"reason": "settled"}}),
)
async def withdraw(request: Asked, game: FromPath[UUID], number: FromPath[int]) -> Answer:
    dry, wanted = query(request, DryRun).dry_run, await body(request, Because)
    return await act(request, game, lambda now, ref: (ruling.withdrawn(now, number, ref),), wanted.reason, wanted.happened_at, dry)


@reads(
    "/v1/games/{game:uuid}/disputes",
    Operation(
        id="list_disputes",
        tag="Rulings",
        summary="The disputes of a game, the rulings, and whether moves may be made",
        description="Claims are told to officials only; rulings with their reasons to everybody.",
        answers={200: Content("disputes and rulings, oldest first", {JSON: Disputes}, headers=("ETag",))},
        refuses=(404,),
        headers=("If-None-Match",),
    ),
)
async def list_disputes(request: Asked, game: FromPath[UUID]) -> Answer:
    query(request, Nothing)
    now = await house_of(request).journal.held(game)
    told = encoded(await asyncio.to_thread(_told, request, now))
    return tagged(request, f"{now.position}.{sees(request)}.{mark(told)}.disputes.json", lambda: told)


def _told(asked: Asked, game: Game) -> Disputes:
    docket = game.docket
    return Disputes(
        game=game.id,
        position=game.position,
        standing=docket.standing,
        disputes=[_dispute(asked, one) for one in docket.disputes],
        rulings=[_ruling(asked, one) for one in docket.rulings],
    )


def _dispute(asked: Asked, one: Dispute) -> DisputeTold:
    return DisputeTold(
        number=one.number,
        raised_at=one.raised_at,
        position=one.position,
        seat=one.seat,
        claim=text_of(asked, one.claim) if asked.user.sees_all else UNSET,
        suspends=one.suspends,
        stage=one.stage,
        rulings=one.rulings,
    )


def _ruling(asked: Asked, one: Ruling) -> RulingTold:
    return RulingTold(
        number=one.number,
        position=one.position,
        dispute=one.dispute,
        instance=one.instance,
        decision=one.decision,
        rules=one.rules,
        reason=text_of(asked, one.reason),
    )
