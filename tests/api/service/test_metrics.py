"""The numbers of what waits, while it waits; each is told of on the page for those who run the service."""

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from msgspec.structs import replace
from prometheus_client.parser import text_string_to_metric_families

from api.http.request import add_part
from api.service.metrics import webhook_metrics
from api.services import Connections
from deploy.config.settings import USUAL
from deploy.http.connections import ConnectionRegistry
from domain.journal.webhooks import Webhook
from tests.api.conftest import Caller, Service, journal_url_of, trailing
from tests.deploy.serving import until
from tests.deploy.stores.stores import writing_stopped

PAGE = Path(__file__).parents[3] / "docs" / "operations" / "monitoring.md"
OF_LOG = {f"kiebitz_log_{name}" for name in ("entries", "signed_at_seconds", "behind_seconds", "stopped")}
"""These are told where a log is kept (``tests/api/log``)."""
WEBHOOK = Webhook(
    id="w1", url="https://club.example", label="", principal="p", role="viewer", issued_at="", secret="", epoch="", sequence=0
)  # fmt: skip


def numbers(caller: Caller) -> dict[str, float]:
    """By name and labels, in the order in which they are told."""
    families = text_string_to_metric_families(caller.get("/metrics").text)
    return {" ".join((sample.name, *sample.labels.values())): sample.value for family in families for sample in family.samples}


def test_every_number_of_ours_is_told_of(new_service: Service):
    add_part(new_service.client.app, Connections(ConnectionRegistry(USUAL).count))
    new_service.caller("director").get("/v1/games")
    told = {name.split()[0] for name in numbers(new_service.caller("director")) if name.startswith("kiebitz_")}
    section = PAGE.read_text(encoding="utf-8").partition("\n## Metrics\n")[2].partition("\n## ")[0]
    listed = set(re.findall(r"`(kiebitz_[a-z_]+)`", section))
    assert told - listed == set()
    of_counts = {"kiebitz_refusals_total", "kiebitz_sign_ins_total", "kiebitz_webhook_deliveries_total"}  # nothing of them was counted yet
    of_pools = {"kiebitz_pool_connections", "kiebitz_pool_waiting"}  # an embedded database has none
    of_witnesses = {"kiebitz_witness_behind", "kiebitz_witness_trouble"}  # none is named
    assert listed - told - of_counts - OF_LOG == of_pools | of_witnesses


def test_a_command_that_waits_for_the_store_is_seen_where_it_waits(any_service: Service, database_url: str, tmp_path: Path):
    recorder = any_service.caller("recorder")
    game = recorder.open()
    recorder.deal(game)
    card = recorder.get(f"/v1/games/{game}/table").json()["hands"][0][0]
    with ThreadPoolExecutor(1) as threads:
        with writing_stopped(journal_url_of(tmp_path, database_url)):
            move = threads.submit(recorder.post, f"/v1/games/{game}/moves", trailing(0, card), headers={"Idempotency-Key": "one"})
            until(lambda: numbers(recorder)["kiebitz_append_under_way"])
            seen = numbers(recorder)
        assert move.result().status_code == 201
    waits = ("append_under_way", "append_queue", "streams_held", "keys_held")
    assert [seen[f"kiebitz_{name}"] for name in waits] == [1, 0, 1, 1]
    assert seen["kiebitz_append_oldest_seconds"] > 0
    after = numbers(recorder)
    assert [after[f"kiebitz_{name}"] for name in (*waits, "append_oldest_seconds")] == [0, 0, 0, 0, 0]


def test_readers_who_wait_for_a_projection_are_counted(new_service: Service):
    recorder = new_service.caller("recorder")
    new_service.services.projector.stop()
    recorder.open()
    head = new_service.services.journal.head()
    with ThreadPoolExecutor(1) as threads:
        read = threads.submit(recorder.get, f"/v1/games?min_sequence={head}")
        until(lambda: numbers(recorder)["kiebitz_readers_waiting"] == 1)
        new_service.services.projector.start()
        assert len(read.result().json()["items"]) == 1
    assert numbers(recorder)["kiebitz_readers_waiting"] == 0


def test_connections_to_a_database_server_are_counted_by_what_they_are_for(postgres_service: Service):
    director = postgres_service.caller("director")
    assert postgres_service.services.pools()
    for pool in postgres_service.services.pools():
        told = until(lambda: found if (found := numbers(director))[f"kiebitz_pool_waiting {pool}"] == 0 else None)  # noqa: B023
        assert sum(told[f"kiebitz_pool_connections {pool} {state}"] for state in ("used", "idle")) >= 1


def test_a_webhook_is_due_when_it_has_something_to_tell_and_nothing_to_wait_for(service: Service):
    service.caller("recorder").open()
    journal = service.services.journal
    head, epoch = journal.head(), journal.store.epoch.id
    through, passed = replace(WEBHOOK, epoch=epoch, sequence=head), replace(WEBHOOK, epoch=epoch, passed=head)
    due, later = replace(WEBHOOK, epoch=epoch), replace(WEBHOOK, epoch=epoch, next_at="9999-01-01T00:00:00Z", attempts=1)
    tried = replace(WEBHOOK, epoch="another", sequence=head, next_at="2026-01-01T00:00:00Z", attempts=1)
    for known, expected in (([], [0, 0]), ([through, passed], [0, 0]), ([later, passed], [0, head]), ([due, tried, later], [2, head])):
        found = [sample.value for metric in webhook_metrics(service.services, known) for sample in metric.samples]
        assert found == expected


def test_the_numbers_of_process_and_garbage_collector_have_their_usual_names(service: Service):
    told = numbers(service.caller("director"))
    assert {"process_resident_memory_bytes", "process_open_fds", "python_gc_collections_total 2"} <= told.keys()
