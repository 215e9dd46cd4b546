"""Proof files of games: the record, or what a view was told, and the way from it to a signed checkpoint."""

import asyncio
from typing import NamedTuple
from uuid import UUID

from litestar.params import FromPath

from api.common.around import around_of
from api.common.looks import note_look
from api.common.reading import check_sees_all, eyes_on, past_of, viewer_for
from api.http.errors import Ahead, Forbidden, NotSigned, say
from api.http.operations import Content, Operation, reads
from api.http.query import read_query
from api.http.request import Request, services_of
from api.http.response import Response
from api.log.earlier import earlier_of, goes_on
from api.log.kept import Signed, log_of, newest_with, subtrees_of
from api.log.requests import ProofQuery
from api.services import KeptLog, Services
from domain.errors import Corrupt
from domain.game import Game
from domain.journal.log.own import blinding_at
from domain.openness.around import Around
from domain.sight import ARBITERS_EYES, Eyes
from replay.past import GamePast
from replay.proof.checkpoints import read_checkpoint
from replay.proof.files import FULL, ProofFile
from replay.proof.log import mark_at
from replay.proof.making import Blinding, Place, record_of, view_of
from replay.proof.tree import inclusion_path, verify_inclusion


@reads(
    "/v1/games/{game:uuid}/proof",
    Operation(
        id="read_proof",
        tag="Log",
        summary="A file that proves what was recorded, or what a view was told",
        description=(
            "For `kiebitz verify` and `/docs/verifier`; docs/proof.md tells what it shows. A view is told in it what its history tells, as "
            "if nothing had opened, and the service signs that. With `wait` the answer comes as soon as its last event is in a checkpoint."
        ),
        query=ProofQuery,
        responses={200: Content("the file", ProofFile)},
        refuses=(404, 503),
    ),
)
async def read_proof(request: Request, game: FromPath[UUID]) -> Response:
    query, log = read_query(request, ProofQuery), log_of(request)
    now = await services_of(request).journal.current(game)
    around = await around_of(request, now)
    asked = await asyncio.to_thread(_asked, request, now, around, query)
    note_look(request, now, asked.eyes, around, 1, asked.last)
    signed = await newest_with(request, now.id, asked.last, query.wait)
    work = _Work(services_of(request), log, past_of(request, now.id), asked, around)
    return Response((await asyncio.to_thread(_made, work, signed)).as_bytes(), headers=_HEADERS)


_HEADERS = (("cache-control", "no-store"), ("vary", "authorization"))


class _Asked(NamedTuple):
    """``last``: the position up to which it goes."""

    now: Game
    eyes: Eyes
    view: str
    last: int


class _Work(NamedTuple):
    services: Services
    log: KeptLog
    past: GamePast
    asked: _Asked
    around: Around


def _asked(request: Request, now: Game, around: Around, query: ProofQuery) -> _Asked:
    """Raises ``Forbidden`` for what may not be told to this caller now, ``Unknown`` and ``Ahead``."""
    if (query.to or 0) > now.position:
        raise Ahead(query.to or 0, now.position, "to")
    view = query.view or (FULL if request.user.sees_all else eyes_on(request, now).view)
    if view == FULL:
        check_sees_all(request)
        return _Asked(now, ARBITERS_EYES, FULL, query.to or now.position)
    eyes = viewer_for(request, now, view, is_open=now.is_open_through(query.to or now.position, around))
    told = _told(now, eyes, around)
    if told == 0 or (query.to or 0) > told:
        raise Forbidden(say("proof_untold", position=told + 1))
    return _Asked(now, eyes, view, query.to or told)


def _told(now: Game, eyes: Eyes, around: Around) -> int:
    """Up to which position the history tells these eyes all that the view is told in a proof: not of a board that is played elsewhere, nor
    of a game that is not live, nor what a seat sees after its player has left it."""
    viewers = ((position, now.viewer(eyes, position, around)) for position in range(1, now.position + 1))
    kept_back = (position for position, one in viewers if one.who != eyes.who or one.dark or one.covered)
    return next(kept_back, now.position + 1) - 1


def _made(work: _Work, signed: Signed) -> ProofFile:
    """Raises ``Corrupt`` where an event is not the one that was entered, ``NotSigned`` while the log is made anew."""
    log, asked = work.log, work.asked
    leaf, root = log.tree.leaf_of(asked.now.id, asked.last), read_checkpoint(signed.note)
    if leaf is None or leaf.leaf >= signed.size:
        raise NotSigned(log.failure())
    path = inclusion_path(subtrees_of(log, leaf.leaf, size=signed.size), leaf.leaf, signed.size)
    earlier = earlier_of(log, signed, leaf.leaf)
    file = _file(work, Place(signed.note, leaf.leaf, path, earlier), _blinding(work, signed.epoch))
    mark = file.mark()
    if mark != mark_at(log.tree, leaf.leaf):
        raise Corrupt(asked.now.id, asked.last, "these are not the events that were entered in the log")
    if not verify_inclusion(mark, leaf.leaf, signed.size, path, root.root):
        raise NotSigned(log.failure())
    if earlier and not goes_on(earlier, root):
        raise Corrupt(asked.now.id, asked.last, "a checkpoint that was kept is not of the tree that lies here")
    return file if asked.view == FULL else file.receipted(root.origin, log.signer(root.origin), work.services.new_salt())


def _file(work: _Work, place: Place, blinding: Blinding) -> ProofFile:
    asked, now = work.asked, work.asked.now
    try:
        if asked.view == FULL:
            return record_of(work.services.journal.history(now.id, 0, asked.last), blinding, place)
        steps = work.past.steps(0, asked.last)
        return view_of(steps, asked.view, asked.eyes.who, lambda position: now.is_open(position, work.around), blinding, place)
    except UnicodeDecodeError as error:
        raise Corrupt(now.id, asked.last, "bytes that are no UTF-8 were stored") from error


def _blinding(work: _Work, epoch: int) -> Blinding:
    """By position; where another key blinds from a leaf on, each event is looked up."""
    keys, tree, game = work.services.registers.blinding_keys(epoch), work.log.tree, work.asked.now.id
    if len(keys) == 1:
        return lambda position: keys[0].key

    def blinding(position: int) -> bytes:
        leaf = tree.leaf_of(game, position)
        if leaf is None:
            raise Corrupt(game, position, "it was never entered in the log")
        return blinding_at(keys, leaf.leaf)

    return blinding
