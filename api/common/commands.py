"""From a request to a command of the journal: its principal, the expected position, and idempotency by the Idempotency-Key header."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from hashlib import sha256
from itertools import islice
from typing import Annotated, Any, TypeAlias
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from api.common.access_audit import record_access
from api.common.event_views import CommandResponse, Remarks, command_response, event_view_without_text, event_views
from api.common.reading import past_of
from api.common.secrets import link_reveals, with_reveals, with_secrets
from api.http.decoding import DryRun, canonical_json, read_query, time_at_the_table
from api.http.errors import BadRequest, PreconditionError, say
from api.http.paging import Counts
from api.http.request import Request, body_of, part_of, read_header, services_of
from api.http.response import Response, encode, no_store_response, parse_if_match
from domain.errors import Exists, KeyConflictError, Refused, Stale
from domain.events import A, AggregateType, Event, effects_of
from domain.events.game import MovePlayed
from domain.game import GAME, Game, project
from domain.journal.application import Decide, DecideGame
from domain.journal.commits import Board, Call, CommandKey, LinkedStreams, Receipt, RegisteredText
from domain.journal.registers import Duplicate
from domain.moves import viewer_in_play, viewpoint_of
from domain.opening import OpennessContext
from domain.sight import masked

# Repeated requests under one Idempotency-Key: how a repetition is recognised, and the response to it.


_LONGEST_KEY = 200  # characters; keys are kept for a month
_PLAIN = re.compile(r"/v1/[A-Za-z0-9/-]*")
_LONG = 64 * 1024  # bytes: parsing and hashing them takes a millisecond


def idempotency_key(request: Request) -> str | None:
    """Return the Idempotency-Key, ``None`` without one. Raises ``BadRequest``."""
    key = read_header(request, b"idempotency-key")
    if key is not None and not (1 <= len(key) <= _LONGEST_KEY and key.isascii() and key.isprintable()):
        raise BadRequest("bad_header", say("bad_key", longest=_LONGEST_KEY), "Idempotency-Key")
    return key


def replay_header(*, repeated: bool) -> list[tuple[str, str]]:
    """Return the header that marks a repeated response."""
    return [("idempotent-replayed", "true")] if repeated else []


def fingerprints(request: Request, body: bytes) -> tuple[str, str]:
    """Return the digests that have to be equal for a request to count as a repetition of another.

    The first is stored now. The second is the older form, in which bodies were compared byte for byte.
    """
    request_line = f"{request.method}\n{_path(request)}\n".encode() + _query(request) + b"\n"
    return sha256(request_line + canonical_json(body)).hexdigest(), sha256(request_line + body).hexdigest()


def _path(request: Request) -> str:
    """Return the path as Litestar's ``url.path`` returns it, which parses a whole URL: stored fingerprints contain that form."""
    path: str = request.scope["path"]
    return path if _PLAIN.fullmatch(path) else request.url.path


def _query(request: Request) -> bytes:
    """Return the query without ``dry_run=true``: a dry run has the fingerprint of the same request without it."""
    return b"&".join(part for part in request.scope["query_string"].split(b"&") if part != b"dry_run=true")


async def fingerprints_of(request: Request) -> tuple[str, str]:
    """Return the fingerprints of the whole request; for a long body, computed in a thread."""
    body = await body_of(request)
    return await asyncio.to_thread(fingerprints, request, body) if len(body) > _LONG else fingerprints(request, body)


IfLost: TypeAlias = (
    Annotated[
        str,
        Meta(
            description=(
                "the address (POST) for a new secret, if this one was lost; only in an answer that is repeated under its "
                "Idempotency-Key, without the secret"
            )
        ),
    ]
    | UnsetType
)


class Change(Struct, frozen=True):
    """A change of a register that was decided and is not made yet: every check is behind it.

    ``after``: the body that answers a dry run, without any secret. ``store``: makes the change, with the key in its transaction; it returns
    the response, or anything else for the one that a repetition gets.
    """

    after: object
    store: Callable[[CommandKey | None], Awaitable[object]]


DecideChange: TypeAlias = Callable[[], Awaitable[Change]]
Tell: TypeAlias = Callable[[str], Awaitable[Response]]
"""Answers with the current state of the thing that was made, by its id, without its secret."""


async def once(request: Request, decide: DecideChange, tell: Tell, *, compared: bytes | None = None) -> Response:
    """Make a change that is no event once under the request's key; a repetition is answered with the current state.

    A dry run decides and stores nothing, not even the key. ``compared``: the body without the parts that may not be kept, not even as a
    digest. Raises ``BadRequest``, and ``KeyConflictError`` where the key belongs to another request.
    """
    dry_run, command = is_dry_run(request), await _command_of(request, compared)
    made = await _find_by_key(request, command)
    if made is None:
        try:
            change = await decide()
            if dry_run:
                return no_store_response(change.after)
            stored = await change.store(command)
            return stored if isinstance(stored, Response) else await tell("")
        except (Duplicate, Exists, Refused):  # the same request came twice at once
            if (made := await _find_by_key(request, command)) is None:
                raise
    answer = await tell(made)
    answer.status = 200 if dry_run else answer.status
    answer.headers.append((b"idempotent-replayed", b"true"))
    return answer


def is_dry_run(request: Request) -> bool:
    """Return whether the query, of which nothing else is read, asks for a dry run."""
    return read_query(request, DryRun).dry_run


async def _command_of(request: Request, compared: bytes | None) -> CommandKey | None:
    """Return the command with the fingerprint of the request; ``None`` without a key."""
    if (key := idempotency_key(request)) is None:
        return None
    fingerprint, _ = await fingerprints_of(request) if compared is None else fingerprints(request, compared)
    return CommandKey(request.user.id, key, fingerprint)


async def erase_once(
    request: Request, exists: Callable[[], bool], erase: Callable[[CommandKey | None], bool], told: Callable[[bool], object]
) -> Response:
    """Erase in a thread, once under the request's key. A repetition erases what an interrupted erasure has left.

    ``told``: the response, by whether there was anything to erase.
    """

    async def decide() -> Change:
        return Change(told(await asyncio.to_thread(exists)), store)

    async def store(command: CommandKey | None) -> Response:
        return no_store_response(told(await asyncio.to_thread(erase, command)))

    async def tell(_: str) -> Response:
        if not is_dry_run(request):
            await asyncio.to_thread(erase, None)
        return no_store_response(told(True))

    return await once(request, decide, tell)


async def _find_by_key(request: Request, command: CommandKey | None) -> str | None:
    """Return the id of what was made under the key; ``None`` for no key or a new one. Raises ``KeyConflictError``."""
    if command is None:
        return None
    found = await asyncio.to_thread(services_of(request).registers.find_command, command.principal, command.key)
    if found is not None and (found.first or found.fingerprint != command.fingerprint):
        raise KeyConflictError(command.key)
    return None if found is None else found.entry_id


_MISSED = 100  # most events that a 412 shows; the history has the rest


async def call_of(request: Request, happened_at: datetime | None = None) -> Call:
    """Return the call of a request: principal, expected position, key, fingerprint, time.

    Raises ``BadRequest`` for an ``If-Match`` or a key of the wrong form, and ``InvalidFormatError`` for an impossible time.
    """
    if_match, key = read_header(request, b"if-match"), idempotency_key(request)
    fingerprint, former = ("", "") if key is None else await fingerprints_of(request)
    return Call(
        by=request.user.id,
        expected=None if if_match is None else parse_if_match(request, if_match),
        key=key,
        fingerprint=fingerprint,
        happened_at=happened_at and time_at_the_table(happened_at, services_of(request).clock()),
        former=former,
    )


def line_call(request: Request, key: str | None, number: int, line: bytes) -> Call:
    """Return the call of one line of a list. Each line has its own key, so that an interrupted import continues where it was when it is
    sent again.
    """
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
    note: RegisteredText | None = None,
    beside: LinkedStreams[A] | None = None,
    board: Board | None = None,
    dry_run: bool = False,
) -> Receipt[A]:
    """Decide and record, or only decide. Raises ``PreconditionError`` where ``If-Match`` did not hold."""
    journal, call = services_of(request).journal, await call_of(request, happened_at)
    if beside and not dry_run:
        beside = link_reveals(request, beside)
    try:
        return await with_secrets(
            request, lambda: journal.commit_to(kind, call, stream, decide, note, beside=beside, board=board, dry_run=dry_run)
        )
    except Stale as stale:
        if call.expected is None:
            raise
        raise PreconditionError(stale, await missed(request, stale)) from stale


async def encode_missing_events(request: Request, stale: Stale) -> bytes:
    """Encode the events of a stream that hides nothing from readers except words, for a 412."""
    events = await asyncio.to_thread(services_of(request).journal.history, stale.stream, stale.expected, _MISSED)
    return encode([event_view_without_text(one, sees_all=request.user.has_full_view) for one in events])


async def commit_to_game(
    request: Request,
    game: UUID,
    decide: DecideGame,
    *,
    happened_at: datetime | None = None,
    note: RegisteredText | None = None,
    board: Board | None = None,
    dry_run: bool = False,
) -> Receipt[Game]:
    """Decide and record in a game, or only decide. ``board``: the one that is dealt, as it was read."""

    def deciding(now: Game) -> Sequence[Event]:
        request.scope["state"]["ruleset"] = now.opened.setup.ruleset  # the refusal is worded in the terms of this ruleset
        events = decide(now)
        return events if dry_run else with_reveals(request, now, events)  # a dry run must not reveal a secret

    receipt = await commit_to(
        request, GAME, game, deciding, _encode_missing_events, happened_at=happened_at, note=note, board=board, dry_run=dry_run
    )
    if not (dry_run or receipt.repeated):  # a repeated command recorded no new moves
        count_moves(request, [type(one.event) for one in receipt.events].count(MovePlayed))
    return receipt


def count_moves(request: Request, moves: int) -> None:
    """Count moves for the metrics."""
    part_of(request.app, Counts).moves += moves


async def _encode_missing_events(request: Request, stale: Stale) -> bytes:
    game = await services_of(request).journal.current(stale.stream)
    eyes, around = viewpoint_of(request.user, game), OpennessContext(game.boards)
    record_access(request, game, eyes, around, stale.expected + 1, stale.expected + _MISSED)
    views = event_views(game, past_of(request, stale.stream), eyes, around, stale.expected)
    return await asyncio.to_thread(lambda: encode(list(islice(views, _MISSED))))


def build_commit_response(request: Request, receipt: Receipt[Game], *, dry_run: bool = False, remarks: Remarks = UNSET) -> Response:
    """Return 201 with what was recorded, its location, and the position for the next ``If-Match``; 200 for a dry run."""
    if dry_run:
        return no_store_response(view_dry_run(request, receipt), headers=replay_header(repeated=receipt.repeated))
    body = command_response(receipt, viewpoint_of(request.user, receipt.after), remarks=remarks)
    return _build_created_response(body, receipt, f"/v1/games/{receipt.after.id}/history?after={receipt.events[0].position - 1}")


def restrict_dry_run(request: Request, receipt: Receipt[Game]) -> Receipt[Game]:
    """Return the receipt of a dry run as decided on the cards that the caller can see, if the caller does not see all."""
    if request.user.has_full_view:
        return receipt
    before = receipt.before
    assert before is not None
    before = replace(before, table=masked(before.table, viewer_in_play(request.user, before)))
    after = project(before, receipt.events)
    assert after is not None
    return replace(receipt, before=before, after=after)


def view_dry_run(request: Request, receipt: Receipt[Game]) -> CommandResponse:
    """Return what a dry run would record.

    Unlike a recorded act, a dry run leaves no trace in the history. So it is noted as a look where it would change the table.
    """
    game, eyes = receipt.after, viewpoint_of(request.user, receipt.after)
    if any(effects_of(recorded.event) for recorded in receipt.events):
        record_access(request, game, eyes, OpennessContext(game.boards), receipt.events[0].position, game.position)
    return command_response(receipt, eyes, dry_run=True)


def build_opening_response(request: Request, receipt: Receipt[Game]) -> Response:
    """Return 201 for an opened game."""
    return _build_created_response(
        command_response(receipt, viewpoint_of(request.user, receipt.after)), receipt, f"/v1/games/{receipt.after.id}"
    )


def _build_created_response(body: CommandResponse, receipt: Receipt[Game], location: str) -> Response:
    return Response(encode(body), status=201, headers=build_commit_headers(location, receipt.after.position, repeated=receipt.repeated))


def build_receipt_response(receipt: Receipt[Any], body: object, url: str, *, dry: bool) -> Response:
    """Return 201 with the address of what was made, or of its history since, and the position for the next ``If-Match``; 200 for a dry
    run.
    """
    if dry:
        return no_store_response(body, headers=replay_header(repeated=receipt.repeated))
    where = url if receipt.before is None else f"{url}/history?after={receipt.before.position}"
    return Response(encode(body), status=201, headers=build_commit_headers(where, receipt.after.position, repeated=receipt.repeated))


def build_commit_headers(location: str, position: int, *, repeated: bool) -> list[tuple[str, str]]:
    """Return the location, the position for the next ``If-Match``, and whether this is a repeated response under the same key."""
    return [("location", location), ("etag", f'"{position}"'), ("cache-control", "no-store"), *replay_header(repeated=repeated)]
