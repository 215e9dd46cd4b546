"""Browser sessions: find the valid session of a request, and decide when a session is over.

It is over once it was ended, with the token or the code that it was made from, a day after its tournament, with its round, or when it was
unused for long.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import timedelta
from hashlib import sha256

from api.http.request import FRESH, KEPT, PUBLIC, ROLES, Principal
from api.services import Services
from api.threads import using_pool
from domain.access import Grant
from domain.errors import DataIntegrityError, Unavailable, Unknown
from domain.journal.commits import CommandKey, OutcomeUnknownError, StoreUnavailableError
from domain.journal.registers import stamp
from domain.journal.sessions import Session
from domain.tournament.over import access_end
from domain.tournament.tournament import TOURNAMENT, Tournament, tournament_stream

LONGEST = timedelta(days=30)
UNUSED = timedelta(hours=12)
"""Time after which an unused session ends.

Not a viewer's: it sees no hidden card, and records nothing. Not that of a lasting code: the holder of the card signs in with it again, so
ending it protects nothing, and a league would have to sign everybody in again each evening. The devices of such a code are counted and
listed, and it ends with its tournament.
"""
_NOTED = timedelta(minutes=5)
"""Precision of the stored last use, which saves a write per request."""
_MOST = 10_000


def cookie_digest(secret: str) -> str:
    """Return the SHA-256 of a secret. A fast hash is enough: the secret is random and long."""
    return sha256(secret.encode("latin-1", "replace")).hexdigest()


async def is_scope_over(services: Services, grant: Grant, until_round: int | None, *, lasting: bool = False) -> bool:
    """Return whether access to the tournament has ended, or the round has closed until which access was given."""
    tournament = await _tournament(services, grant)
    if tournament is None:
        return False
    end = access_end(tournament, lasting=lasting)
    past = until_round is not None and until_round <= len(tournament.rounds) and tournament.round(until_round).closed
    return past or (end is not None and end <= services.clock())


async def _tournament(services: Services, grant: Grant) -> Tournament | None:
    id = grant.scope.place.tournament
    if id is None:
        return None
    try:
        return await services.journal.current_of(TOURNAMENT, tournament_stream(id))
    # the requests that read the tournament report what is wrong with it
    except (Unknown, DataIntegrityError):
        return None


def _principal(session: Session) -> Principal:
    return Principal(session.principal, session.role, session.grant, session.expires_at, session=session.id)


class Sessions:
    """The register of sessions behind a short cache."""

    def __init__(self, services: Services, clock: Callable[[], float] = time.monotonic) -> None:
        self._services = services
        self._clock = clock
        self._known: dict[str, tuple[Session | None, float]] = {}

    async def principal(self, secrets: Sequence[str], *, fresh: bool = False) -> Principal:
        """Return the principal of the session; the public where no session is valid."""
        session = await self.find(secrets, fresh=fresh)
        return PUBLIC if session is None else _principal(session)

    async def find(self, secrets: Sequence[str], *, fresh: bool = False) -> Session | None:
        """Return the one valid session of these cookies; ``fresh``: at most ``FRESH`` seconds old.

        If two are valid, somebody else who is signed in here put one of them into the browser. They cannot be told apart, and with the
        wrong one the browser would act in that person's name: so neither counts. Signing in again ends both.
        """
        going_on = await self.find_all(secrets, fresh=fresh)
        return going_on[0] if len(going_on) == 1 else None

    async def find_all(self, secrets: Sequence[str], *, fresh: bool = False) -> list[Session]:
        """Return every valid session of these cookies."""
        looked_up = [await self._find_one(secret, fresh=fresh) for secret in secrets]
        return [session for session in looked_up if session is not None]

    async def _find_one(self, secret: str, *, fresh: bool) -> Session | None:
        hash = cookie_digest(secret)
        known = self._known.get(hash)
        if known is not None and known[1] > self._clock() + (KEPT - FRESH if fresh else 0):
            return known[0]
        until = self._clock() + KEPT  # set before the read, so that the cache never holds it longer than ``KEPT``
        with using_pool("admission"):
            session = await self._load_session(hash)
        if len(self._known) >= _MOST:
            self._known.clear()
        self._known[hash] = (session, until)
        return session

    async def goes_on(self, session: Session) -> bool:
        now = self._services.clock()
        if session.ended_at is not None or session.ends_at <= stamp(now) or session.role not in ROLES:
            return False
        if session.role != "viewer" and not session.lasting and session.used_at <= stamp(now - UNUSED):
            return False
        return session.code is None or not await is_scope_over(self._services, session.grant, session.until_round, lasting=session.lasting)

    async def end(self, session: Session, command: CommandKey | None = None) -> None:
        """End a session: immediately in this process, within a second in others."""
        at = stamp(self._services.clock())
        await asyncio.to_thread(self._services.registers.end_session, session.id, at, command)
        self._known.pop(session.hash, None)

    async def _load_session(self, hash: str) -> Session | None:
        session = await asyncio.to_thread(self._services.registers.find_session, hash)
        if session is None or not await self.goes_on(session):
            return None
        now = self._services.clock()
        if session.used_at <= stamp(now - _NOTED):
            with suppress(StoreUnavailableError, OutcomeUnknownError, Unavailable):  # a read must not fail because the use cannot be noted
                await asyncio.to_thread(self._services.registers.use_session, session.id, stamp(now))
        return session
