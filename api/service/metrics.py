"""Metrics for Prometheus, collected at each scrape."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping
from time import perf_counter
from typing import cast

from prometheus_client import CollectorRegistry, GCCollector, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from api.http.counts import Counts
from api.http.guards import admitting
from api.http.operations import Content, Operation, reads
from api.http.request import Request, services_of
from api.http.response import Response
from api.service.queues import each, queue_metrics, webhook_metrics
from api.service.witnesses import witness_metrics
from api.services import Services
from domain.errors import Unavailable
from domain.journal.commits import StoreAway
from domain.journal.registers import stamp
from domain.journal.webhooks import STATUSES

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"


@reads(
    "/metrics",
    Operation(
        id="metrics",
        tag="Operation",
        summary="Numbers for Prometheus",
        description="Refusals by their codes tell of games that are played.",
        responses={200: Content("the text format", {"text/plain": {"type": "string"}})},
        role="official",
    ),
    admit=admitting("official"),
)
async def metrics(request: Request) -> Response:
    begun = perf_counter()
    await asyncio.sleep(0)
    turn = perf_counter()
    numbers = _Numbers(services_of(request), cast(Counts, request.app.state["counts"]), list(queue_metrics(request)))
    text = await asyncio.to_thread(lambda: _written(numbers, {"loop": turn - begun, "thread": perf_counter() - turn}))
    return Response(text, media_type=MEDIA_TYPE, headers=(("cache-control", "no-store"),))


def _written(numbers: "_Numbers", waits: Mapping[str, float]) -> bytes:
    """``waits``: seconds that this very request waited."""
    numbers.queues.append(each("kiebitz_wait_seconds", "How long one waits for the loop's turn, and for a thread.", "what", waits))
    registry = CollectorRegistry()
    registry.register(numbers)
    ProcessCollector(registry=registry)
    GCCollector(registry)
    return generate_latest(registry)


class _Numbers(Collector):
    def __init__(self, services: Services, counts: Counts, queues: list[Metric]) -> None:
        self.queues = queues
        self._house = services
        self._counts = counts

    def describe(self) -> Iterable[Metric]:
        return ()

    def collect(self) -> Iterable[Metric]:
        yield GaugeMetricFamily("kiebitz_worker", "Which of the processes that serve at one address says this.", self._house.worker)
        yield CounterMetricFamily("kiebitz_moves_recorded", "Moves recorded by this process.", self._counts.moves)
        yield _by("kiebitz_refusals", "Refusals by the rules.", "code", self._counts.refusals)
        yield _by("kiebitz_requests", "Requests answered.", "status", self._counts.requests)
        yield _by("kiebitz_sign_ins", "Attempts to sign in, by how they ended.", "result", self._counts.sign_ins)
        writer = self._house.journal.writer
        yield CounterMetricFamily("kiebitz_append_groups", "Transactions that appended.", writer.groups)
        yield CounterMetricFamily("kiebitz_appended_commands", "Commands in these transactions.", writer.grouped)
        yield _by(
            "kiebitz_webhook_deliveries", "Messages of this process to webhooks, attempt by attempt.", "result", self._counts.deliveries
        )
        yield from self.queues
        yield from self._webhooks()
        yield from witness_metrics(self._house.log)
        yield from self._lag()
        yield from self._log()

    def _webhooks(self) -> Iterable[Metric]:
        """How many there are, and not where they lead; nothing where the store does not answer."""
        try:
            found = self._house.registers.list_webhooks()
        except (Unavailable, StoreAway):
            return
        now = stamp(self._house.clock()) if found else ""
        counted = Counter(one.status(now) for one in found)
        yield from webhook_metrics(self._house, [one for one in found if one.status(now) in ("active", "failing")])
        family = GaugeMetricFamily("kiebitz_webhooks", "Webhooks by what becomes of their messages.", labels=["status"])
        for status in STATUSES:
            family.add_metric([status], counted[status])
        yield family

    def _lag(self) -> Iterable[Metric]:
        """Nothing where the store does not answer: the rest is then worth all the more."""
        try:
            found = self._house.projector.status()
        except (Unavailable, StoreAway):
            return
        lag = GaugeMetricFamily("kiebitz_projection_lag", "Sequences a projection is behind.", labels=["projection"])
        failed = GaugeMetricFamily("kiebitz_projection_failed", "1 where a projection stopped.", labels=["projection"])
        for one in found:
            lag.add_metric([one.name], one.lag)
            failed.add_metric([one.name], int(one.error is not None))
        yield from (lag, failed)

    def _log(self) -> Iterable[Metric]:
        """The same; nothing either where no log is kept."""
        if self._house.log is None:
            return
        try:
            head, behind, failure = self._house.log.tree.head(), self._house.log.behind(), self._house.log.failure()
        except (Unavailable, StoreAway):
            return
        size, signed, at = (head.size, head.signed, head.signed_at) if head else (0, 0, 0.0)
        yield each("kiebitz_log_entries", "Entries of the log; those of them that are signed.", "state", {"all": size, "signed": signed})
        yield GaugeMetricFamily("kiebitz_log_signed_at_seconds", "When the newest checkpoint was signed, in seconds since 1970.", at)
        yield GaugeMetricFamily(
            "kiebitz_log_behind_seconds", "Since when something is seen to lie unsigned; 0 where all is signed.", behind
        )
        yield GaugeMetricFamily("kiebitz_log_stopped", "1 where the log signs nothing.", int(failure is not None))


def _by(name: str, text: str, label: str, numbers: dict[str, int]) -> Metric:
    family = CounterMetricFamily(name, text, labels=[label])
    for value, number in sorted(numbers.items()):
        family.add_metric([value], number)
    return family
