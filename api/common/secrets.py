"""Secrets of decks and lots that nobody chose. A decision that needs one says so, it is fetched from the register, and it is decided
again.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from msgspec import UNSET
from msgspec.structs import replace

from api.http.request import Request, services_of
from api.services import Services
from domain.aggregate import A
from domain.dealing import Secrets, after_events, reveal
from domain.events import Event
from domain.game import Game
from domain.journal.calls import Beside
from domain.journal.registers import stamp

T = TypeVar("T")
_FETCHED = "secrets"


class _Due(Exception):
    """The secret of this commitment is needed."""

    def __init__(self, commitment: str) -> None:
        super().__init__(commitment)
        self.commitment = commitment


def new_secret(services: Services) -> bytes:
    """32 bytes of chance."""
    return services.new_salt() + services.new_salt()


async def keep_secret(request: Request, commitment: str, secret: bytes) -> None:
    """It has to lie in the register before an event binds the service to it."""
    services = services_of(request)
    await asyncio.to_thread(services.registers.keep_secret, commitment, secret, stamp(services.clock()))


def secrets_for(request: Request) -> Secrets:
    """Those that were fetched for this request; to be asked within ``with_secrets``."""
    fetched = _fetched(request)

    def find(commitment: str) -> bytes | None:
        if commitment not in fetched:
            raise _Due(commitment)
        return fetched[commitment]

    return find


async def with_secrets(request: Request, attempt: Callable[[], Awaitable[T]]) -> T:
    """Again as often as another secret is needed."""
    while True:
        try:
            return await attempt()
        except _Due as due:
            found = await asyncio.to_thread(services_of(request).registers.find_secret, due.commitment)
            _fetched(request)[due.commitment] = found


def telling_beside(request: Request, beside: Beside[A]) -> Beside[A]:
    return replace(beside, decide=lambda now, game: with_reveals(request, game, beside.decide(now, game)))


def with_reveals(request: Request, game: Game, events: Sequence[Event]) -> Sequence[Event]:
    """In a game with fair decks these events, and the secrets that are due after them. To be asked within ``with_secrets``."""
    if game.opened.shuffle is UNSET or not events:
        return events
    return (*events, *reveal(after_events(game, events), secrets_for(request)))


def _fetched(request: Request) -> dict[str, bytes | None]:
    fetched: dict[str, bytes | None] = request.scope["state"].setdefault(_FETCHED, {})
    return fetched
