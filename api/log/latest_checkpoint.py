"""Access to the log, and the newest signed tree head, also for an event that has just been recorded."""

import asyncio
from functools import cache, partial
from typing import NamedTuple, NoReturn
from uuid import UUID

from api.common.live.change_feed import SharedReads
from api.http.errors import AuthenticationError, NoLog, NotSigned, say
from api.http.guards import authenticate, count_by_address, repeat_authentication
from api.http.limits import more_time
from api.http.request import Request, part_of, services_of
from api.services import StoreLog
from replay.proof.tiles import build_tree_reader, list_tiles_of_leaf
from replay.proof.tree import Subtrees

_LOOK = 0.2  # seconds between two looks at the newest checkpoint
_LOOK_AGAIN = 2.0  # seconds of waiting after which the token is checked again


class Signed(NamedTuple):
    """The newest checkpoint of an epoch of the log, of a tree of ``size``."""

    note: str
    size: int
    epoch: int


async def of_the_log(request: Request) -> None:
    """Admit everybody, counted by address; where the log is closed, only callers with a token.

    Raises ``NoLog``, ``AuthenticationError`` and ``RateLimitedError``.
    """
    if log_of(request).open:
        await count_by_address(request)
    elif (await authenticate(request)).is_anonymous:
        raise AuthenticationError(say("token_missing"), invalid=False)


def log_of(request: Request) -> StoreLog:
    """Return the log. Raises ``NoLog``."""
    log = services_of(request).log
    if log is None:
        raise NoLog
    return log


async def latest(request: Request) -> Signed:
    """Return the newest checkpoint. Raises ``NoLog``, and ``NotSigned`` where nothing is signed yet."""
    log = log_of(request)
    return await _read_head(log) or await _not_signed(log)


async def latest_with(request: Request, stream: UUID, position: int, seconds: float) -> Signed:
    """Return the newest checkpoint that has this event; wait for it up to ``seconds``.

    Raises ``NotSigned`` on timeout, and what ``repeat_authentication`` raises.
    """
    log, loop = log_of(request), asyncio.get_running_loop()
    begun = shown = loop.time()
    more_time(request, seconds)
    signed = await _read_head(log)
    while signed is None or not await asyncio.to_thread(_covers, log, signed, stream, position):
        if loop.time() + _LOOK > begun + seconds:
            await _not_signed(log)
        await asyncio.sleep(_LOOK)
        if loop.time() - shown > _LOOK_AGAIN:
            shown = loop.time()
            await repeat_authentication(request)
        turn = int(loop.time() / _LOOK)
        signed = await part_of(request.app, SharedReads).streams.once(("log", turn), partial(_read_head, log))  # one read for all
    return signed


def _covers(log: StoreLog, signed: Signed, stream: UUID, position: int) -> bool:
    leaf = log.tree.leaf_of(stream, position)
    return leaf is not None and leaf.leaf < signed.size


async def _read_head(log: StoreLog) -> Signed | None:
    head = await asyncio.to_thread(log.tree.head)
    return None if head is None or head.note is None else Signed(head.note, head.signed, head.epoch)


async def _not_signed(log: StoreLog) -> NoReturn:
    raise NotSigned(await asyncio.to_thread(log.failure))


def open_tree_reader(log: StoreLog, *leaves: int, size: int) -> Subtrees:
    """Return the subtrees for one response: the tiles around these leaves are read together, and every other one once."""
    tiles = log.tree.tiles(set().union(*(list_tiles_of_leaf(leaf, size) for leaf in leaves)))
    read = cache(log.tree.tile)
    return build_tree_reader(lambda level, index: tiles.get((level, index)) or read(level, index))
