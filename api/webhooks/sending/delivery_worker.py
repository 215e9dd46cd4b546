"""Delivery of one webhook: messages in order, one at a time, each with a retry at growing intervals until it is accepted.

The progress is stored in the register and nowhere else.
"""

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from api.http.paging import Counts
from api.services import Services
from api.webhooks.sending.http_client import DeliveryResult, WebhookClient
from api.webhooks.sending.messages import message_id, message_of, sign_headers, test_message
from api.webhooks.sending.payloads import Telling
from api.webhooks.sending.source import Source, principal_of
from domain.errors import Unavailable
from domain.journal.commits import OutcomeUnknownError, StoreUnavailableError
from domain.journal.feed import FeedEntry, FeedPage
from domain.journal.registers import minute_of, stamp
from domain.journal.webhooks import DELIVERIES_KEPT, MOST_DELIVERIES, Delivery, Webhook

# The pause after a failed attempt, and the time after which a webhook is disabled.


_FIRST, _LONGEST = 5.0, 4 * 3600.0  # seconds
_DOUBLED = 12  # doublings until the longest pause is reached
_MOST_ASKED = 24 * 3600.0

GIVEN_UP = timedelta(days=5)
"""After so long with nothing but failures a webhook is disabled."""


def pause_after(attempts: int, chance: float, asked: float | None) -> float:
    """Return the pause in seconds.

    ``attempts``: the number of failures; ``chance`` from 0 to 1 is the jitter, so that not all webhooks retry at once; ``asked``: the
    minimum that the receiver asks for (``Retry-After``), up to a day.
    """
    doubled: int = 2 ** min(attempts - 1, _DOUBLED)
    usual = min(_LONGEST, _FIRST * doubled) * (0.75 + 0.5 * chance)
    return usual if asked is None else max(usual, min(asked, _MOST_ASKED))


# An attempt: the content as it may be seen now, the POST, and the line in the log.


_TIDIED = 500  # messages after which old lines of the log are deleted; the daily upkeep does the rest


class SenderContext(Struct, frozen=True):
    """The common context of all senders of a process. ``holds``: whether this process may still consider itself the
    holder of its webhooks.
    """

    services: Services
    holder: str
    source: Source
    telling: Telling
    post: WebhookClient
    counts: Counts
    holds: Callable[[], bool]


class Attempts:
    """The attempts of one webhook."""

    def __init__(self, office: SenderContext) -> None:
        self._office = office
        self._sent = 0

    async def line(self, webhook: Webhook, message: str, epoch: str, entry: FeedEntry) -> Delivery:
        found = await asyncio.to_thread(self._office.services.registers.delivery_of, webhook.id, message)
        new = Delivery(message=message, webhook=webhook.id, epoch=epoch, sequence=entry.sequence, name=entry.name, attempts=0, at="")
        return found or new

    async def make(self, webhook: Webhook, line: Delivery, entry: FeedEntry | None) -> DeliveryResult:
        """Make an attempt and log it. A test has no entry."""
        services, now = self._office.services, self._office.services.clock()
        if entry is None:
            body = test_message(webhook, now)
        else:
            event = await self._office.telling.event(principal_of(webhook), entry)
            body = message_of(entry, line, event, now)
        headers = sign_headers(line.message, int(now.timestamp()), body, _secrets(webhook, stamp(now)))
        outcome = await self._office.post.send(webhook.url, body, headers, now)
        self._office.counts.deliveries["delivered" if outcome.problem is None else "failed"] += 1
        await asyncio.to_thread(services.registers.keep_delivery, _after(line, outcome, stamp(now)))
        self._sent += 1
        if self._sent % _TIDIED == 0:
            await asyncio.to_thread(services.registers.prune_delivery_log, minute_of(now - DELIVERIES_KEPT), MOST_DELIVERIES)
        return outcome


def _secrets(webhook: Webhook, at: str) -> list[str]:
    """Return the secrets that sign now, the new one first."""
    return [webhook.secret, *(old.secret for old in webhook.still_signing(at))]


def _after(line: Delivery, outcome: DeliveryResult, at: str) -> Delivery:
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


_LOG = logging.getLogger("kiebitz.api")
_SOON = 1.0  # seconds until the next try where something of our own is unavailable
_LATER = 30.0  # the same after an unexpected error


class DeliveryWorker:
    """The sender of one webhook. Used from one event loop."""

    def __init__(self, id: str, office: SenderContext) -> None:
        self._id = id
        self._office = office
        self._woken = asyncio.Event()
        self._asked: list[str] = []
        self._attempts = Attempts(office)
        self._passed = ("", 0)
        """The epoch and sequence up to which there is nothing to tell."""
        self._idle: Webhook | None = None
        """As the register had it when there was nothing to tell; the rounds of the sender see where it changes."""
        self._head = 0

    def notify(self, asked: list[str] | None = None) -> None:
        """Wake the sender, because there may be work; ``asked``: messages to be sent again."""
        self._asked = asked or self._asked
        self._idle = None
        self._woken.set()

    def tell(self, head: int) -> None:
        """Wake the sender, because events up to ``head`` were recorded."""
        self._head = head
        self._woken.set()

    async def run(self) -> None:
        while True:
            self._woken.clear()
            pause = await self._try_step()
            try:
                async with asyncio.timeout(pause):
                    await self._woken.wait()
            except TimeoutError:
                continue

    async def _try_step(self) -> float | None:
        try:
            return await self.step()
        except (StoreUnavailableError, OutcomeUnknownError, Unavailable) as error:
            _LOG.warning("webhook %s waits for the store: %s", self._id, error)
            return _SOON
        except Exception:
            _LOG.exception("webhook %s waits after an unexpected error", self._id)
            return _LATER

    @property
    def progress(self) -> tuple[str, int]:
        return self._passed

    async def step(self) -> float | None:
        """Send what is due now, one message at most. Return the seconds until there may be more, ``None`` to wait until it is woken.

        It reads the clock only if there is something to send, and the register only if there may be.
        """
        if self._idle is not None and not self._asked:
            page = await self._find_next(self._idle, self._head)
            if page is None or not page.entries:
                return _SOON if page is None else 0 if page.reached < self._head else None
        webhook = await asyncio.to_thread(self._office.services.registers.webhook_of, self._id)
        if webhook is None or webhook.holder != self._office.holder or webhook.disabled_at is not None:
            return None
        if not self._office.holds():
            return _SOON
        if self._asked:
            return await self._repeat_delivery(webhook, self._asked[0])
        if webhook.next_at is not None and (left := self._left(webhook.next_at)) > 0:
            return left
        return await self._send_next(webhook)

    def _left(self, next_at: str) -> float:
        return (datetime.fromisoformat(next_at) - self._office.services.clock()).total_seconds()

    def _is_expired(self, webhook: Webhook) -> bool:
        return webhook.expires_at is not None and webhook.is_expired(stamp(self._office.services.clock()))

    async def _send_next(self, webhook: Webhook) -> float | None:
        head = await asyncio.to_thread(self._office.services.journal.head)
        page = await self._find_next(webhook, head)
        if page is None:
            return _SOON
        if not page.entries:
            self._idle, self._head = webhook, max(head, self._head)
            return 0 if page.reached < self._head else None
        epoch, [entry] = self._office.services.journal.store.epoch.id, page.entries
        if self._is_expired(webhook):
            return None
        line = await self._attempts.line(webhook, message_id(webhook.id, epoch, entry.sequence), epoch, entry)
        outcome = await self._attempts.make(webhook, line, entry)
        if outcome.problem is None:
            await self._save_progress(webhook, epoch, entry.sequence)
            return 0
        return await self._record_failure(webhook, outcome)

    async def _find_next(self, webhook: Webhook, head: int) -> FeedPage | None:
        """Return the next entry up to ``head``. If there is none, remember that there is nothing to send up to there."""
        epoch, done = await self._office.source.place(webhook)
        after = max(done, self._passed[1]) if self._passed[0] == epoch else done
        page = await self._office.source.next(webhook, after, head)
        if page is not None and not page.entries:
            self._passed = (epoch, page.reached)
        return page

    async def _repeat_delivery(self, webhook: Webhook, message: str) -> float:
        registers = self._office.services.registers
        line = await asyncio.to_thread(registers.delivery_of, webhook.id, message)
        if line is not None and line.again and not self._is_expired(webhook):
            page = await self._office.source.read_entry(webhook, line.sequence) if line.sequence else None
            if page is None and line.sequence:
                return _SOON
            entry = page.entries[0] if page is not None and page.entries else None
            if line.sequence and (entry is None or line.epoch != self._office.services.journal.store.epoch.id):
                await asyncio.to_thread(registers.keep_delivery, replace(line, again=False, problem="withheld", detail="", status=None))
            else:
                await self._attempts.make(webhook, line, entry)
        self._asked = [one for one in self._asked if one != message]
        return 0

    async def _save_progress(self, webhook: Webhook, epoch: str, sequence: int) -> None:
        self._passed = (epoch, sequence)
        await asyncio.to_thread(self._office.services.registers.move_webhook, webhook.id, self._office.holder, epoch, sequence)

    async def _record_failure(self, webhook: Webhook, outcome: DeliveryResult) -> float | None:
        """Note a failure. Return the pause in seconds; ``None`` where the webhook was disabled."""
        services, now = self._office.services, self._office.services.clock()
        registers, since, attempts = services.registers, webhook.failing_since or stamp(now), webhook.attempts + 1
        if outcome.problem == "gone":
            await asyncio.to_thread(registers.disable_webhook, webhook.id, stamp(now), "gone")
            return None
        chance = services.new_salt()[0] / 255
        pause = pause_after(attempts, chance, outcome.retry_after)
        next_at = stamp(now + timedelta(seconds=pause))
        await asyncio.to_thread(
            lambda: registers.note_failure(webhook.id, self._office.holder, attempts=attempts, since=since, next_at=next_at)
        )
        if now - datetime.fromisoformat(since) >= GIVEN_UP:
            _LOG.warning("webhook %s is disabled: only failures since %s", webhook.id, since)
            await asyncio.to_thread(registers.disable_webhook, webhook.id, stamp(now), "failing")
            return None
        return pause
