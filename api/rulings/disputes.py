"""Disputes: raised, appealed, withdrawn, and read."""

import asyncio
from uuid import UUID

from litestar.params import FromPath
from msgspec import UNSET

from api.common.commands import default_viewer
from api.common.texts import text_of
from api.http.decoding import in_utc, read_body
from api.http.etag import content_hash, respond_with_etag
from api.http.fields import DryRun, ReasonBody
from api.http.operations import (
    JSON,
    Content,
    Operation,
    reads,
    writes,
)
from api.http.query import Nothing, read_query
from api.http.request import Request, services_of
from api.http.response import Response, encode
from api.rulings.commands import act, operation
from api.rulings.requests import AppealRuling, RaiseDispute
from api.rulings.responses import Disputes, DisputeView, RulingView
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
async def raise_dispute(request: Request, game: FromPath[UUID]) -> Response:
    dry, body = read_query(request, DryRun).dry_run, await read_body(request, RaiseDispute)
    return await act(
        request,
        game,
        lambda now, ref: (ruling.raised(now, body.position or now.position, body.seat, ref, suspends=body.suspends),),
        body.claim,
        body.happened_at,
        dry,
    )


@writes(
    "/v1/games/{game:uuid}/disputes/{number:int}/appeals",
    operation(
        "appeal",
        "Appeal against the ruling on a dispute",
        AppealRuling,
        "official",
        description="The committee then decides. One that suspends stops play until it has, or until it is withdrawn.",
        examples={"by a seat": {"seat": 0, "deadline": "2026-11-21T21:00:00Z", "suspends": True}},
    ),
)
async def appeal(request: Request, game: FromPath[UUID], number: FromPath[int]) -> Response:
    dry, body = read_query(request, DryRun).dry_run, await read_body(request, AppealRuling)
    deadline = in_utc(body.deadline, "deadline")
    return await act(
        request,
        game,
        lambda now, ref: (ruling.appealed(now, number, body.seat, deadline, ref, suspends=body.suspends),),
        body.reason,
        body.happened_at,
        dry,
    )


@writes(
    "/v1/games/{game:uuid}/disputes/{number:int}/withdrawal",
    operation("withdraw_dispute", "Withdraw a dispute, or an appeal", ReasonBody, "official", examples={"settled": {"reason": "settled"}}),
)
async def withdraw(request: Request, game: FromPath[UUID], number: FromPath[int]) -> Response:
    dry, body = read_query(request, DryRun).dry_run, await read_body(request, ReasonBody)
    return await act(request, game, lambda now, ref: (ruling.withdrawn(now, number, ref),), body.reason, body.happened_at, dry)


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
async def list_disputes(request: Request, game: FromPath[UUID]) -> Response:
    read_query(request, Nothing)
    now = await services_of(request).journal.held(game)
    told = encode(await asyncio.to_thread(_told, request, now))
    return respond_with_etag(request, f"{now.position}.{default_viewer(request)}.{content_hash(told)}.disputes.json", lambda: told)


def _told(request: Request, game: Game) -> Disputes:
    docket = game.docket
    return Disputes(
        game=game.id,
        position=game.position,
        standing=docket.standing,
        disputes=[_dispute(request, one) for one in docket.disputes],
        rulings=[_ruling(request, one) for one in docket.rulings],
    )


def _dispute(request: Request, one: Dispute) -> DisputeView:
    return DisputeView(
        number=one.number,
        raised_at=one.raised_at,
        position=one.position,
        seat=one.seat,
        claim=text_of(request, one.claim) if request.user.sees_all else UNSET,
        suspends=one.suspends,
        stage=one.stage,
        rulings=one.rulings,
    )


def _ruling(request: Request, one: Ruling) -> RulingView:
    return RulingView(
        number=one.number,
        position=one.position,
        dispute=one.dispute,
        instance=one.instance,
        decision=one.decision,
        rules=one.rules,
        reason=text_of(request, one.reason),
    )
