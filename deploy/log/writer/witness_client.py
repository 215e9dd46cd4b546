"""Client for witnesses: a background thread requests a cosignature from each one after every signature of the log."""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from hashlib import sha256
from threading import Thread
from typing import NamedTuple

import httpcore

from domain.errors import Unavailable
from domain.journal.log import LogEpoch
from replay.proof.checkpoints import VerificationError, keep_own_signatures, read_checkpoint, signers_of
from replay.proof.log import LogTree
from replay.proof.tiles import build_tree_reader
from replay.proof.tree import consistency_path, root_of
from replay.proof.witness_protocol import LARGEST, STATUS, Asked, Refused, SizeMismatchError, read_response
from replay.proof.witnesses import Cosignatures, NamedWitness, Standing, Trouble

# HTTP client for witnesses: follows no redirects and limits time and size of a response.


ANSWER = 5.0
"""Seconds for request and response together."""
_FAILURES = (TimeoutError, OSError, httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError, httpcore.UnsupportedProtocol)
_HEADERS = ((b"user-agent", b"Kiebitz-Log/1"), (b"accept-encoding", b"identity"))


class NoResponseError(Exception):
    """Raised when no response came in time, or none that could be understood."""


class HttpResponse(NamedTuple):
    status: int
    kind: str
    body: bytes


class HttpClient:
    """Client with a pool of connections, used from one event loop."""

    def __init__(self, answer: float = ANSWER) -> None:
        self._answer = answer
        self._pool = httpcore.AsyncConnectionPool(max_connections=None, keepalive_expiry=30)

    async def close(self) -> None:
        await self._pool.aclose()

    async def add_checkpoint(self, url: str, body: bytes) -> HttpResponse:
        """Send a checkpoint to a witness; return its response. Raises ``NoResponseError``."""
        return await self._request("POST", f"{url}/add-checkpoint", body)

    async def last_checkpoint(self, url: str, origin: str) -> HttpResponse:
        """Return the response with the checkpoint of this log that the witness signed last. Raises ``NoResponseError``."""
        return await self._request("GET", f"{url}/{sha256(origin.encode()).hexdigest()}/checkpoint", None)

    async def _request(self, method: str, url: str, body: bytes | None) -> HttpResponse:
        try:
            async with asyncio.timeout(self._answer), self._pool.stream(method, url, headers=_HEADERS, content=body) as response:
                read = b""
                async for part in response.aiter_stream():
                    read += part
                    if len(read) > LARGEST:
                        raise NoResponseError
                kind = next((value.decode("latin-1") for name, value in response.headers if name.lower() == b"content-type"), "")
                return HttpResponse(response.status, kind, read)
        except _FAILURES:
            raise NoResponseError from None


_LOG = logging.getLogger("kiebitz.log")
PAUSES = (1.0, 5.0, 30.0)
"""Seconds until a witness in trouble is asked again: after the first failure, the second, and every further one."""
_TOO_MANY = 429
DISAGREES = STATUS["not_an_extension"]
_ANSWERS = 3  # answers that name another size, until the next turn


async def request_cosignature(client: HttpClient, witness: NamedWitness, tree: LogTree, note: str, old: int) -> str:
    """Return the signature line of the witness for this checkpoint. ``old``: the size it signed last, as far as is known.

    Raises ``SizeMismatchError`` if it has signed a larger one, ``Refused`` and ``NoResponseError``.
    """
    size, subtrees = read_checkpoint(note).size, build_tree_reader(tree.tile)
    for _ in range(_ANSWERS):
        if old > size:
            raise SizeMismatchError(old)
        asked = Asked(old, consistency_path(subtrees, old, size) if old else (), note)
        answer = await client.add_checkpoint(witness.url, asked.body)
        try:
            return read_response(*answer, note, witness.verifier)
        except SizeMismatchError as ahead:
            if ahead.size == old:  # in an older edition of the standard this means that the roots differ
                raise Refused(DISAGREES) from None
            old = ahead.size
    raise NoResponseError


async def read_signed_size(client: HttpClient, witness: NamedWitness, tree: LogTree, origin: str, size: int) -> int | None:
    """Return the size that the witness signed last, if that is of this very log, which has ``size`` entries by now.

    Raises ``NoResponseError``.
    """
    note = (await client.last_checkpoint(witness.url, origin)).body.decode(errors="replace")
    try:
        checkpoint, signed = read_checkpoint(note), signers_of(note, [witness.verifier])
    except VerificationError:
        return None
    if not signed or checkpoint.origin != origin or checkpoint.size > size:
        return None
    return checkpoint.size if root_of(build_tree_reader(tree.tile), 0, checkpoint.size) == checkpoint.root else None


def standings_of(cosignatures: Cosignatures, witnesses: Sequence[NamedWitness]) -> list[Standing]:
    """Return a standing for each witness, also for one that was never asked. Raises ``Unavailable``."""
    if not witnesses:
        return []
    known = {one.key: one for one in cosignatures.standings()}
    return [known.get(one.key, Standing(one.key)) for one in witnesses]


class WitnessClient:
    """Asks the witnesses, independently of each other. ``clock``: POSIX time in seconds."""

    def __init__(
        self,
        tree: LogTree,
        cosignatures: Cosignatures,
        witnesses: Sequence[NamedWitness],
        new_client: Callable[[], HttpClient] = HttpClient,
        pauses: Sequence[float] = PAUSES,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._tree = tree
        self._cosignatures = cosignatures
        self._new_post = new_client
        self._pauses = pauses
        self._clock = clock
        self._epoch: LogEpoch | None = None
        self._standings = dict(zip(witnesses, standings_of(cosignatures, witnesses), strict=True))
        self._runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)  # must not become the loop of this thread
        self._loop = self._runner.get_loop()
        self._ended = asyncio.Event()
        self._news = {one: asyncio.Event() for one in witnesses}
        self._thread = Thread(target=lambda: self._runner.run(self._run_all()), name="witnesses", daemon=True)
        self._thread.start()

    def tell(self, epoch: LogEpoch) -> None:
        """Notify the client that a checkpoint was published. Returns at once."""
        self._epoch = epoch
        self._loop.call_soon_threadsafe(self._notify)

    def find_conflict(self, epoch: LogEpoch) -> Standing | None:
        """Return a witness that has signed another history of this log than the one here, or ``None``."""
        return next((one for one in self._standings.values() if one.stops and one.epoch == epoch.number), None)

    def close(self) -> None:
        """Stop; pending requests are cancelled."""
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join()
        self._runner.close()

    def _notify(self) -> None:
        for news in self._news.values():
            news.set()

    async def _run_all(self) -> None:
        client = self._new_post()
        following = [asyncio.create_task(self._run(one, client)) for one in self._news]
        await self._ended.wait()
        for one in following:
            one.cancel()
        await asyncio.gather(*following, return_exceptions=True)
        await client.close()

    async def _run(self, witness: NamedWitness, client: HttpClient) -> None:
        failed = 0
        while True:
            if failed:
                await asyncio.sleep(self._pauses[min(failed, len(self._pauses)) - 1])
            else:
                await self._news[witness].wait()
            self._news[witness].clear()
            try:
                failed = failed + 1 if await self._turn(witness, client) else 0
            except Unavailable as error:
                _LOG.warning("the signature of witness %s cannot be stored: %s", witness.url, error)
                failed += 1
            except Exception:  # an error of our own must not stop the other witnesses
                _LOG.exception("the request to witness %s failed", witness.url)
                failed += 1

    async def _turn(self, witness: NamedWitness, client: HttpClient) -> bool:
        """Ask the witness once; return whether to ask again although nothing new is signed. Raises ``Unavailable``."""
        epoch, head = self._epoch, self._tree.head()
        if epoch is None or head is None or head.note is None or head.epoch != epoch.number:
            return False
        standing = self._standings[witness]
        if standing.epoch != epoch.number:
            standing = Standing(witness.key, epoch.number)
        try:
            if standing.stops:
                return await self._is_still_different(witness, client, standing, epoch, head.size)
            if standing.has_signed(head.signed):
                return False
            note = keep_own_signatures(head.note)
            line = await request_cosignature(client, witness, self._tree, note, standing.size)
        except (SizeMismatchError, Refused, NoResponseError) as problem:
            self._note_failure(witness, standing, problem)
            return True
        cosigned = Standing(witness.key, epoch.number, head.signed, int(self._clock()))
        self._cosignatures.record_cosignature(cosigned, note, line)
        self._keep(witness, cosigned)
        return False

    async def _is_still_different(self, witness: NamedWitness, client: HttpClient, standing: Standing, epoch: LogEpoch, size: int) -> bool:
        """Return whether the witness still holds another history. Raises ``NoResponseError``."""
        signed = await read_signed_size(client, witness, self._tree, epoch.origin, size)
        if signed is not None:
            self._keep(witness, standing._replace(size=signed, trouble=None, since=None, named=0))
        return signed is None

    def _note_failure(self, witness: NamedWitness, standing: Standing, problem: SizeMismatchError | Refused | NoResponseError) -> None:
        trouble, named = _meaning(problem)
        head = self._tree.head()
        if trouble == "ahead" and head is not None and head.signed >= named:
            return  # another writer of this log has asked before
        if standing.stops and trouble == "away":
            return  # being away now does not revoke its earlier contradiction
        since = standing.since or int(self._clock())
        self._keep(witness, standing._replace(trouble=trouble, since=since, named=named))

    def _keep(self, witness: NamedWitness, standing: Standing) -> None:
        before, self._standings[witness] = self._standings[witness], standing
        if before.trouble != standing.trouble:
            level = logging.ERROR if standing.stops else logging.WARNING if standing.trouble else logging.INFO
            _LOG.log(level, "witness %s: %s", standing.name, standing.trouble or "it signs")
            self._cosignatures.record_failure(standing)


def _meaning(problem: SizeMismatchError | Refused | NoResponseError) -> tuple[Trouble, int]:
    match problem:
        case SizeMismatchError():
            return "ahead", problem.size
        case NoResponseError():
            return "away", 0
    if problem.status == DISAGREES:
        return "disagrees", 0
    return ("away" if problem.status == _TOO_MANY or problem.status >= 500 else "refused"), 0
