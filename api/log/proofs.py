"""Proof files of games: the record, or what a view was told, and the way from it to a signed checkpoint; and since when a record stood."""

import asyncio
from typing import Annotated, NamedTuple, TypeAlias
from uuid import UUID

from litestar.params import FromPath
from msgspec import Meta

from api.common.access_audit import record_access
from api.common.long_reads import long_read
from api.common.reading import check_full_view, game_then, load_openness_context, past_of, viewer_for
from api.http.decoding import Incoming, Number, read_query
from api.http.errors import FuturePositionError, NotSigned, say
from api.http.operations import HEAVY, Content, reads
from api.http.request import Request, services_of
from api.http.response import Response
from api.log.latest_checkpoint import Signed, latest_with, log_of, open_tree_reader
from api.services import Services, StoreLog
from domain.errors import DataIntegrityError, Forbidden
from domain.game import Game
from domain.journal.log import blinding_at
from domain.moves import viewpoint_of
from domain.opening import OpennessContext
from domain.sight import ARBITERS_EYES, Viewpoint, Who
from replay.proof.checkpoints import Checkpoint, Signer, have_common_signer, read_checkpoint
from replay.proof.log import mark_at
from replay.proof.making import FULL, Place, ProofFile, View, receipt_key_name, record_of, view_of
from replay.proof.tree import consistency_path, inclusion_path, verify_consistency, verify_inclusion


class ProofQuery(Incoming, frozen=True, kw_only=True):
    view: Annotated[
        View | None,
        Meta(
            description=(
                "`full`: the record, for callers who see everything; `seat:0`, … or `public`: the history of that view; by "
                "default the most that the token may see"
            )
        ),
    ] = None
    position: Annotated[Number | None, Meta(description="up to this position; by default as far as this view saw the game")] = None
    wait: Annotated[int, Meta(ge=0, le=30, description="seconds to wait while its last event is in no checkpoint")] = 0


Earlier: TypeAlias = tuple[str, tuple[bytes, ...]]
"""The note of an earlier checkpoint, and the consistency path from it."""


@reads(
    "/v1/games/{game:uuid}/proof",
    "read_proof",
    "Read a proof file: what was recorded, or what a view showed",
    weight=HEAVY,
    tag="Log",
    description=(
        "`kiebitz verify` and `/docs/verifier` read this file; docs/proof.md explains what it proves. The proof of a view "
        "contains what the history showed to that view while nothing had opened; the service signs it. With `wait` the "
        "answer comes as soon as the last event is in a checkpoint."
    ),
    query=ProofQuery,
    responses={200: Content("the file", ProofFile)},
    refuses=(503,),
)
async def read_proof(request: Request, game: FromPath[UUID]) -> Response:
    query, log = read_query(request, ProofQuery), log_of(request)
    now = await services_of(request).journal.current(game)
    around = await load_openness_context(request, now)
    asked = await asyncio.to_thread(_check_query, request, now, around, query)
    record_access(request, now, asked.eyes, around, 1, asked.last)
    signed = await latest_with(request, now.id, asked.last, query.wait)
    job = await asyncio.to_thread(_job, services_of(request), log, asked, around, signed)
    return Response(await _make_proof(request, asked.last, job), headers=_HEADERS)


_HEADERS = (("cache-control", "no-store"), ("vary", "authorization"))


class _Asked(NamedTuple):
    """``last``: the position up to which it goes."""

    now: Game
    eyes: Viewpoint
    view: str
    last: int


class _Job(NamedTuple):
    """All that a file is made of besides events. ``position``: where the game stood; ``mark``: of the last event, as it was entered in the
    log; ``keys``: one that blinds every event, or one for each; ``receipt``: for what a view is told the origin of the log,
    the secret of the key that signs it, and 16 bytes of chance.
    """

    id: UUID
    position: int
    around: OpennessContext
    view: str
    who: Who
    last: int
    place: Place
    mark: bytes
    keys: tuple[bytes, ...]
    receipt: tuple[str, bytes, bytes] | None


def _check_query(request: Request, now: Game, around: OpennessContext, query: ProofQuery) -> _Asked:
    """Raises ``Forbidden`` for what may not be told to this caller now, ``Unknown`` and ``FuturePositionError``."""
    if (query.position or 0) > now.position:
        raise FuturePositionError(query.position or 0, now.position, "position")
    view = query.view or (FULL if request.user.has_full_view else viewpoint_of(request.user, now).view)
    if view == FULL:
        check_full_view(request)
        return _Asked(now, ARBITERS_EYES, FULL, query.position or now.position)
    eyes = viewer_for(request, now, view, is_open=now.is_open_through(query.position or now.position, around))
    told = _last_open_position(now, eyes, around)
    if told == 0 or (query.position or 0) > told:
        raise Forbidden(say("proof_untold", position=told + 1))
    return _Asked(now, eyes, view, query.position or told)


def _last_open_position(now: Game, eyes: Viewpoint, around: OpennessContext) -> int:
    """Up to which position the history tells these eyes all that the view is told in a proof: not of a board that is played elsewhere, nor
    of a game that is not live, nor what a seat sees after its player has left it."""
    # What is kept back changes only where another deal begins and where the eyes see less: the other positions need not be asked.
    changes = sorted({1, *(stretch.first for stretch in now.stretches), (eyes.until or 0) + 1})
    viewers = ((position, now.viewer(eyes, position, around)) for position in changes if position <= now.position)
    kept_back = (position for position, one in viewers if one.who != eyes.who or one.dark or one.covered)
    return next(kept_back, now.position + 1) - 1


def _job(services: Services, log: StoreLog, asked: _Asked, around: OpennessContext, signed: Signed) -> _Job:
    """Raises ``NotSigned`` while the log is made anew, and ``DataIntegrityError``."""
    now, last, root = asked.now, asked.last, read_checkpoint(signed.note)
    leaf = log.tree.leaf_of(now.id, last)
    if leaf is None or leaf.leaf >= signed.size:
        raise NotSigned(log.failure())
    path = inclusion_path(open_tree_reader(log, leaf.leaf, size=signed.size), leaf.leaf, signed.size)
    earlier, mark = _find_previous(log, signed, leaf.leaf), mark_at(log.tree, leaf.leaf)
    if not verify_inclusion(mark, leaf.leaf, signed.size, path, root.root):
        raise NotSigned(log.failure())
    if earlier and not _continues(earlier, root):
        raise DataIntegrityError(now.id, last, "a checkpoint that was kept is not of the tree that lies here")
    place, keys = Place(signed.note, leaf.leaf, path, earlier), _keys(services, log, asked, signed.epoch)
    receipt = None if asked.view == FULL else (root.origin, log.told(), services.new_salt())
    return _Job(now.id, now.position, around, asked.view, asked.eyes.who, last, place, mark, keys, receipt)


def _keys(services: Services, log: StoreLog, asked: _Asked, epoch: int) -> tuple[bytes, ...]:
    """Return the key that blinds all events, or one key for each where another key blinds from a leaf on."""
    keys, game = services.registers.blinding_keys(epoch), asked.now.id
    if len(keys) == 1:
        return (keys[0].key,)
    leaves = [log.tree.leaf_of(game, position) for position in range(1, asked.last + 1)]
    if None in leaves:
        raise DataIntegrityError(game, leaves.index(None) + 1, "it was never entered in the log")
    return tuple(blinding_at(keys, leaf.leaf) for leaf in leaves if leaf is not None)


@long_read("proofs")
def _make_proof(request: Request, job: _Job) -> bytes:
    """Raises ``DataIntegrityError`` where an event is not the one that was entered."""
    file = _file(request, job)
    if file.mark() != job.mark:
        raise DataIntegrityError(job.id, job.last, "these are not the events that were entered in the log")
    if job.receipt:
        origin, secret, chance = job.receipt
        file = file.add_receipt(origin, Signer(receipt_key_name(origin), secret), chance)
    return file.as_bytes()


def _file(request: Request, job: _Job) -> ProofFile:
    def blinding(position: int) -> bytes:
        return job.keys[0] if len(job.keys) == 1 else job.keys[position - 1]

    try:
        if job.view == FULL:
            return record_of(services_of(request).journal.history(job.id, 0, job.last), blinding, job.place)
        now, steps = game_then(request, job.id, job.position), past_of(request, job.id).steps(0, job.last)
        return view_of(steps, job.view, job.who, lambda position: now.is_open(position, job.around), blinding, job.place)
    except UnicodeDecodeError as error:
        raise DataIntegrityError(job.id, job.last, "bytes that are no UTF-8 were stored") from error


def _find_previous(log: StoreLog, signed: Signed, leaf: int) -> Earlier | None:
    """Of what was kept before the newest. None where another key signed since: who has only that one could not verify the file."""
    note = log.kept.first_with_leaf(signed.epoch, leaf, signed.size)
    if note is None or not have_common_signer(note, signed.note):
        return None
    size = read_checkpoint(note).size
    return note, consistency_path(open_tree_reader(log, size - 1, size=signed.size), size, signed.size)


def _continues(earlier: Earlier, newest: Checkpoint) -> bool:
    then = read_checkpoint(earlier[0])
    return verify_consistency(then.size, newest.size, earlier[1], then.root, newest.root)
