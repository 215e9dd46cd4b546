"""Leases on webhooks between processes: each webhook is sent by one process, which raises a counter (beat) in the register every second.

A process that sees a beat stand still for some seconds takes the webhook over. A process that could not raise its own beat for a shorter
time stops sending. So no clocks of different machines are compared.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from time import monotonic
from typing import Self
from uuid import uuid4

from msgspec.structs import replace

from api.common.live.change_feed import ChangeSignal
from api.http.paging import Counts
from api.services import Services
from api.webhooks.sending.delivery_worker import DeliveryWorker, SenderContext
from api.webhooks.sending.http_client import WebhookClient
from api.webhooks.sending.payloads import Telling
from api.webhooks.sending.source import Source
from domain.errors import Unavailable
from domain.journal.access_audit import AccessWriter
from domain.journal.commits import OutcomeUnknownError, StoreUnavailableError
from domain.journal.webhooks import Webhook
from replay.past import GamePasts

_LOG = logging.getLogger("kiebitz.api")
_ROUND = 1.0  # seconds between two looks at the register
_HELD = 3.0  # seconds for which the holder may rely on its last beat; less than ``_LEFT``, so that it stops before another starts
_LEFT = 5.0  # seconds without a beat after which another process takes over
_NEWS = 5.0  # seconds of one wait for news
_BREATH = 0.1  # seconds between two waits: while the service stops, waits end at once


class Sender:
    """The sender of a process. Used from one event loop."""

    def __init__(
        self,
        services: Services,
        telling: Telling,
        post: WebhookClient,
        pulse: ChangeSignal,
        counts: Counts,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._services = services
        self._post = post
        self._pulse = pulse
        self._clock = clock
        self._holder = f"kiebitz-{uuid4().hex[:12]}"
        self._held_at = 0.0
        self._office = SenderContext(services, self._holder, Source(services), telling, post, counts, self._has_lease)
        self._beats: dict[str, tuple[int, float]] = {}
        """The beats of webhooks that others hold, and since when they stand."""
        self._known: dict[str, Webhook] = {}
        self._couriers: dict[str, tuple[DeliveryWorker, asyncio.Task[None]]] = {}
        self._looking = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    @classmethod
    def of(cls, services: Services, pasts: GamePasts, looks: AccessWriter, pulse: ChangeSignal, counts: Counts) -> Self:
        return cls(services, Telling(services, pasts, looks), WebhookClient(services.webhook_networks), pulse, counts)

    def request_check(self) -> None:
        """Start a round at once."""
        self._looking.set()

    async def start(self) -> None:
        self._tasks = [asyncio.create_task(self._rounds()), asyncio.create_task(self._watch_changes())]

    async def close(self) -> None:
        """Stop sending. Attempts in progress are cancelled; the message was not acknowledged and is sent again by the process that takes
        over.
        """
        tasks = [*self._tasks, *(task for _, task in self._couriers.values())]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._post.close()
        if self._couriers:
            with suppress(StoreUnavailableError, OutcomeUnknownError, Unavailable):
                await asyncio.to_thread(self._services.registers.release_webhooks, self._holder)

    def _has_lease(self) -> bool:
        return self._clock() - self._held_at < _HELD

    async def _rounds(self) -> None:
        while True:
            self._looking.clear()
            try:
                await self.round()
            except (StoreUnavailableError, OutcomeUnknownError, Unavailable) as error:
                _LOG.warning("webhooks wait for the store: %s", error)
            except Exception:  # the next round tries again
                _LOG.exception("reading the webhooks failed")
            with suppress(TimeoutError):
                async with asyncio.timeout(_ROUND):
                    await self._looking.wait()

    async def round(self) -> None:
        """Take over webhooks that no process sends, renew the leases of this process, and wake senders that have work."""
        begun, registers = self._clock(), self._services.registers
        alive = {one.id: one for one in await asyncio.to_thread(registers.list_webhooks) if one.disabled_at is None}
        mine = {id for id, one in alive.items() if one.holder == self._holder or await self._take_over(one, begun)}
        if mine:
            await asyncio.to_thread(registers.beat_webhooks, self._holder)
            self._held_at = begun
            await self._note_passed(alive)
        asked = await asyncio.to_thread(registers.list_repeat_requests) if mine else {}
        for id in self._couriers.keys() - mine:
            await self._stop_worker(id)
        for id in mine:
            changed = self._known.get(id) != _strip_progress(alive[id])
            if id not in self._couriers:
                self._start_worker(id)
            if changed or id in asked:
                self._couriers[id][0].notify([one.message for one in asked.get(id, ())])
        self._known = {id: _strip_progress(one) for id, one in alive.items()}

    async def _note_passed(self, alive: Mapping[str, Webhook]) -> None:
        places = {id: courier.progress for id, (courier, _) in self._couriers.items() if id in alive}
        far = [(id, *place) for id, place in places.items() if place[0] == alive[id].epoch and place[1] > alive[id].passed]
        if far:
            await asyncio.to_thread(self._services.registers.pass_webhooks, self._holder, far)

    async def _take_over(self, one: Webhook, now: float) -> bool:
        beat, since = self._beats.get(one.id, (None, now))
        if beat != one.beat:
            self._beats[one.id] = (one.beat, now)
            since = now
        if one.holder is not None and now - since < _LEFT:
            return False
        return await asyncio.to_thread(self._services.registers.take_webhook, one.id, self._holder, one.beat)

    def _start_worker(self, id: str) -> None:
        courier = DeliveryWorker(id, self._office)
        self._couriers[id] = (courier, asyncio.create_task(courier.run()))

    async def _stop_worker(self, id: str) -> None:
        _, task = self._couriers.pop(id)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    async def _watch_changes(self) -> None:
        head, epoch = 0, ""
        while True:
            try:
                if not self._couriers:
                    await asyncio.sleep(_ROUND)
                elif await self._pulse.wait_past(head, _NEWS) or self._services.journal.store.epoch.id != epoch:
                    epoch, head = self._services.journal.store.epoch.id, await asyncio.to_thread(self._services.journal.head)
                    for courier, _ in self._couriers.values():
                        courier.tell(head)
                else:
                    await asyncio.sleep(_BREATH)
            except (StoreUnavailableError, OutcomeUnknownError, Unavailable):  # the rounds log it
                await asyncio.sleep(_ROUND)


def _strip_progress(one: Webhook) -> Webhook:
    """Return the webhook without the fields that sending itself changes."""
    return replace(one, holder=None, beat=0, epoch="", sequence=0, passed=0, attempts=0, failing_since=None)
