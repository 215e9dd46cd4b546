"""Signed checkpoints of the log, the keys to verify them, and consistency proofs between two trees."""

import asyncio

from api.http.decoding import read_query
from api.http.errors import BadRequest, FuturePositionError, say
from api.http.media_types import JSON
from api.http.operations import Content, Operation, reads
from api.http.request import Request
from api.http.response import Response, build_etag_response, content_hash, encode
from api.log.latest_checkpoint import latest, log_of, of_the_log, open_tree_reader
from api.log.responses import Consistency, ConsistencyQuery
from api.services import StoreLog
from replay.proof.exact import to_base64
from replay.proof.tree import consistency_path

TEXT = "text/plain"
_TYPE = f"{TEXT}; charset=utf-8"


@reads(
    "/v1/log/checkpoint",
    Operation(
        id="read_checkpoint",
        summary="Read the newest signed checkpoint",
        description=(
            "A checkpoint is a signed note after c2sp.org/tlog-checkpoint: the number of entries of the log, and the root over them."
        ),
        responses={200: Content("a note", {TEXT: {"type": "string"}}, headers=("ETag",))},
        refuses=(401, 404, 429, 503),
        role="anybody",
    ),
    admit=of_the_log,
)
async def read_checkpoint(request: Request) -> Response:
    signed = await latest(request)
    note = signed.note.encode()  # it changes when witnesses add their signatures
    return build_etag_response(request, f"{signed.epoch}.{signed.size}.{content_hash(note)}", lambda: note, media_type=_TYPE)


@reads(
    "/v1/log/keys",
    Operation(
        id="read_log_keys",
        summary="List the keys that verify checkpoints and receipts",
        description=(
            "The answer holds all verifier keys that ever signed, one a line, after c2sp.org/signed-note. Compare them with a "
            "copy from another source before you rely on them."
        ),
        responses={200: Content("keys", {TEXT: {"type": "string"}})},
        refuses=(401, 404, 429),
        role="anybody",
    ),
    admit=of_the_log,
)
async def read_keys(request: Request) -> Response:
    keys = await asyncio.to_thread(log_of(request).keys)
    return Response("".join(f"{key}\n" for key in keys).encode(), media_type=_TYPE, headers=(("cache-control", "no-cache"),))


@reads(
    "/v1/log/consistency",
    Operation(
        id="read_consistency",
        summary="Read a consistency proof between two sizes of the log",
        query=ConsistencyQuery,
        responses={200: Content("the path", Consistency)},
        refuses=(401, 404, 429, 503),
        role="anybody",
    ),
    admit=of_the_log,
)
async def read_consistency(request: Request) -> Response:
    query, signed = read_query(request, ConsistencyQuery), await latest(request)
    new = signed.size if query.new is None else query.new
    if new > signed.size:
        raise FuturePositionError(new, signed.size, "new")
    if query.old > new:
        raise BadRequest("bad_parameter", say("tree_sizes"), "old")
    path = await asyncio.to_thread(_path, log_of(request), query.old, new)
    body = encode(Consistency(path=tuple(map(to_base64, path))))
    return Response(body, media_type=JSON, headers=(("cache-control", "no-cache"),))


def _path(log: StoreLog, old: int, new: int) -> tuple[bytes, ...]:
    return consistency_path(open_tree_reader(log, old - 1, size=new), old, new)
