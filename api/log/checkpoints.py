"""Signed checkpoints of the log, the keys to verify them, consistency proofs between two trees, and tiles (c2sp.org/tlog-tiles)."""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Annotated

from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from msgspec import Meta

from api.http.decoding import Incoming, Number, ResponseModel, read_query
from api.http.errors import BadRequest, FuturePositionError, say
from api.http.media_types import JSON
from api.http.operations import Content, reads
from api.http.request import Request, services_of
from api.http.response import Response, build_etag_response, content_hash, encode
from api.log.latest_checkpoint import Signed, latest, log_of, of_the_log, open_tree_reader
from api.services import Services, StoreLog
from domain.errors import DataIntegrityError
from domain.journal.commits import StoredEvent
from domain.journal.log import LogEpoch, blinding_at, own_entries
from replay.proof.checkpoints import to_base64
from replay.proof.log import Leaf, LogTree, mark_at
from replay.proof.tiles import HASH, WIDTH, Tile, bundle, bundle_at, tile_at
from replay.proof.tree import ZEROS, commitment_of, consistency_path, entry_of, leaf_hash


class Consistency(ResponseModel, frozen=True, kw_only=True):
    """A consistency proof: the older tree is the beginning of the newer one (RFC 9162, 2.1.4)."""

    path: Annotated[tuple[str, ...], Meta(description="hashes in base64")]


class ConsistencyQuery(Incoming, frozen=True, kw_only=True):
    old: Annotated[Number, Meta(description="the size of the older tree, as its checkpoint says")] = 1
    new: Annotated[Number | None, Meta(description="the size of the newer one; left out, of the newest checkpoint")] = None


TEXT = "text/plain"
_TYPE = f"{TEXT}; charset=utf-8"


@reads(
    "/v1/log/checkpoint",
    "read_checkpoint",
    "Read the newest signed checkpoint",
    description=("A checkpoint is a signed note after c2sp.org/tlog-checkpoint: the number of entries of the log, and the root over them."),
    responses={200: Content("a note", {TEXT: {"type": "string"}}, headers=("ETag",))},
    refuses=(401, 404, 429, 503),
    role="anybody",
    admit=of_the_log,
)
async def read_checkpoint(request: Request) -> Response:
    signed = await latest(request)
    note = signed.note.encode()  # it changes when witnesses add their signatures
    return build_etag_response(request, f"{signed.epoch}.{signed.size}.{content_hash(note)}", lambda: note, media_type=_TYPE)


@reads(
    "/v1/log/keys",
    "read_log_keys",
    "List the keys that verify checkpoints and receipts",
    description=(
        "The answer holds all verifier keys that ever signed, one a line, after c2sp.org/signed-note. Compare them with a "
        "copy from another source before you rely on them."
    ),
    responses={200: Content("keys", {TEXT: {"type": "string"}})},
    refuses=(401, 404, 429),
    role="anybody",
    admit=of_the_log,
)
async def read_keys(request: Request) -> Response:
    keys = await asyncio.to_thread(log_of(request).keys)
    return Response("".join(f"{key}\n" for key in keys).encode(), media_type=_TYPE, headers=(("cache-control", "no-cache"),))


@reads(
    "/v1/log/consistency",
    "read_consistency",
    "Read a consistency proof between two sizes of the log",
    query=ConsistencyQuery,
    responses={200: Content("the path", Consistency)},
    refuses=(401, 404, 429, 503),
    role="anybody",
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


# Tiles of the tree of the log, and bundles of the entries of its leaves, in the form of c2sp.org/tlog-tiles.


BYTES = "application/octet-stream"
_BINARY = {BYTES: {"type": "string", "format": "binary"}}
_KEPT = 3600
"""Seconds for which a full tile may be cached. It never changes; but after a fork the same address has a tile of the next log."""


@reads(
    "/v1/log/tile/{level:str}/{place:path}",
    "read_tile",
    "Read a tile: 256 hashes of one level of the tree",
    description="A partial tile is `<N>.p/<W>`. Tiles cover only the newest checkpoint.",
    responses={200: Content("hashes of 32 bytes", _BINARY, headers=("ETag",))},
    refuses=(401, 429, 503),
    role="anybody",
    admit=of_the_log,
)
async def read_tile(request: Request, level: FromPath[str], place: FromPath[str]) -> Response:
    tile, signed = _tile(tile_at(f"{level}{place}"), await latest(request))
    hashes = await asyncio.to_thread(_hashes, log_of(request), tile)
    return _response(request, signed, tile, hashes)


@reads(
    "/v1/log/tile/entries/{place:path}",
    "read_entries",
    "Read a bundle of 256 log entries",
    description=(
        "Each entry has 89 bytes: the stream of the event, and commitments. Its length stands before it in two bytes. An "
        "entry shows no more than `/v1/feed`."
    ),
    responses={200: Content("a bundle", _BINARY, headers=("ETag",))},
    refuses=(503,),
    within="house",
)
async def read_entries(request: Request, place: FromPath[str]) -> Response:
    tile, signed = _tile(bundle_at(place.removeprefix("/")), await latest(request))
    entries = await asyncio.to_thread(_bundle, services_of(request), log_of(request), signed, tile)
    return _response(request, signed, tile, entries)


def _tile(tile: Tile | None, signed: Signed) -> tuple[Tile, Signed]:
    """Return the tile. Raises ``NotFoundException`` for one that the checkpoint does not cover."""
    if tile is None or not tile.is_within(signed.size):
        raise NotFoundException
    return tile, signed


def _hashes(log: StoreLog, tile: Tile) -> bytes:
    return log.tree.tile(tile.level, tile.index)[: tile.width * HASH]


def _bundle(services: Services, log: StoreLog, signed: Signed, tile: Tile) -> bytes:
    [epoch] = [one for one in log.register.log_epochs() if one.number == signed.epoch]
    return bundle(_entries(services, log.tree, epoch, tile.index * WIDTH, tile.width))


def _response(request: Request, signed: Signed, tile: Tile, body: bytes) -> Response:
    """Return the tile with cache headers. Without a token shared caches may keep it, too."""
    whose = "public" if request.scope.get("user") is None else "private"
    cache = f"{whose}, max-age={_KEPT}, immutable" if tile.width == WIDTH else "no-cache"
    return build_etag_response(request, f"{signed.epoch}.{tile.path}", lambda: body, media_type=BYTES, cache=cache)


def _entries(services: Services, tree: LogTree, epoch: LogEpoch, first: int, count: int) -> Iterator[bytes]:
    """Yield ``count`` entries from this leaf on. Raises ``DataIntegrityError`` where an event is not the one that was entered."""
    leaves, blinding = tree.leaves(first, count), services.registers.blinding_keys(epoch.number)
    for leaf, event in zip(leaves, _events(services, epoch, leaves), strict=True):
        stream, position = leaf.stream, leaf.position
        before = tree.leaf_of(stream, position - 1)
        prev = mark_at(tree, before.leaf) if before else ZEROS
        commitment = commitment_of(blinding_at(blinding, leaf.leaf), stream, position, event.name, event.state)
        entry = entry_of(stream, position, prev, commitment)
        if leaf_hash(entry) != mark_at(tree, leaf.leaf):
            raise DataIntegrityError(stream, position, "it is not the event that was entered in the log")
        yield entry


def _events(services: Services, epoch: LogEpoch, leaves: Sequence[Leaf]) -> list[StoredEvent]:
    """Return the events of the leaves. Raises ``DataIntegrityError`` for one that is gone."""
    own = own_entries(services.registers, epoch)
    found = dict(services.journal.store.events_after(leaves[0].sequence - 1, len(leaves) + 1))
    events = [own.get(leaf.leaf) or found.get(leaf.sequence) for leaf in leaves]
    for leaf, event in zip(leaves, events, strict=True):
        if event is None:
            raise DataIntegrityError(leaf.stream, leaf.position, "it was entered in the log, and is gone")
    return [event for event in events if event is not None]
