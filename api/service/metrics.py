"""Metrics for Prometheus, collected at each scrape."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from time import perf_counter

from prometheus_client import CollectorRegistry, GCCollector, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from api.common.exporting import Exporting
from api.common.live.change_feed import change_feed_of
from api.common.long_reads import ReadQueues
from api.http.limits import ConcurrencyLimiter, StreamLimits
from api.http.operations import Content, reads
from api.http.paging import Counts
from api.http.request import Request, part_of, services_of
from api.http.response import Response
from api.services import Connections, Services, StoreLog
from api.threads import Threads
from domain.errors import Unavailable
from domain.journal.access_audit import AccessWriter
from domain.journal.commits import StoreUnavailableError
from domain.journal.registers import stamp
from domain.journal.webhooks import STATUSES, Webhook

# Queues and capacities of this process. They are read at each scrape and cost nothing before.


def queue_metrics(request: Request) -> Iterable[Metric]:
    """Yield the metrics that the event loop knows. Call it in the event loop."""
    services, app, news = services_of(request), request.app, change_feed_of(request)
    journal, writer = services.journal, services.journal.writer
    yield _one("kiebitz_append_queue", "Commands that wait for the next transaction.", writer.queue_length)
    yield _one("kiebitz_append_under_way", "Commands in the transaction that is under way.", writer.in_progress)
    yield _one("kiebitz_append_oldest_seconds", "Since the oldest command came that is not stored yet.", writer.age)
    yield _one("kiebitz_streams_held", "Games, tournaments and players in which a command is under way.", journal.streams_held)
    yield _one("kiebitz_keys_held", "Idempotency keys under which a command is under way.", journal.keys_held)
    yield _one("kiebitz_readers_waiting", "Readers who wait for a projection.", services.projector.waiting)
    yield _one("kiebitz_followers", "Who follows by a stream or a waiting request.", news.subscriber_count)
    yield _one("kiebitz_followers_behind", "Of these who have not taken yet what there is to tell.", news.waiting_count)
    yield _one("kiebitz_looks_waiting", "Lines that wait for the register of looks.", part_of(app, AccessWriter).waiting)
    places: dict[str, ConcurrencyLimiter] = part_of(app, StreamLimits)._asdict()
    yield from _collect_response_metrics(
        part_of(app, Exporting), {**places, **{kind: one.places for kind, one in part_of(app, ReadQueues).items()}}
    )
    threads = part_of(app, Threads)
    yield each("kiebitz_threads_waiting", "Jobs that wait for a thread, by who wants them.", "pool", threads.waiting())
    if count := part_of(app, Connections).count:
        yield each("kiebitz_connections", "Connections of callers; busy: with a whole request under way.", "state", count())
    yield from _pools(services)


def webhook_metrics(services: Services, known: Sequence[Webhook]) -> Iterable[Metric]:
    """Yield the metrics of webhooks that are not over; none where the store does not answer. Call it in a thread."""
    try:
        head, epoch, now = services.journal.head(), services.journal.store.epoch.id, stamp(services.clock())
    except (Unavailable, StoreUnavailableError):
        return
    behind = [head - (max(one.sequence, one.passed) if one.epoch == epoch else 0) for one in known]
    due = sum(lag > 0 and (one.next_at is None or one.next_at <= now) for one, lag in zip(known, behind, strict=True))
    yield _one("kiebitz_webhooks_due", "Webhooks with something to tell and nothing to wait for.", due)
    yield _one("kiebitz_webhook_lag", "Sequences that the last of the webhooks is behind.", max(behind, default=0))


def _collect_response_metrics(exporting: Exporting, places: Mapping[str, ConcurrencyLimiter]) -> Iterable[Metric]:
    """Yield the metrics of long responses."""
    places = {**places, "exports": exporting.places}
    yield each("kiebitz_places", "Room for answers that last.", "what", {name: one.most for name, one in places.items()})
    yield each("kiebitz_places_taken", "Of that what is taken.", "what", {name: one.number for name, one in places.items()})
    numbers = {"waiting": exporting.waiting, "making": exporting.in_progress - exporting.waiting}
    yield each("kiebitz_exports", "Exports that wait for their turn, and that are made.", "state", numbers)


def _pools(services: Services) -> Iterable[Metric]:
    """Yield the metrics of database connections; none for an embedded database."""
    if not (pools := services.pools()):
        return
    connections = GaugeMetricFamily("kiebitz_pool_connections", "Connections to the database.", labels=["pool", "state"])
    for name, pool in pools.items():
        connections.add_metric([name, "used"], pool.open - pool.idle)
        connections.add_metric([name, "idle"], pool.idle)
    yield connections
    waiting = {name: pool.waiting for name, pool in pools.items()}
    yield each("kiebitz_pool_waiting", "Who waits for a connection to the database.", "pool", waiting)


def _one(name: str, text: str, number: float) -> Metric:
    return GaugeMetricFamily(name, text, number)


def each(name: str, text: str, label: str, numbers: Mapping[str, float]) -> Metric:
    """Return a gauge with a label."""
    family = GaugeMetricFamily(name, text, labels=[label])
    for value, number in numbers.items():
        family.add_metric([value], number)
    return family


# Progress of the witnesses of the log.


def witness_metrics(log: StoreLog | None) -> Iterable[Metric]:
    """Yield the metrics of witnesses; none where no witness is named, and where the store does not answer."""
    try:
        head, found = (log.tree.head(), log.standings()) if log else (None, [])
    except (Unavailable, StoreUnavailableError):
        return
    if head is None or not found:
        return
    behind = GaugeMetricFamily("kiebitz_witness_behind", "Entries that the log has signed and a witness has not.", labels=["witness"])
    trouble = GaugeMetricFamily("kiebitz_witness_trouble", "1 where something keeps a witness from signing.", labels=["witness"])
    for one in found:
        behind.add_metric([one.name], head.signed - one.size if one.epoch == head.epoch else head.signed)
        trouble.add_metric([one.name], int(one.trouble is not None))
    yield from (behind, trouble)


MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"


@reads(
    "/metrics",
    "metrics",
    "Read the metrics, for Prometheus",
    tag="Operation",
    description="Refusals by their codes reveal something about games in progress.",
    responses={200: Content("the text format", {"text/plain": {"type": "string"}})},
    role="official",
)
async def metrics(request: Request) -> Response:
    begun = perf_counter()
    await asyncio.sleep(0)
    turn = perf_counter()
    numbers = _Numbers(services_of(request), part_of(request.app, Counts), list(queue_metrics(request)))
    text = await asyncio.to_thread(lambda: _write_metrics(numbers, {"loop": turn - begun, "thread": perf_counter() - turn}))
    return Response(text, media_type=MEDIA_TYPE, headers=(("cache-control", "no-store"),))


def _write_metrics(numbers: "_Numbers", waits: Mapping[str, float]) -> bytes:
    """Return the text format. ``waits``: the seconds that this request itself waited."""
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
        """Yield the number of webhooks, without their addresses; nothing where the store does not answer."""
        try:
            found = self._house.registers.list_webhooks()
        except (Unavailable, StoreUnavailableError):
            return
        now = stamp(self._house.clock()) if found else ""
        counted = Counter(one.status(now) for one in found)
        yield from webhook_metrics(self._house, [one for one in found if one.status(now) in ("active", "failing")])
        family = GaugeMetricFamily("kiebitz_webhooks", "Webhooks by what becomes of their messages.", labels=["status"])
        for status in STATUSES:
            family.add_metric([status], counted[status])
        yield family

    def _lag(self) -> Iterable[Metric]:
        """Yield the lag of projections; nothing where the store does not answer, when the other metrics matter most."""
        try:
            found = self._house.projector.status()
        except (Unavailable, StoreUnavailableError):
            return
        lag = GaugeMetricFamily("kiebitz_projection_lag", "Sequences a projection is behind.", labels=["projection"])
        failed = GaugeMetricFamily("kiebitz_projection_failed", "1 where a projection stopped.", labels=["projection"])
        for one in found:
            lag.add_metric([one.name], one.lag)
            failed.add_metric([one.name], int(one.error is not None))
        yield from (lag, failed)

    def _log(self) -> Iterable[Metric]:
        """Yield the progress of the log; nothing where the store does not answer, or no log is kept."""
        if self._house.log is None:
            return
        try:
            head, behind, failure = self._house.log.tree.head(), self._house.log.behind(), self._house.log.failure()
        except (Unavailable, StoreUnavailableError):
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
