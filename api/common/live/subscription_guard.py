"""Repeated authorization of followers: check that their token or session is still valid for what they follow.

One check serves all connections with the same credentials and address.
"""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

from api.common.live.change_feed import SubscriberQueue
from api.http.browsers.cookies import read_session_cookies
from api.http.errors import AuthenticationError, RateLimitedError
from api.http.guards import check_subscriber
from api.http.places import Within
from api.http.request import Request, address_of, header
from api.http.sending import note_request
from domain.errors import Forbidden, Unavailable, Unknown
from domain.journal.commits import StoreUnavailableError

EVERY = 0.4
"""Seconds between two checks. Together with the time for which a token is cached, access ends within a second after it was revoked."""

_Key: TypeAlias = tuple[str, tuple[str, ...], str, str, bytes]

_LOG = logging.getLogger("kiebitz.live")


class SubscriptionGuard:
    """Checks all open streams. Used from one event loop."""

    def __init__(self) -> None:
        self._held: dict[_Key, tuple[Request, Within, set[SubscriberQueue]]] = {}
        self._looking: asyncio.Task[None] | None = None

    @contextmanager
    def watch_request(self, request: Request, within: Within, mail: SubscriberQueue) -> Iterator[None]:
        """End the mail once the request would no longer be authorized, or its credentials belong to another principal."""
        key = _key(request)
        self._held.setdefault(key, (request, within, set()))[2].add(mail)
        if self._looking is None:
            self._looking = asyncio.create_task(self._check_all())
        try:
            yield
        finally:
            mails = self._held[key][2]
            mails.discard(mail)
            if not mails:
                del self._held[key]

    async def _check_all(self) -> None:
        note_request(None)
        while self._held:
            await asyncio.sleep(EVERY)
            for request, within, mails in list(self._held.values()):
                await asyncio.sleep(0)  # let other tasks run between two checks
                if not await _is_permitted(request, within):
                    for mail in list(mails):
                        mail.end("closed")
        self._looking = None


async def _is_permitted(request: Request, within: Within) -> bool:
    """Return whether the request is still authorized. While the store is unavailable, followers stay: nothing new is sent then either."""
    try:
        await check_subscriber(request, within)
    except (AuthenticationError, Forbidden, Unknown, RateLimitedError):
        return False
    except (Unavailable, StoreUnavailableError) as error:
        _LOG.warning("subscriptions cannot be authorized: %s", error)
    return True


def _key(request: Request) -> _Key:
    """Return everything that the result of the check may depend on."""
    scope = request.scope
    return header(request, b"authorization"), read_session_cookies(request), address_of(request), scope["path"], scope["query_string"]
