"""Authentication by bearer token, and the principal of a request.

A token is a secret; the register knows its SHA-256 only, and the principal and role it stands for.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from typing import Literal, TypeAlias, get_args

from msgspec import Struct
from msgspec.structs import replace

from api.http.errors import AuthenticationError, say
from api.threads import using_pool
from domain.access import ARBITERS, JUDGES, OFFICIALS, PUBLISHED, UNBOUND, WRITERS, Grant, VisibilityScope, visibility_within
from domain.errors import Forbidden
from domain.journal.registers import Registers
from domain.texts import Phrase

Role: TypeAlias = Literal["director", "recorder", "arbiter", "committee", "viewer", "player"]
ROLES: tuple[Role, ...] = get_args(Role)
NOBODY = "public"
"""The role of callers without a token. No token has it."""

Need: TypeAlias = Literal["director", "recorder", "arbiter", "judge", "official", "player", "player_or_recorder", "player_or_official"]
ROLES_FOR: Mapping[Need, tuple[str, ...]] = {
    "director": ("director",),
    "recorder": WRITERS,
    "arbiter": ARBITERS,
    "judge": JUDGES,
    "official": OFFICIALS,
    "player": ("player",),
    "player_or_recorder": (*WRITERS, "player"),
    "player_or_official": (*OFFICIALS, "player"),
}
"""The roles for each need: direct a tournament, record play, act as an arbiter, give a ruling, speak about a game. A player acts, alone or
besides, for the seat that they hold: give a chance for the deck; make a move or confirm a result, speak about their game.
"""


def role_name(role: str) -> Phrase:
    return say(f"role.{role}")


def role_names(roles: Iterable[str]) -> tuple[Phrase, ...]:
    return tuple(map(role_name, roles))


KEPT = 1.0  # seconds for which a revoked token may still count as valid
FRESH = 0.3  # seconds: the same for a fresh look-up
_MOST = 10_000


class Principal(Struct, frozen=True, dict=True):
    """A caller: an opaque id, what it may do, and where.

    A viewer reads what the public may see, a player what their seat sees, the others see all, unless their grant says otherwise. In a
    request it is what the caller is in the place that the request is about (``api/http/places.py``): beyond their scope a viewer.

    ``token`` is the id of the caller's token, if there is one, ``session`` that of the browser. ``expires_at`` is that of the token, or of
    the one from which the session came.
    """

    id: str
    role: str
    grant: Grant = UNBOUND
    expires_at: str | None = None
    token: str | None = None
    session: str | None = None

    @cached_property
    def is_anonymous(self) -> bool:
        return self.role == NOBODY

    @property
    def is_address(self) -> bool:
        """True if no token was shown, whatever the caller is in the place of the request."""
        return is_address(self.id)

    @cached_property
    def has_record_role(self) -> bool:
        return self.role in OFFICIALS

    @cached_property
    def has_full_view(self) -> bool:
        """True if the caller may see all cards and names of the place."""
        return self.has_record_role and self.grant.sees == "all"

    @cached_property
    def visibility(self) -> VisibilityScope:
        """The scope of reading where a response is about more than one place."""
        return PUBLISHED if self.is_anonymous else visibility_within(self.grant.scope)

    @property
    def has_public_sight(self) -> bool:
        """True if the caller acts as an official, and sees what the public sees."""
        return self.has_record_role and self.grant.sees == "public"

    def as_viewer(self) -> "Principal":
        """Return the principal without powers, as it is beyond its scope."""
        return replace(self, role="viewer", grant=Grant(self.grant.scope))


_AT = "@"
PUBLIC = Principal("", NOBODY)


def anonymous_from(address: str) -> Principal:
    """Return the principal of callers without a token, counted by their address, which is stored nowhere."""
    return Principal(f"{_AT}{address}", NOBODY)


def is_address(id: str) -> bool:
    return id.startswith(_AT)


class Tokens:
    """The register of tokens behind a short cache."""

    def __init__(
        self,
        registers: Registers,
        now: Callable[[], datetime],
        clock: Callable[[], float] = time.monotonic,
        *,
        used: Callable[[str], None],
    ) -> None:
        """``used`` is called with the id of every token that was accepted."""
        self._registers = registers
        self._used = used
        self._now = now
        self._clock = clock
        self._known: dict[bytes, tuple[Principal, float]] = {}

    async def principal(self, authorization: str, *, fresh: bool = False) -> Principal:
        """Return the principal of the Authorization header; the public without one. Raises ``AuthenticationError``."""
        key = sha256(authorization.encode("latin-1", "replace")).digest()
        known = self._known.get(key)
        if known is not None and known[1] > self._clock() + (KEPT - FRESH if fresh else 0):
            principal = known[0]
        elif authorization:
            principal = await self._load_principal(authorization, key)
        else:
            return PUBLIC
        if principal.token is not None:
            self._used(principal.token)
        return principal

    async def _load_principal(self, authorization: str, key: bytes) -> Principal:
        self._known.pop(key, None)
        until = self._clock() + KEPT  # set before the read: a token revoked meanwhile must not stay valid longer because of it
        with using_pool("admission"):
            principal = await asyncio.to_thread(self._found, _secret(authorization))
        if len(self._known) >= _MOST:
            self._known.clear()
        self._known[key] = (principal, until)
        return principal

    def _found(self, secret: str) -> Principal:
        token = self._registers.find_token(sha256(secret.encode()).hexdigest())
        if token is None or token.revoked_at is not None:
            raise AuthenticationError(say("token_unknown"), invalid=True)
        if token.expires_at is not None and datetime.fromisoformat(token.expires_at) <= self._now():
            raise AuthenticationError(say("token_expired", at=token.expires_at), invalid=True)
        if token.role not in ROLES:
            raise Forbidden(say("role_unknown", role=token.role, roles=role_names(ROLES)), *ROLES)
        return Principal(token.principal, token.role, token.grant, token.expires_at, token.id)


def _secret(authorization: str) -> str:
    scheme, _, secret = authorization.partition(" ")
    secret = secret.strip()
    if scheme.lower() != "bearer" or not secret:
        raise AuthenticationError(say("scheme_unknown"), invalid=True)
    return secret
