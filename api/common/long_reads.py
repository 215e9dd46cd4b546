"""Heavy reads: answers that take the processor for long, made by another process where they are long.

A function that is ``long_read`` takes the request and whatever else it needs; it reads the store, waits for nobody and changes nothing. Of
few events it works in a thread, of more in a fork of ``deploy/server/reader_worker.py``, which finds it by its name and opens the store
itself. What it is given and what comes of it, an error included, goes between the two alone, as pickle: neither reads such bytes from
anywhere else.
"""

import asyncio
import pickle
from collections.abc import Awaitable, Callable, Iterator, Mapping
from io import SEEK_END, BytesIO
from types import SimpleNamespace
from typing import Any, BinaryIO, Concatenate, Literal, ParamSpec, TypeAlias, TypeVar, cast, get_args

from litestar import Litestar
from litestar import Request as LitestarRequest

from api.common.body_file import BodyFile, write_body
from api.common.exporting import Exporting
from api.http.errors import ResponseTimeoutError
from api.http.limits import ConcurrencyLimiter
from api.http.problems import PROBLEMS
from api.http.request import Request, part_of, services_of, set_parts
from api.services import Exports, Job, Limits, Services
from replay.past import GamePasts

Kind: TypeAlias = Literal["audits", "proofs", "records", "branches", "replays", "imports", "statistics"]
"""Those of a kind wait for each other, and for no others."""

FEW = 50
"""Events that are read in a thread: their frames or their audit take ten milliseconds, another process takes 40 to begin."""
AT_ONCE = 1
"""Forks of each kind at a time. All of them give way, but a move waits for them: on two processors its p99 is unharmed beside three
processes that give way, and doubles beside six."""

_PASSED = ("method", "path", "path_params", "query_string", "root_path", "type", "user")
"""Of the scope of a request what its answer may depend on."""
_SECRET = (b"authorization", b"cookie")
_LENGTH = 8  # bytes
_FUNCTIONS: dict[str, Callable[..., Any]] = {}
_EXPECTED = tuple(PROBLEMS)

P = ParamSpec("P")
T = TypeVar("T")
_Outcome: TypeAlias = tuple[Mapping[str, Any], Any, tuple[type[Exception], tuple[Any, ...], dict[str, Any]] | None]
"""The notes of the request, what came of it, and which error it was, if it was one."""


class LongRead(Job, frozen=True, kw_only=True):
    """``given``: the request and all else that the function takes, pickled."""

    kind: Kind
    function: str
    given: bytes

    @property
    def queue_name(self) -> str:
        return self.kind


def long_read(kind: Kind) -> Callable[[Callable[Concatenate[Request, P], T]], Callable[Concatenate[Request, int, P], Awaitable[T]]]:
    """The function as it is called in the loop: after the request it takes how many events it goes through.

    Raises what the function raises, ``ConcurrencyLimitError`` where all places of the kind are taken, and ``BrokenOff`` and
    ``Unavailable``.
    """

    def decorate(make: Callable[Concatenate[Request, P], T]) -> Callable[Concatenate[Request, int, P], Awaitable[T]]:
        name = _register(make)

        async def run_or_delegate(request: Request, events: int, /, *given: P.args, **named: P.kwargs) -> T:
            if events <= FEW:
                return await asyncio.to_thread(make, request, *given, **named)
            file, found = await _delegate(request, LongRead(kind=kind, function=name, given=_pack(request, given, named)))
            file.close()
            return cast(T, found)

        return run_or_delegate

    return decorate


def long_body(
    kind: Kind,
) -> Callable[[Callable[Concatenate[Request, P], Iterator[bytes]]], Callable[Concatenate[Request, int, P], Awaitable[BodyFile]]]:
    """The same for a function that yields the pieces of a body: they go into a file, so that no process holds all of them."""

    def decorate(make: Callable[Concatenate[Request, P], Iterator[bytes]]) -> Callable[Concatenate[Request, int, P], Awaitable[BodyFile]]:
        name = _register(make)

        def write(request: Request, *given: P.args, **named: P.kwargs) -> BodyFile:
            file = BytesIO()
            size, digest = write_body(make(request, *given, **named), file)
            file.seek(0)
            return BodyFile(file, size, digest)

        async def run_or_delegate(request: Request, events: int, /, *given: P.args, **named: P.kwargs) -> BodyFile:
            if events <= FEW:
                return await asyncio.to_thread(write, request, *given, **named)
            file, found = await _delegate(request, LongRead(kind=kind, function=name, given=_pack(request, given, named)))
            return BodyFile(file, *found)

        return run_or_delegate

    return decorate


def _register(make: Callable[..., Any]) -> str:
    name = f"{make.__module__}.{make.__name__}"
    _FUNCTIONS[name] = make
    return name


async def _delegate(request: Request, job: LongRead) -> tuple[BinaryIO, Any]:
    """Return the file with the body that the job wrote, and what its function returned; of a body, its size and digest."""
    file = await _in_time(request, part_of(request.app, ReadQueues)[job.kind].make_file(request.user, job))
    try:
        return file, _unpack_result(request, await asyncio.to_thread(_cut_outcome, file))
    except BaseException:
        file.close()
        raise


def _cut_outcome(file: BinaryIO) -> bytes:
    """Take the outcome from the end of the file, where its length stands after it."""
    end = file.seek(-_LENGTH, SEEK_END)
    start = file.seek(end - int.from_bytes(file.read(_LENGTH)))
    outcome = file.read(end - start)
    file.truncate(start)
    file.seek(0)
    return outcome


async def _in_time(request: Request, made: Awaitable[T]) -> T:
    """Also where others wait for it who came later."""
    seconds = services_of(request).limits.answer
    try:
        async with asyncio.timeout(seconds):
            return await made
    except TimeoutError as error:
        raise ResponseTimeoutError(seconds, unclear=False) from error


class ReadQueues(dict[Kind, Exporting]):
    """The queue of each kind of long read."""


def build_read_queues(readers: Exports, limits: Limits) -> ReadQueues:
    return ReadQueues({kind: Exporting(readers, ConcurrencyLimiter("reads", limits.reads), AT_ONCE) for kind in get_args(Kind)})


def run_job(job: LongRead, services: Services, pasts: GamePasts, written: BinaryIO) -> None:
    """Run the job and write its outcome, pickled, after its body if it makes one. Raises unexpected errors."""
    scope, given, named = pickle.loads(job.given)
    app = cast(Litestar, SimpleNamespace())
    set_parts(app, services, pasts)
    request: Request = LitestarRequest(cast(Any, {**scope, "app": app, "litestar_app": app}))
    found, failed = None, None
    try:
        found = _FUNCTIONS[job.function](request, *given, **named)
        if isinstance(found, Iterator):
            found = write_body(found, written)
    except _EXPECTED as error:
        failed = type(error), error.args, vars(error)
    outcome = pickle.dumps((_notes(scope), found, failed))
    written.write(outcome + len(outcome).to_bytes(_LENGTH))


def _pack(request: Request, given: tuple[Any, ...], named: Mapping[str, Any]) -> bytes:
    return pickle.dumps((_pack_request(request), given, named))


def _pack_request(request: Request) -> dict[str, Any]:
    scope = cast("dict[str, Any]", request.scope)
    headers = [one for one in scope["headers"] if one[0] not in _SECRET]
    return {**{name: scope[name] for name in _PASSED if name in scope}, "headers": headers, "state": _notes(scope)}


def _notes(scope: Mapping[str, Any]) -> dict[str, Any]:
    """Return our notes of the request, without the state that the framework keeps there."""
    return {name: value for name, value in scope["state"].items() if isinstance(value, str | int)}


def _unpack_result(request: Request, told: bytes) -> Any:
    outcome: _Outcome = pickle.loads(told)
    notes, found, failed = outcome
    request.scope["state"].update(notes)
    if failed is None:
        return found
    kind, args, more = failed
    error = kind.__new__(kind, *args)  # not by its ``__init__``, which may take something else
    vars(error).update(more)
    raise error
