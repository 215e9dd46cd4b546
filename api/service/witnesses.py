"""What the witnesses of the log sign, as numbers."""

from collections.abc import Iterable

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric

from api.services import KeptLog
from domain.errors import Unavailable
from domain.journal.commits import StoreAway


def witness_metrics(log: KeptLog | None) -> Iterable[Metric]:
    """Nothing where no witness is named, and where the store does not answer."""
    try:
        head, found = (log.tree.head(), log.standings()) if log else (None, [])
    except (Unavailable, StoreAway):
        return
    if head is None or not found:
        return
    behind = GaugeMetricFamily("kiebitz_witness_behind", "Entries that the log has signed and a witness has not.", labels=["witness"])
    trouble = GaugeMetricFamily("kiebitz_witness_trouble", "1 where something keeps a witness from signing.", labels=["witness"])
    for one in found:
        behind.add_metric([one.name], head.signed - one.size if one.epoch == head.epoch else head.signed)
        trouble.add_metric([one.name], int(one.trouble is not None))
    yield from (behind, trouble)
