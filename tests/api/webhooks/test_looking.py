"""What an event costs that most webhooks may know nothing of."""

import asyncio
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from api.webhooks.sending.delivery_worker import DeliveryWorker
from domain.journal.commits import to_stored
from domain.journal.webhooks import EventFilter
from tests.api.webhooks.couriers import stepping
from tests.tampering import LENGTH, a_game


def test_one_look_serves_all_webhooks_that_an_event_does_not_concern(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with stepping(tmp_path, "http://127.0.0.1:9/", 1, chosen=EventFilter("player")) as steps:
        office, store, registers = steps.courier._office, steps.store, steps.registers
        for number in range(2, 9):
            registers.add_webhook(replace(steps.hook, id=f"w{number}"))
        couriers = [DeliveryWorker(f"w{number}", office) for number in range(1, 9)]
        reads = Counter[str]()

        def counted(owner: object, name: str) -> None:
            read = getattr(owner, name)
            monkeypatch.setattr(owner, name, lambda *given, **more: (reads.update([name]), read(*given, **more))[1])

        async def stepped() -> list[float | None]:
            return await asyncio.gather(*(courier.step() for courier in couriers))

        async def followed() -> None:
            assert await stepped() == [None] * 8
            store.insert_events([to_stored(recorded) for recorded in a_game()])
            office.services.projector.catch_up()
            for name in ("events_after", "head"):
                counted(store, name)
            counted(registers, "webhook_of")
            for courier in couriers:
                courier.tell(LENGTH + 1)
            assert await stepped() == [None] * 8
            await office.post.close()

        asyncio.run(followed())
        assert {courier.progress for courier in couriers} == {(store.epoch.id, LENGTH + 1)}
        assert reads == {"events_after": 1}
