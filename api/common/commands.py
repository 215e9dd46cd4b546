"""From a request to a command of the journal: its principal, the expected position, and idempotency by the Idempotency-Key header."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from hashlib import sha256
from itertools import islice
from typing import Annotated, TypeAlias, TypeVar
from uuid import UUID

from msgspec import UNSET, Meta, UnsetType, to_builtins
from msgspec.structs import replace

from api.common.event_views import CommandResponse, command_response, event_views
from api.common.looks import note_look
from api.common.reading import past_of
from api.http.decoding import canonical_json, time_at_the_table
from api.http.errors import BadRequest, Overtaken, say
from api.http.etag import expected_position
from api.http.paging import Counts
from api.http.request import Request, body_of, sent, services_of
from api.http.response import Response, encode, unstored
from api.services import Services
from domain.admission import eyes_of, viewer_in_play
from domain.aggregate import A, AggregateType
from domain.dealing import Secrets, after_events, reveal
from domain.errors import Reused, Stale
from domain.events import Event, effects_of
from domain.events.game import MovePlayed
from domain.folding import GAME, project
from domain.game import Game
from domain.journal.application import Decide, DecideGame
from domain.journal.commits import Beside, Board, Call, CommandKey, Note, Receipt
from domain.journal.registers import Duplicate, stamp
from domain.openness import Around
from domain.sight import masked

# Repeated requests under one Idempotency-Key: how a repetition is recognised, and the response to it.


_LONGEST_KEY = 200  # characters; keys are kept for a month
_PLAIN = re.compile(r"/v1/[A-Za-z0-9/-]*")
_LONG = 64 * 1024  # bytes: parsing and hashing them takes a millisecond


def idempotency_key(request: Request) -> str | None:
    """Return the Idempotency-Key, ``None`` without one. Raises ``BadRequest``."""
    key = sent(request, b"idempotency-key")
    if key is not None and not (1 <= len(key) <= _LONGEST_KEY and key.isascii() and key.isprintable()):
        raise BadRequest("bad_header", say("bad_key", longest=_LONGEST_KEY), "Idempotency-Key")
    return key


def replayed_header(*, repeated: bool) -> list[tuple[str, str]]:
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

Do: TypeAlias = Callable[[CommandKey | None], Awaitable[Response]]
"""Does the work, stores the key in the transaction of its change, and answers."""
Tell: TypeAlias = Callable[[str], Awaitable[Response]]
"""Answers with the current state of the thing that was made, by its id, without its secret."""


async def once(request: Request, do: Do, tell: Tell, *, compared: bytes | None = None) -> Response:
    """Run a change that is no event once under the request's key; a repetition is answered with the current state.

    ``compared``: the body without the parts that may not be kept, not even as a digest. Raises ``BadRequest``, and ``Reused`` where the key
    belongs to another request.
    """
    key = idempotency_key(request)
    if key is None:
        return await do(None)
    fingerprint, _ = await fingerprints_of(request) if compared is None else fingerprints(request, compared)
    command = CommandKey(request.user.id, key, fingerprint)
    if (made := await _made_under(request, command)) is None:
        try:
            return await do(command)
        except Duplicate:  # the same request came twice at once
            if (made := await _made_under(request, command)) is None:
                raise
    answer = await tell(made)
    answer.headers.append((b"idempotent-replayed", b"true"))
    return answer


async def erased_once(request: Request, erase: Callable[[CommandKey | None], bool], told: Callable[[bool], object]) -> Response:
    """Erase in a thread, once under the request's key. A repetition erases what an interrupted erasure has left.

    ``told``: the response, by whether there was anything to erase.
    """

    async def do(command: CommandKey | None) -> Response:
        return unstored(told(await asyncio.to_thread(erase, command)))

    async def tell(_: str) -> Response:
        await asyncio.to_thread(erase, None)
        return unstored(told(True))

    return await once(request, do, tell)


async def _made_under(request: Request, command: CommandKey) -> str | None:
    """Return the id of what was made under the key; ``None`` where the key is new. Raises ``Reused``."""
    found = await asyncio.to_thread(services_of(request).registers.find_command, command.principal, command.key)
    if found is not None and (found.first or found.fingerprint != command.fingerprint):
        raise Reused(command.key)
    return None if found is None else found.made


# Secrets of fair decks and lots. A decision runs without I/O. If it needs a secret it raises ``_Due``; the secret is fetched from the
# register, and the decision is run again.


T = TypeVar("T")
_FETCHED = "secrets"


class _Due(Exception):
    """The secret of this commitment is needed."""

    def __init__(self, commitment: str) -> None:
        super().__init__(commitment)
        self.commitment = commitment


def new_secret(services: Services) -> bytes:
    """Return 32 random bytes."""
    return services.new_salt() + services.new_salt()


async def keep_secret(request: Request, commitment: str, secret: bytes) -> None:
    """Store a secret in the register. It has to be there before an event binds the service to it."""
    services = services_of(request)
    await asyncio.to_thread(services.registers.keep_secret, commitment, secret, stamp(services.clock()))


def secrets_for(request: Request) -> Secrets:
    """Return the look-up of secrets that were fetched for this request; to be used within ``with_secrets``."""
    fetched = _fetched(request)

    def find(commitment: str) -> bytes | None:
        if commitment not in fetched:
            raise _Due(commitment)
        return fetched[commitment]

    return find


async def with_secrets(request: Request, attempt: Callable[[], Awaitable[T]]) -> T:
    """Run the attempt; fetch each secret that it turns out to need, and run it again."""
    while True:
        try:
            return await attempt()
        except _Due as due:
            found = await asyncio.to_thread(services_of(request).registers.find_secret, due.commitment)
            _fetched(request)[due.commitment] = found


def telling_beside(request: Request, beside: Beside[A]) -> Beside[A]:
    """Add the due reveals to the events of a linked stream."""
    return replace(beside, decide=lambda now, game: with_reveals(request, game, beside.decide(now, game)))


def with_reveals(request: Request, game: Game, events: Sequence[Event]) -> Sequence[Event]:
    """In a game with fair decks, append the secrets that are due after these events. To be used within ``with_secrets``."""
    if game.opened.shuffle is UNSET or not events:
        return events
    return (*events, *reveal(after_events(game, events), secrets_for(request)))


def _fetched(request: Request) -> dict[str, bytes | None]:
    fetched: dict[str, bytes | None] = request.scope["state"].setdefault(_FETCHED, {})
    return fetched


_MISSED = 100  # most events that a 412 shows; the history has the rest


async def call_of(request: Request, happened_at: datetime | None = None) -> Call:
    """Return the call of a request: principal, expected position, key, fingerprint, time.

    Raises ``BadRequest`` for an ``If-Match`` or a key of the wrong form, and ``Malformed`` for an impossible time.
    """
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
    note: Note | None = None,
    beside: Beside[A] | None = None,
    board: Board | None = None,
    dry_run: bool = False,
) -> Receipt[A]:
    """Decide and record, or only decide. Raises ``Overtaken`` where ``If-Match`` did not hold."""
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
    """Decide and record in a game, or only decide. ``board``: the one that is dealt, as it was read."""

    def deciding(now: Game) -> Sequence[Event]:
        request.scope["state"]["ruleset"] = now.opened.setup.ruleset  # the refusal is worded in the terms of this ruleset
        events = decide(now)
        return events if dry_run else with_reveals(request, now, events)  # a dry run must not reveal a secret

    receipt = await commit_to(request, GAME, game, deciding, _missed, happened_at=happened_at, note=note, board=board, dry_run=dry_run)
    if not (dry_run or receipt.repeated):  # a repeated command recorded no new moves
        count_moves(request, [type(one.event) for one in receipt.events].count(MovePlayed))
    return receipt


def count_moves(request: Request, moves: int) -> None:
    """Count moves for the metrics."""
    counts: Counts = request.scope["litestar_app"].state["counts"]
    counts.moves += moves


async def _missed(request: Request, stale: Stale) -> bytes:
    game = await services_of(request).journal.current(stale.stream)
    eyes, around = eyes_of(request.user, game), Around(game.boards)
    note_look(request, game, eyes, around, stale.expected + 1, stale.expected + _MISSED)
    views = event_views(game, past_of(request, stale.stream), eyes, around, stale.expected)
    return await asyncio.to_thread(lambda: encode(list(islice(views, _MISSED))))


def recorded_response(request: Request, receipt: Receipt[Game], *, dry_run: bool = False) -> Response:
    """Return 201 with what was recorded, its location, and the position for the next ``If-Match``; 200 for a dry run."""
    if dry_run:
        return unstored(tried_view(request, receipt), headers=replayed_header(repeated=receipt.repeated))
    body, id = command_response(receipt, eyes_of(request.user, receipt.after)), to_builtins(receipt.after.id)  # quicker than ``str``
    return _created(body, receipt, f"/v1/games/{id}/history?after={receipt.events[0].position - 1}")


def tried_in_sight(request: Request, receipt: Receipt[Game]) -> Receipt[Game]:
    """Return the receipt of a dry run as decided on the cards that the caller can see, if the caller does not see all."""
    if request.user.sees_all:
        return receipt
    before = receipt.before
    assert before is not None
    before = replace(before, table=masked(before.table, viewer_in_play(request.user, before)))
    after = project(before, receipt.events)
    assert after is not None
    return replace(receipt, before=before, after=after)


def tried_view(request: Request, receipt: Receipt[Game]) -> CommandResponse:
    """Return what a dry run would record.

    Unlike a recorded act, a dry run leaves no trace in the history. So it is noted as a look where it would change the table.
    """
    game, eyes = receipt.after, eyes_of(request.user, receipt.after)
    if any(effects_of(recorded.event) for recorded in receipt.events):
        note_look(request, game, eyes, Around(game.boards), receipt.events[0].position, game.position)
    return command_response(receipt, eyes, dry_run=True)


def opened_response(request: Request, receipt: Receipt[Game]) -> Response:
    """Return 201 for an opened game."""
    return _created(command_response(receipt, eyes_of(request.user, receipt.after)), receipt, f"/v1/games/{receipt.after.id}")


def _created(body: CommandResponse, receipt: Receipt[Game], location: str) -> Response:
    return Response(encode(body), status=201, headers=recorded_headers(location, receipt.after.position, repeated=receipt.repeated))


def recorded_headers(location: str, position: int, *, repeated: bool) -> list[tuple[str, str]]:
    """Return the location, the position for the next ``If-Match``, and whether this is a repeated response under the same key."""
    return [("location", location), ("etag", f'"{position}"'), ("cache-control", "no-store"), *replayed_header(repeated=repeated)]
