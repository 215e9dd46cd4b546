"""Requests that come again under their Idempotency-Key: how one is known, and what is told where it was done already."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import Annotated, TypeAlias

from msgspec import Meta, UnsetType

from api.http.decoding import canonical_json
from api.http.errors import BadRequest, say
from api.http.request import Request, body_of, sent, services_of
from api.http.response import Response, unstored
from domain.errors import Reused
from domain.journal.commits import CommandKey
from domain.journal.registers import Duplicate

_LONGEST_KEY = 200  # characters; keys are kept for a month
_PLAIN = re.compile(r"/v1/[A-Za-z0-9/-]*")
_LONG = 64 * 1024  # bytes: reading them again takes a millisecond


def idempotency_key(request: Request) -> str | None:
    """The Idempotency-Key. Raises ``BadRequest``."""
    key = sent(request, b"idempotency-key")
    if key is not None and not (1 <= len(key) <= _LONGEST_KEY and key.isascii() and key.isprintable()):
        raise BadRequest("bad_header", say("bad_key", longest=_LONGEST_KEY), "Idempotency-Key")
    return key


def replayed_header(*, repeated: bool) -> list[tuple[str, str]]:
    return [("idempotent-replayed", "true")] if repeated else []


def fingerprints(request: Request, body: bytes) -> tuple[str, str]:
    """Digests of all that has to be equal for a request to count as a repetition of another: as it is kept, and as it was made when
    bodies were compared byte for byte.
    """
    request_line = f"{request.method}\n{_path(request)}\n".encode() + _query(request) + b"\n"
    return sha256(request_line + canonical_json(body)).hexdigest(), sha256(request_line + body).hexdigest()


def _path(request: Request) -> str:
    """As Litestar would tell it, who takes a whole URL apart for it: fingerprints of before hold that."""
    path: str = request.scope["path"]
    return path if _PLAIN.fullmatch(path) else request.url.path


def _query(request: Request) -> bytes:
    """A dry run asks what the request without it would be answered, so it is told from others as that one."""
    return b"&".join(part for part in request.scope["query_string"].split(b"&") if part != b"dry_run=true")


async def fingerprints_of(request: Request) -> tuple[str, str]:
    """Those of the whole request."""
    body = await body_of(request)
    return await asyncio.to_thread(fingerprints, request, body) if len(body) > _LONG else fingerprints(request, body)


IfLost: TypeAlias = (
    Annotated[
        str,
        Meta(
            description="where another one is to be had (POST), if the secret never came; there only if the answer is repeated under its "
            "Idempotency-Key, which tells no secret again"
        ),
    ]
    | UnsetType
)

Do: TypeAlias = Callable[[CommandKey | None], Awaitable[Response]]
"""Does what is asked, keeps the key in the transaction of its change, and answers."""
Tell: TypeAlias = Callable[[str], Awaitable[Response]]
"""Answers, of what was done, the same without its secret. Is given the id of what was made."""


async def once(request: Request, do: Do, tell: Tell, *, compared: bytes | None = None) -> Response:
    """For what is no event: done once under the request's key, then told as it stands by now.

    ``compared``: the body without what may not be kept, not even as a digest. Raises ``BadRequest``, and ``Reused`` where the key belongs
    to another request.
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
    """Erases, in a thread; where it was done under the request's key, whatever an erasure that broke off has left. ``told``: the answer,
    by whether there was anything to erase.
    """

    async def do(command: CommandKey | None) -> Response:
        return unstored(told(await asyncio.to_thread(erase, command)))

    async def tell(_: str) -> Response:
        await asyncio.to_thread(erase, None)
        return unstored(told(True))

    return await once(request, do, tell)


async def _made_under(request: Request, command: CommandKey) -> str | None:
    """The id of what was made under the key; ``None`` where it is new. Raises ``Reused``."""
    found = await asyncio.to_thread(services_of(request).registers.find_command, command.principal, command.key)
    if found is not None and (found.first or found.fingerprint != command.fingerprint):
        raise Reused(command.key)
    return None if found is None else found.made
