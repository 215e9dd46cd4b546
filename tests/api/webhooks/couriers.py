"""A courier that goes step by step, by a clock of the test's own, with nobody else at work."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

from api.http.paging import Counts
from api.webhooks.sending.delivery_worker import DeliveryWorker, SenderContext
from api.webhooks.sending.http_client import Lookup, WebhookClient, resolve_host
from api.webhooks.sending.payloads import Telling
from api.webhooks.sending.source import Source
from deploy.compose import open_services
from domain.journal.access_audit import AccessWriter
from domain.journal.commits import Call
from domain.journal.registers import Registers
from domain.journal.store import EventStore
from domain.journal.webhooks import Delivery, Webhook
from domain.opening import opening
from projections.engine.projector import Projector
from replay.past import GamePasts
from tests.api.conftest import settings_of
from tests.api.webhooks.receiving import HERE
from tests.migrated import migrated_file

START = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)
HOOK = Webhook(
    id="w1", url="", label="", principal="p", role="director", issued_at="2026-11-23T12:00:00Z", secret="whsec_c2VjcmV0IG9mIGEgdGVzdA==",
    epoch="", sequence=0, holder="test",
)  # fmt: skip


@dataclass
class Steps:
    courier: DeliveryWorker
    registers: Registers
    store: EventStore
    projector: Projector
    now: datetime = START

    def go(self, *later: timedelta) -> list[float | None]:
        """A step now and one after each of these times; what they answered."""
        return asyncio.run(self._go(later))

    async def _go(self, later: tuple[timedelta, ...]) -> list[float | None]:
        answers = [await self.courier.step()]
        for time in later:
            self.now += time
            answers.append(await self.courier.step())
        await self.courier._office.post.close()
        return answers

    @property
    def hook(self) -> Webhook:
        found = self.registers.webhook_of("w1")
        assert found is not None
        return found

    @property
    def log(self) -> list[Delivery]:
        return list(self.registers.list_delivery_log("w1", limit=99))


@contextmanager
def stepping(folder: Path, url: str, events: int, lookup: Lookup = resolve_host, networks: Any = HERE, **more: Any) -> Iterator[Steps]:
    """The courier of a webhook that has so many events to tell, all of which others recorded before."""
    settings = settings_of(folder)
    migrated_file(settings.journal_file)
    with open_services(settings, alone=True) as others:
        for _ in range(events):
            others.journal.open_now(Call("p_director"), uuid4(), [opening(others.rulesets["casino"], {}, 2)])
    with open_services(settings, alone=True, clock=lambda: steps.now) as services:
        services.projector.prepare()
        services.projector.catch_up()
        registers = services.registers
        fields: dict[str, Any] = {**_fields(), "url": url, "epoch": services.journal.store.epoch.id, **more}
        registers.add_webhook(Webhook(**fields))
        pasts = GamePasts(services.journal.history, epoch=lambda: services.journal.store.epoch.id)
        telling = Telling(services, pasts, AccessWriter(registers, services.clock))
        office = SenderContext(
            services, "test", Source(services), telling, WebhookClient(networks, lookup, answer=1.0), Counts(), lambda: True
        )
        steps = Steps(DeliveryWorker("w1", office), registers, services.journal.store, services.projector)
        yield steps


def _fields() -> dict[str, Any]:
    return {name: getattr(HOOK, name) for name in HOOK.__struct_fields__}
