"""What waits in this process, and what it has room for. It is looked up when somebody asks for the metrics, and costs nothing before."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, cast

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric

from api.common.apart.heavy import heavy_of
from api.common.exporting import Exporting, exporting_of
from api.common.live.news import news_of
from api.http.limits import Places
from api.http.request import Request, services_of
from api.services import Services
from api.threads import Threads
from domain.errors import Unavailable
from domain.journal.commits import StoreAway
from domain.journal.noting.look_writer import LookWriter
from domain.journal.registers import stamp
from domain.journal.webhooks import Webhook


class Connections(Protocol):
    """Those of callers, as the server counts them."""

    @property
    def busy(self) -> int: ...

    @property
    def idle(self) -> int: ...


def queue_metrics(request: Request) -> Iterable[Metric]:
    """What the loop knows. To be called in it."""
    services, state, news = services_of(request), request.app.state, news_of(request)
    journal, writer = services.journal, services.journal.writer
    yield _one("kiebitz_append_queue", "Commands that wait for the next transaction.", writer.queued)
    yield _one("kiebitz_append_under_way", "Commands in the transaction that is under way.", writer.under_way)
    yield _one("kiebitz_append_oldest_seconds", "Since the oldest command came that is not stored yet.", writer.age)
    yield _one("kiebitz_streams_held", "Games, tournaments and players in which a command is under way.", journal.streams_held)
    yield _one("kiebitz_keys_held", "Idempotency keys under which a command is under way.", journal.keys_held)
    yield _one("kiebitz_readers_waiting", "Readers who wait for a projection.", services.projector.waiting)
    yield _one("kiebitz_followers", "Who follows by a stream or a waiting request.", news.followers)
    yield _one("kiebitz_followers_behind", "Of these who have not taken yet what there is to tell.", news.behind)
    yield _one("kiebitz_looks_waiting", "Lines that wait for the register of looks.", cast(LookWriter, state["looks"]).waiting)
    places = {name: cast(Places, state[name]) for name in ("streams", "followers")}
    yield from _answers(exporting_of(request), {**places, **{kind: one.places for kind, one in heavy_of(request).items()}})
    threads = cast(Threads, state["threads"])
    yield each("kiebitz_threads_waiting", "Jobs that wait for a thread, by who wants them.", "pool", threads.waiting())
    if (callers := cast("Connections | None", state.get("callers"))) is not None:
        numbers = {"busy": callers.busy, "idle": callers.idle}
        yield each("kiebitz_connections", "Connections of callers; busy: with a whole request under way.", "state", numbers)
    yield from _pools(services)


def webhook_metrics(services: Services, known: Sequence[Webhook]) -> Iterable[Metric]:
    """Of those that are not over. To be called in a thread; nothing where the store does not answer."""
    try:
        head, epoch, now = services.journal.head(), services.journal.store.epoch.id, stamp(services.clock())
    except (Unavailable, StoreAway):
        return
    behind = [head - (max(one.sequence, one.passed) if one.epoch == epoch else 0) for one in known]
    due = sum(lag > 0 and (one.next_at is None or one.next_at <= now) for one, lag in zip(known, behind, strict=True))
    yield _one("kiebitz_webhooks_due", "Webhooks with something to tell and nothing to wait for.", due)
    yield _one("kiebitz_webhook_lag", "Sequences that the last of the webhooks is behind.", max(behind, default=0))


def _answers(exporting: Exporting, places: Mapping[str, Places]) -> Iterable[Metric]:
    """Those that last."""
    places = {**places, "exports": exporting.places}
    yield each("kiebitz_places", "Room for answers that last.", "what", {name: one.most for name, one in places.items()})
    yield each("kiebitz_places_taken", "Of that what is taken.", "what", {name: one.number for name, one in places.items()})
    numbers = {"waiting": exporting.waiting, "making": exporting.under_way - exporting.waiting}
    yield each("kiebitz_exports", "Exports that wait for their turn, and that are made.", "state", numbers)


def _pools(services: Services) -> Iterable[Metric]:
    """Nothing of an embedded database."""
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
    """A gauge with a label."""
    family = GaugeMetricFamily(name, text, labels=[label])
    for value, number in numbers.items():
        family.add_metric([value], number)
    return family
