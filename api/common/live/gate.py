"""Looks again whether those who follow still may: their token or session, and what it opens. Once for all who came in with the same."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

from api.common.live.mail import Mail
from api.http.browsers.cookies import read_session_cookies
from api.http.errors import TooMany, Unauthenticated
from api.http.guards import admitted_again
from api.http.places import Within
from api.http.request import Request, address_of, header
from api.http.sending import note_request
from domain.errors import Forbidden, Unavailable, Unknown
from domain.journal.commits import StoreAway

EVERY = 0.4
"""Seconds between two looks: with the time for which a token is remembered, who is shut out is let go within a second."""

_Key: TypeAlias = tuple[str, tuple[str, ...], str, str, bytes]

_LOG = logging.getLogger("kiebitz.live")


class Gate:
    """Used from one loop."""

    def __init__(self) -> None:
        self._held: dict[_Key, tuple[Request, Within, set[Mail]]] = {}
        self._looking: asyncio.Task[None] | None = None

    @contextmanager
    def holding(self, request: Request, within: Within, mail: Mail) -> Iterator[None]:
        """The mail ends once the request would not be answered any more, or not for whom it was."""
        key = _key(request)
        self._held.setdefault(key, (request, within, set()))[2].add(mail)
        if self._looking is None:
            self._looking = asyncio.create_task(self._look())
        try:
            yield
        finally:
            mails = self._held[key][2]
            mails.discard(mail)
            if not mails:
                del self._held[key]

    async def _look(self) -> None:
        note_request(None)
        while self._held:
            await asyncio.sleep(EVERY)
            for request, within, mails in list(self._held.values()):
                await asyncio.sleep(0)  # many are looked up, and nobody else should have to wait for all of them
                if not await _may_stay(request, within):
                    for mail in list(mails):
                        mail.end("closed")
        self._looking = None


async def _may_stay(request: Request, within: Within) -> bool:
    """While the store is away nobody can be asked for; nothing new is told then either."""
    try:
        await admitted_again(request, within)
    except (Unauthenticated, Forbidden, Unknown, TooMany):
        return False
    except (Unavailable, StoreAway) as error:
        _LOG.warning("nobody knows who may follow: %s", error)
    return True


def _key(request: Request) -> _Key:
    """All that the answer to the question may depend on."""
    scope = request.scope
    return header(request, b"authorization"), read_session_cookies(request), address_of(request), scope["path"], scope["query_string"]
