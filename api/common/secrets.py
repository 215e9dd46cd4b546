"""Secrets of fair decks and lots: kept before an event binds the service to them, and revealed when they are due.

A decision runs without I/O. If it needs a secret it raises ``_SecretRequired``; the secret is fetched from the register, and the
decision is run again.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from msgspec import UNSET
from msgspec.structs import replace

from api.http.request import Request, services_of
from api.services import Services
from domain.dealing import Secrets, after_events, reveal
from domain.events import A, Event
from domain.game import Game
from domain.journal.commits import LinkedStreams
from domain.journal.registers import stamp

T = TypeVar("T")


_FETCHED = "secrets"


class _SecretRequired(Exception):
    """The secret of this commitment is needed."""

    def __init__(self, commitment: str) -> None:
        super().__init__(commitment)
        self.commitment = commitment


def new_secret(services: Services) -> bytes:
    """Return 32 random bytes."""
    return services.new_salt() + services.new_salt()


async def keep_secret(request: Request, commitment: str, secret: bytes) -> None:
    """Store a secret in the register. It has to be there before an event binds the service to it."""
    services = services_of(request)
    await asyncio.to_thread(services.registers.keep_secret, commitment, secret, stamp(services.clock()))


def secrets_for(request: Request) -> Secrets:
    """Return the look-up of secrets that were fetched for this request; to be used within ``with_secrets``."""
    fetched = _secrets_cache(request)

    def find(commitment: str) -> bytes | None:
        if commitment not in fetched:
            raise _SecretRequired(commitment)
        return fetched[commitment]

    return find


async def with_secrets(request: Request, attempt: Callable[[], Awaitable[T]]) -> T:
    """Run the attempt; fetch each secret that it turns out to need, and run it again."""
    while True:
        try:
            return await attempt()
        except _SecretRequired as due:
            found = await asyncio.to_thread(services_of(request).registers.find_secret, due.commitment)
            _secrets_cache(request)[due.commitment] = found


def link_reveals(request: Request, beside: LinkedStreams[A]) -> LinkedStreams[A]:
    """Add the due reveals to the events of a linked stream."""
    return replace(beside, decide=lambda now, game: with_reveals(request, game, beside.decide(now, game)))


def with_reveals(request: Request, game: Game, events: Sequence[Event]) -> Sequence[Event]:
    """In a game with fair decks, append the secrets that are due after these events. To be used within ``with_secrets``."""
    if game.opened.shuffle is UNSET or not events:
        return events
    return (*events, *reveal(after_events(game, events), secrets_for(request)))


def _secrets_cache(request: Request) -> dict[str, bytes | None]:
    fetched: dict[str, bytes | None] = request.scope["state"].setdefault(_FETCHED, {})
    return fetched
