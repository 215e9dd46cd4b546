"""From a request to a command of the journal: its principal, the expected position, the idempotency key."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from itertools import islice
from typing import TypeAlias
from uuid import UUID

from msgspec import to_builtins

from api.common.event_views import CommandResponse, command_response, event_views
from api.common.looks import note_look
from api.common.reading import eyes_on, past_of
from api.common.repeats import fingerprints, fingerprints_of, idempotency_key, replayed_header
from api.common.secrets import telling_beside, with_reveals, with_secrets
from api.http.decoding import time_at_the_table
from api.http.errors import Overtaken
from api.http.etag import expected_position
from api.http.paging import Counts
from api.http.request import Request, sent, services_of
from api.http.response import Response, encode, unstored
from domain.aggregate import A, AggregateType
from domain.errors import Stale
from domain.events import Event, effects_of
from domain.events.game import MovePlayed
from domain.game import GAME, Game
from domain.journal.application import Decide, DecideGame
from domain.journal.calls import Beside, Call, Note, Receipt
from domain.journal.commits import Board
from domain.openness import Around

_MISSED = 100  # events that a 412 shows at most; the history has the rest


async def call_of(request: Request, happened_at: datetime | None = None) -> Call:
    """Raises ``BadRequest`` for an ``If-Match`` or a key of the wrong form, and ``Malformed`` for an impossible time."""
    if_match, key = sent(request, b"if-match"), idempotency_key(request)
    fingerprint, former = ("", "") if key is None else await fingerprints_of(request)
    return Call(
        by=request.user.id,
        expected=None if if_match is None else expected_position(request, if_match),
        key=key,
        fingerprint=fingerprint,
        happened_at=happened_at and time_at_the_table(happened_at, services_of(request).clock()),
        former=former,
    )


def line_call(request: Request, key: str | None, number: int, line: bytes) -> Call:
    """The command of a line of a list. Each has the key for itself: an import that broke off goes on where it was when it is sent again."""
    if key is None:
        return Call(request.user.id)
    fingerprint, former = fingerprints(request, line)
    return Call(request.user.id, None, f"{key}/{number}", fingerprint, former=former)


Missed: TypeAlias = Callable[[Request, Stale], Awaitable[bytes]]
"""Encodes the events since the position that the caller decided on."""


async def commit_to(
    request: Request,
    kind: AggregateType[A],
    stream: UUID,
    decide: Decide[A],
    missed: Missed,
    *,
    happened_at: datetime | None = None,
    note: Note | None = None,
    beside: Beside[A] | None = None,
    board: Board | None = None,
    dry_run: bool = False,
) -> Receipt[A]:
    """Decides and records, or only decides. Raises ``Overtaken`` where ``If-Match`` did not hold."""
    journal, call = services_of(request).journal, await call_of(request, happened_at)
    if beside and not dry_run:
        beside = telling_beside(request, beside)
    try:
        return await with_secrets(
            request, lambda: journal.commit_to(kind, call, stream, decide, note, beside=beside, board=board, dry_run=dry_run)
        )
    except Stale as stale:
        if call.expected is None:
            raise
        raise Overtaken(stale, await missed(request, stale)) from stale


async def commit_to_game(
    request: Request,
    game: UUID,
    decide: DecideGame,
    *,
    happened_at: datetime | None = None,
    note: Note | None = None,
    board: Board | None = None,
    dry_run: bool = False,
) -> Receipt[Game]:
    """The same for a game. ``board``: the one that is dealt, as it was read."""

    def deciding(now: Game) -> Sequence[Event]:
        request.scope["state"]["ruleset"] = now.opened.setup.ruleset  # it words the refusal
        events = decide(now)
        return events if dry_run else with_reveals(request, now, events)  # what would be told is not told to who only tries

    receipt = await commit_to(request, GAME, game, deciding, _missed, happened_at=happened_at, note=note, board=board, dry_run=dry_run)
    if not (dry_run or receipt.repeated):  # a repeated command recorded none
        count_moves(request, [type(one.event) for one in receipt.events].count(MovePlayed))
    return receipt


def count_moves(request: Request, moves: int) -> None:
    """For the metrics."""
    counts: Counts = request.scope["litestar_app"].state["counts"]
    counts.moves += moves


async def _missed(request: Request, stale: Stale) -> bytes:
    game = await services_of(request).journal.current(stale.stream)
    eyes, around = eyes_on(request, game), Around(game.boards)
    note_look(request, game, eyes, around, stale.expected + 1, stale.expected + _MISSED)
    views = event_views(game, past_of(request, stale.stream), eyes, around, stale.expected)
    return await asyncio.to_thread(lambda: encode(list(islice(views, _MISSED))))


def recorded_response(request: Request, receipt: Receipt[Game], *, dry_run: bool = False) -> Response:
    """201: what was recorded, where it stands, and the position for the next ``If-Match``; 200 for a dry run."""
    if dry_run:
        return unstored(tried_view(request, receipt), headers=replayed_header(repeated=receipt.repeated))
    body, id = command_response(receipt, eyes_on(request, receipt.after)), to_builtins(receipt.after.id)  # quicker than ``str``
    return _created(body, receipt, f"/v1/games/{id}/history?after={receipt.events[0].position - 1}")


def tried_view(request: Request, receipt: Receipt[Game]) -> CommandResponse:
    """What would be recorded. Unlike what is, it leaves no trace in the history: so it is a look, where it does anything to the table."""
    game, eyes = receipt.after, eyes_on(request, receipt.after)
    if any(effects_of(recorded.event) for recorded in receipt.events):
        note_look(request, game, eyes, Around(game.boards), receipt.events[0].position, game.position)
    return command_response(receipt, eyes, dry_run=True)


def opened_response(request: Request, receipt: Receipt[Game]) -> Response:
    return _created(command_response(receipt, eyes_on(request, receipt.after)), receipt, f"/v1/games/{receipt.after.id}")


def _created(body: CommandResponse, receipt: Receipt[Game], location: str) -> Response:
    return Response(encode(body), status=201, headers=recorded_headers(location, receipt.after.position, repeated=receipt.repeated))


def recorded_headers(location: str, position: int, *, repeated: bool) -> list[tuple[str, str]]:
    """Where it can be read, the position for the next ``If-Match``, and whether this was answered before, under the same key."""
    return [("location", location), ("etag", f'"{position}"'), ("cache-control", "no-store"), *replayed_header(repeated=repeated)]
