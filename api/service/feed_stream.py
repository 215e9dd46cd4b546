"""The feed as server-sent events: each entry as soon as it is committed, with its sequence as id."""

import asyncio
from collections.abc import AsyncGenerator, Hashable
from functools import partial
from typing import cast

from api.common.live.event_stream import BEAT, HEARTBEAT, message
from api.common.live.mail import Mail
from api.common.live.news import news_of
from api.common.live.shared import Shared
from api.common.reaching import wait_for_reach
from api.http.request import Request, services_of
from api.http.response import encode
from api.service.feed_filters import Look
from domain.journal.feed import FeedPage

_CHUNK = 200  # entries that are sent at a time


async def feed_messages(
    request: Request, look: Look, whose: Hashable, place: int, as_of: int | None, mail: Mail
) -> AsyncGenerator[bytes, None]:
    """``whose`` names all that the look depends on: those who ask alike share one. ``as_of``: the sequence with which it ends."""
    news, shared = news_of(request), cast(Shared, request.app.state["shared"])
    while mail.over is None:
        head = max(news.head, place)
        if news.head < 0:
            head = await asyncio.to_thread(services_of(request).journal.head)
        head = head if as_of is None else min(head, as_of)
        while place < head and mail.over is None:
            key = (services_of(request).journal.store.epoch.id, whose, place, head)
            found = await shared.once(key, partial(_read, request, look, place, head))
            if found.entries:
                yield b"".join(message(encode(entry), id=entry.sequence) for entry in found.entries)
            place = found.reached
        if as_of is not None and place >= as_of:
            mail.end("told")
        elif news.head <= place and not await mail.wait(HEARTBEAT):
            yield BEAT


async def _read(request: Request, look: Look, place: int, head: int) -> FeedPage:
    await wait_for_reach(request)
    return await asyncio.to_thread(look, place, head, _CHUNK)
