"""Sign-in by token or code: begin a session, or refuse without a reason, so that nobody learns what was wrong."""

import asyncio
import logging
from collections.abc import Mapping
from hashlib import sha256
from typing import NamedTuple

from msgspec.structs import replace

from api.http.browsers.attempts import LoginThrottle
from api.http.browsers.cookies import as_typed, digest, read_session_cookies
from api.http.browsers.sessions import LONGEST, cookie_digest, is_scope_over
from api.http.errors import AuthenticationError, TooManyAttempts, say
from api.http.guards import authenticate
from api.http.paging import Counts
from api.http.request import ROLES, Request, Role, part_of, services_of
from api.services import Services
from domain.errors import Refused
from domain.journal.registers import Duplicate, stamp
from domain.journal.sessions import JoinCode, Session

_LOG = logging.getLogger("kiebitz.api")


class Entered(NamedTuple):
    """A new session, and the secret of its cookie."""

    session: Session
    secret: str


async def enter_by(request: Request, shown: str, before: Session | None) -> Entered:
    """Begin a session. ``before``: the session that this browser has.

    Raises ``AuthenticationError`` for an invalid token or code, ``Refused`` where all devices of the code are signed in, and
    ``TooManyAttempts``.
    """
    counts, attempts = part_of(request.app, Counts), part_of(request.app, LoginThrottle)
    address, code = _address(request), as_typed(shown)
    try:
        async with attempts.check(address, code=code is not None) as wrong:
            entered = await (_by_token(services_of(request), shown.strip()) if code is None else _by_code(request, code, before))
            if entered is None:
                wrong()
    except TooManyAttempts:
        counts.sign_ins["limited"] += 1
        raise
    except Refused:  # the code was right, so this is no failed guess
        counts.sign_ins["refused"] += 1
        raise
    counts.sign_ins["refused" if entered is None else "made"] += 1
    if entered is None:
        _LOG.warning("a sign-in from %s was refused", address)
        raise AuthenticationError(say("sign_in_refused"), invalid=True)
    return entered


def _address(request: Request) -> str:
    """Return the address under which the caller is counted; behind a trusted proxy the server has put in the client's."""
    client = request.scope["client"]
    return client[0] if client else ""


async def _by_token(services: Services, secret: str) -> Entered | None:
    token = await asyncio.to_thread(services.registers.find_token, sha256(secret.encode("utf-8", "replace")).hexdigest())
    over = token is not None and token.expires_at is not None and token.expires_at <= stamp(services.clock())
    if token is None or token.revoked_at is not None or over or token.role not in ROLES:
        return None
    entered = _begin_session(services, token.principal)
    session = replace(entered.session, role=token.role, grant=token.grant, label=token.label, token=token.id)
    await asyncio.to_thread(services.registers.begin_session, session)
    return Entered(session, entered.secret)


async def _by_code(request: Request, typed: str, before: Session | None) -> Entered | None:
    """Begin a session by a code. A browser that is a device of the code already keeps its session, and takes no second place."""
    services = services_of(request)
    code = await asyncio.to_thread(lambda: services.registers.find_code(digest(typed)))
    if code is None or not await is_valid(services, code):
        return None
    if code.devices is not None and before is not None and before.code == code.id:
        return Entered(before, next(secret for secret in read_session_cookies(request) if cookie_digest(secret) == before.hash))
    entered = _begin_session(services, await _principal(services, code))
    session = replace(entered.session, role=code.role, grant=code.grant, label=code.label, code=code.id)
    session = replace(session, token=code.token or code.giver_token, until_round=code.until_round)
    try:
        await asyncio.to_thread(lambda: services.registers.begin_session(session, redeems=code))
    except Duplicate:
        if code.devices is not None:
            raise Refused("code_full", devices=code.devices) from None
        return None
    return Entered(session, entered.secret)


async def is_valid(services: Services, code: JoinCode) -> bool:
    """Return whether the code is neither expired nor withdrawn; whether it was used is checked by the register."""
    over = code.until_at is not None and code.until_at <= stamp(services.clock())
    return not over and code.withdrawn_at is None and not await is_scope_over(services, code.grant, code.until_round, lasting=code.lasting)


async def _principal(services: Services, code: JoinCode) -> str:
    """Return a new principal, unless the code stands for a token."""
    if code.token is None:
        return str(services.new_id())
    tokens = await asyncio.to_thread(services.registers.list_tokens)
    return next(token.principal for token in tokens if token.id == code.token)


def _begin_session(services: Services, principal: str) -> Entered:
    now, secret = services.clock(), (services.new_salt() + services.new_salt()).hex()
    session = Session(
        id=services.new_salt()[:4].hex(),
        hash=cookie_digest(secret),
        principal=principal,
        role="",
        label="",
        began_at=stamp(now),
        ends_at=stamp(now + LONGEST),
        used_at=stamp(now),
    )
    return Entered(session, secret)


# Lasting codes: the roles that can have a code for a whole tournament, and the number of devices at one time.


DEVICES: Mapping[Role, int | None] = {"player": 3, "recorder": 2, "arbiter": 2, "committee": 3, "viewer": None}
"""The number of devices; ``None``: any number.

A player has a phone, another device at home and one to spare; a table has a tablet and the one that replaces it; an arbiter has a phone and
a computer; a committee is three people. Directors have no lasting code: they let others in and end the tournament, so their code is valid
for one session within ten minutes, and never lies on a printed card.
"""


async def allow_any_role(request: Request) -> None:
    """Admit everybody with a token or session; the handler decides what is theirs."""
    await authenticate(request)
