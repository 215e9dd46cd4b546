"""An attempt to send a message, from what may be told now to the line in the log."""

import asyncio
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from api.http.counts import Counts
from api.services import Services
from api.webhooks.sending.messages import message_of, test_message
from api.webhooks.sending.posting import Outcome, Post
from api.webhooks.sending.signing import signed_headers
from api.webhooks.sending.source import Source, principal_of
from api.webhooks.sending.telling import Telling
from domain.journal.feed import FeedEntry
from domain.journal.looks import minute_of
from domain.journal.registers import stamp
from domain.journal.webhooks import DELIVERIES_KEPT, MOST_DELIVERIES, Delivery, Webhook

_TIDIED = 500  # messages after which old lines of the log go; the daily upkeep does the rest


class Office(Struct, frozen=True):
    """What all couriers of a process work with. ``holds``: whether this process may still take itself for the one that sends."""

    services: Services
    holder: str
    source: Source
    telling: Telling
    post: Post
    counts: Counts
    holds: Callable[[], bool]


class Attempts:
    """Those of one webhook."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._sent = 0

    async def line(self, webhook: Webhook, message: str, epoch: str, entry: FeedEntry) -> Delivery:
        found = await asyncio.to_thread(self._office.services.registers.delivery_of, webhook.id, message)
        new = Delivery(message=message, webhook=webhook.id, epoch=epoch, sequence=entry.sequence, name=entry.name, attempts=0, at="")
        return found or new

    async def make(self, webhook: Webhook, line: Delivery, entry: FeedEntry | None) -> Outcome:
        """Of a test there is no entry."""
        services, now = self._office.services, self._office.services.clock()
        if entry is None:
            body = test_message(webhook, now)
        else:
            event = await self._office.telling.event(principal_of(webhook), entry)
            body = message_of(entry, line.epoch, event, now)
        headers = signed_headers(line.message, int(now.timestamp()), body, _secrets(webhook, stamp(now)))
        outcome = await self._office.post.send(webhook.url, body, headers, now)
        self._office.counts.deliveries["delivered" if outcome.problem is None else "failed"] += 1
        await asyncio.to_thread(services.registers.keep_delivery, _after(line, outcome, stamp(now)))
        self._sent += 1
        if self._sent % _TIDIED == 0:
            await asyncio.to_thread(services.registers.forget_deliveries, minute_of(now - DELIVERIES_KEPT), MOST_DELIVERIES)
        return outcome


def _secrets(webhook: Webhook, at: str) -> list[str]:
    """The new one first."""
    return [webhook.secret, *(old.secret for old in webhook.still_signing(at))]


def _after(line: Delivery, outcome: Outcome, at: str) -> Delivery:
    return replace(
        line,
        attempts=line.attempts + 1,
        at=at,
        status=outcome.status,
        problem=outcome.problem,
        detail=outcome.detail,
        delivered_at=at if outcome.problem is None else line.delivered_at,
        again=False,
    )
